"""The examples of a Markdown file: its fenced blocks, each with what the comment above it says of it.

A block is run as its language and its text suggest, unless a comment directly above says otherwise:

    <!-- example: plugin NAME -->     C++ of the plugin NAME (else of one that the page has for all of its C++)
    <!-- example: block NAME -->      the inside of a registration block of namespace NAME
    <!-- example: body -->            C++ statements
    <!-- example: file NAME -->       written to that file before anything is run
    <!-- example: from PATH -->       lines of that file of the tree
    <!-- example: named, REASON -->   shell commands that must exist but are not run
    <!-- example: none, REASON -->    not run
    <!-- example: hidden LANGUAGE     code that readers do not see, up to the end of the comment
"""

import re
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(
    r"(?P<directive>^```{.*?^```$)"
    r"|<!-- example: hidden (?P<hidden>[^\n]+)\n(?P<code>.*?)-->"
    r"|(?:^<!-- example: (?P<role>\w+)[ ,]*(?P<argument>[^\n]*) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
ROLES = {"": 0, "plugin": 1, "block": 1, "body": 0, "file": 1, "from": 1, "named": 1, "none": 1}


@dataclass
class Block:
    language: str
    text: str
    line: int  # of the first line of the text
    role: str = ""
    argument: str = ""


class BadPage(Exception):
    pass


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    blocks = []
    for match in BLOCK.finditer(text):
        if match["directive"]:  # for Sphinx, which fails if it cannot do what it says
            continue
        code = "code" if match["hidden"] else "text"
        line = text.count("\n", 0, match.start(code)) + 1
        language, _, rest = (match["hidden"] or match["language"]).partition(" ")
        role, _, argument = (
            rest.partition(" ") if match["hidden"] else (match["role"] or "", "", match["argument"] or "")
        )
        if role not in ROLES or bool(argument) != bool(ROLES[role]):
            raise BadPage(f"line {line}: '{role} {argument}' says nothing of an example")
        blocks.append(Block(language, match[code], line, role, argument))
    without_blocks = BLOCK.sub("", text)
    if left := re.search(r"<!-- example.*|^ *```.*|^\n    \S.*", without_blocks, re.MULTILINE):
        raise BadPage(f"neither an example nor text: '{left[0].strip()}'")
    return blocks
