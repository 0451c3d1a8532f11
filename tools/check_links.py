"""Fails if a link in a Markdown file leads to no file or to no heading of it. Links to the web are not followed.

usage: check_links.py FILE...
"""

import re
import sys
import unicodedata
from pathlib import Path

FENCE = re.compile(r"^ *(```|~~~).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
HEADING = re.compile(r"^#{1,6} +(.+?) *#* *$", re.MULTILINE)


def blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def anchors_of(path: Path) -> set[str]:
    """The anchors that GitHub gives a file's headings."""
    anchors: set[str] = set()
    for heading in HEADING.findall(FENCE.sub(blank, path.read_text(encoding="utf-8"))):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        kept = (c for c in text if c in " -_" or unicodedata.category(c)[0] in "LN")
        anchor = base = "".join(kept).replace(" ", "-")
        number = 0
        while anchor in anchors:
            number += 1
            anchor = f"{base}-{number}"
        anchors.add(anchor)
    return anchors


def faults_of(path: Path) -> list[str]:
    text = CODE.sub(blank, FENCE.sub(blank, path.read_text(encoding="utf-8")))
    faults = []
    for link in LINK.finditer(text):
        target = link[1] or link[2]
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        destination = path.parent / file if file else path
        where = f"{path}:{text.count(chr(10), 0, link.start()) + 1}"
        if not destination.exists():
            faults.append(f"{where}: no file '{file}'")
        elif anchor and destination.suffix == ".md" and anchor not in anchors_of(destination):
            faults.append(f"{where}: no heading '#{anchor}' in '{destination}'")
    return faults


def main() -> int:
    files = [Path(name) for name in sys.argv[1:]]
    faults = [fault for file in files for fault in faults_of(file)]
    for fault in faults:
        print(fault)
    print(f"{len(files)} files, {len(faults)} broken links")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
