"""The documentation's site, made of the Markdown files where they are in the tree. `./run docs` builds it."""

import re
from pathlib import Path

from sphinx.addnodes import pending_xref

ROOT = Path(__file__).resolve().parents[2]

project = "Byname"
version = release = re.search(r"project\(Byname VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
html_title = f"Byname {version}"
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_additional_pages = {"index": "start.html"}
html_show_copyright = False
html_copy_source = False
templates_path = ["templates"]

root_doc = "README"
source_suffix = {".md": "markdown"}
include_patterns = ["**.md"]
exclude_patterns = ["build", ".*", "docs/site", "tests"]
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx_click"]

myst_heading_anchors = 4
default_role = "code"
suppress_warnings = ["misc.highlighting_failure"]  # a fragment with "…" is no C++
toc_object_entries_show_parents = "hide"

breathe_projects = {"byname": str(ROOT / "build/docs/.xml")}
breathe_default_project = "byname"
breathe_default_members = ("members", "undoc-members")
breathe_domain_by_extension = {"h": "cpp"}
breathe_domain_by_file_pattern = {"*/c_api.h": "c", "*/c_types.h": "c"}
breathe_show_include = False

autodoc_default_options = {"members": True, "undoc-members": True}

# Headers that nobody includes alone or that have nothing but conversions. All others are in the reference.
LEFT_OUT = re.compile(r"byname|box|convert_\w+|protect|sequence|signature|tensor_view|c_types")

DECISIONS = """
```{toctree}
:hidden:
:glob:

0*
```
"""


def add_contents(app, name, source):
    """Appends the site's tables of contents, which would be noise where GitHub shows the same files."""
    if name == root_doc:
        source[0] += "\n" + (ROOT / "docs/site/contents.md").read_text(encoding="utf-8")
    elif name == "docs/decisions/README":
        source[0] += DECISIONS


def mark_code(app, what, name, object_, options, lines):
    """What is indented in a docstring is code."""
    marked = []
    for line in lines:
        if line.startswith(" ") and len(marked) > 1 and not marked[-1] and not marked[-2].startswith((" ", "::")):
            marked += ["::", ""]
        marked.append(line)
    lines[:] = marked


def unlink_directories(app, document):
    """The tree shows a directory where a link leads to one, the site has no page for it."""
    here = Path(app.env.doc2path(app.env.docname)).parent
    for link in list(document.findall(pending_xref)):
        if link["reftype"] == "myst" and (here / link["reftarget"]).is_dir():
            link.replace_self(link.children)


def check_reference(app):
    """Every header's group, and every section of the C interface, is on a page."""
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs/reference").glob("*.md"))
    shown = set(re.findall(r"{doxygengroup} (\w+)", pages))
    groups = {
        re.search(r"<compoundname>(\w+)<", file.read_text(encoding="utf-8"))[1]
        for file in (ROOT / "build/docs/.xml").glob("group__*.xml")
    }
    for group in sorted(groups - shown):
        if not LEFT_OUT.fullmatch(group):
            raise ValueError(f"no page of docs/reference shows the group '{group}'")


def setup(app):
    app.connect("builder-inited", check_reference)
    app.connect("source-read", add_contents)
    app.connect("doctree-read", unlink_directories)
    app.connect("autodoc-process-docstring", mark_code)
