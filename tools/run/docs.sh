# docs: build the documentation's site into build/docs: guides, and a reference of headers, Python package and command
#
# usage: ./run docs [--no-install]
#
# A link, an anchor or a reference that leads nowhere fails it, and so does a document that the site's contents lack.
source tools/run/common.sh

(($# == 0)) || die "docs: expected no argument, got '$1'"
need_packages "${packages_build[@]}" python3-venv doxygen
need_python python/requirements-docs.txt
end_if_missing

build release "$(without_tests release)" byname_native
rm -rf build/docs
mkdir -p build/docs
doxygen docs/site/Doxyfile
PYTHONPATH=build/release/python .venv/bin/sphinx-build --quiet --fail-on-warning --keep-going -c docs/site . build/docs
echo "built build/docs/index.html"
