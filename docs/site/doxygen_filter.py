"""Doxygen's INPUT_FILTER: prints a header with its plain comments as those that Doxygen reads, in Markdown, and
without what is nobody's to use: namespaces `detail`, and how each type converts.

A header becomes a group of its name, a section of C, `/* ---- values ---- */`, becomes a group `c_values`.

usage: doxygen_filter.py HEADER
"""

import re
import sys
from pathlib import Path

HIDDEN = (
    re.compile(r"^namespace detail\b.*?^}  // namespace detail$", re.M | re.S),
    re.compile(
        r"^template <[^{;]*>\n(?: +requires.*\n)?struct (?:BYNAME_HIDDEN )?Convert<(?:[^{]*\{\};|.*?^};)$", re.M | re.S
    ),
    re.compile(r"^template <[^{;]*>\n(?: +requires.*\n)?inline constexpr const char\* kPortableName<[^;]*;$", re.M),
    re.compile(r"^template <[^{;]*>\nstruct std::tuple_[^;]*;$", re.M),
    # Declarations alone (a comment above one is the next one's: that of a specialisation), and definitions of members
    # that their class declares.
    re.compile(r"^template <[^{;]*>\n(?:class|struct) \w+;\n\n?", re.M),
    re.compile(r"^struct \w+;.*$", re.M),
    re.compile(r"^(?:template <[^{;]*>\n)?[^\n;{}#/()]* \**[A-Z]\w+::\w+\((?:[^\n]*\}|.*?^\})$", re.M | re.S),
    re.compile(r"^#define BYNAME_(?:LIBRARY_|THIS_|THREAD_LOCAL|API|HOT_API)(?:.*\\\n)*.*$", re.M),
    re.compile(r"^/\* ---- inline parts ---- \*/$.*?(?=^#ifdef __cplusplus$)", re.M | re.S),
)
SECTION = re.compile(r"^/\* ---- (.*) ---- \*/$", re.MULTILINE)
C_COMMENT = re.compile(r"/\* ?(.*?) *\*/", re.DOTALL)
COMMENT_LINE = re.compile(r" *//( .*)?$")
TRAILING_COMMENT = re.compile(r"(?<=[;,)({]) +// (?!NOLINT)(.*)$")
NAMESPACE = re.compile(r"namespace byname \{$|}  // namespace byname$")
NOLINT = re.compile(r" *// NOLINT.*$")
# What a comment is not about, if it is the next line.
NO_DECLARATION = re.compile(r"\s*($|#(?!define)|\}|/|namespace\b|using namespace\b|extern \"C\"|\w+:$)")


def with_plain_comments(text: str) -> str:
    """C's comments as C++'s."""

    def convert(match: re.Match[str]) -> str:
        lines = [re.sub(r"^ *\* ?", "", line) for line in match[1].split("\n")]
        return "\n".join(f"// {line}".rstrip() for line in lines)

    return C_COMMENT.sub(convert, text)


def to_markdown(lines: list[str]) -> list[str]:
    """Paragraphs and numbered lists; what is indented is code."""
    out: list[str] = []
    paragraph: list[str] = []
    code: list[str] = []

    def end() -> None:
        if paragraph:
            out.extend([inline(" ".join(paragraph)), ""])
            paragraph.clear()
        if code:
            out.extend(["```cpp", *code, "```", ""])
            code.clear()

    for line in lines:
        text = line.strip()
        is_item = re.match(r"\d+\. ", text)
        is_code = line.startswith("   ") and not is_item and not (paragraph and paragraph[0][0].isdigit())
        if not text or is_item or is_code != bool(code):
            end()
        if is_code:
            code.append(line.removeprefix("   "))
        elif text:
            paragraph.append(text)
    end()
    return out


def inline(text: str) -> str:
    """Signs stand for themselves outside of backquotes."""
    parts = text.split("`")
    return "`".join(part if i % 2 else re.sub(r"([\\*_|<>\[\]])", r"\\\1", part) for i, part in enumerate(parts))


def documentation(lines: list[str]) -> list[str]:
    # Breathe hands what is so marked to the parser of the page, which is Markdown's.
    return ["/**", "@verbatim embed:rst", *to_markdown(lines), "@endverbatim */"]


def group(name: str, lines: list[str]) -> list[str]:
    """Opens a group, which is documented by a comment."""
    return [f"/** @defgroup {name} {name}", *documentation(lines)[1:-1], "@endverbatim", "@{ */"]


def declaration(line: str) -> str:
    line = NOLINT.sub("", line)
    return TRAILING_COMMENT.sub(lambda m: f" /**< @verbatim embed:rst:inline {inline(m[1])} @endverbatim */", line)


def filtered(header: Path) -> list[str]:
    text = header.read_text(encoding="utf-8")
    for hidden in HIDDEN:
        text = hidden.sub("", text)
    out: list[str] = []
    comment: list[str] = []
    for number, line in enumerate(with_plain_comments(SECTION.sub(r"@section \1", text)).split("\n")):
        if match := COMMENT_LINE.match(line):
            comment.append(match[1] or "")
            continue
        if comment and number == len(comment):
            out += group(header.stem, comment)
        elif comment and not NO_DECLARATION.match(line):
            out += documentation(comment)
        comment = []
        if line.startswith("@section "):
            out += ["/** @} */", *group("_".join(["c", *line.split()[1:]]), [])]
        elif NAMESPACE.match(line):
            # A group holds what is in a namespace only if it begins and ends in it.
            out += ["/** @} */", line, f"/** @addtogroup {header.stem}", "@{ */"]
        else:
            out.append(declaration(line))
    return [*out, "/** @} */"]


if __name__ == "__main__":
    sys.stdout.write("\n".join(filtered(Path(sys.argv[1]))))
