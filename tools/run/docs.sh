# docs: check that the links and anchors in the Markdown files lead somewhere
#
# usage: ./run docs [--no-install]
source tools/run/common.sh

(($# == 0)) || die "docs: expected no argument, got '$1'"
need_packages git python3
end_if_missing

git ls-files -z -co --exclude-standard '*.md' | xargs -0 "$python" tools/check_links.py
