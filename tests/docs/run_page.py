"""Runs the examples of a page in their order, in an empty directory, and fails at the first that is not as it says.

usage: run_page.py PAGE PRECOMPILED

On a line of Python or C++ a comment behind an expression is its value, or what it prints or raises, and goes on where
the lines below are comments alone. A block of text is what the block before it prints or raises; in a console the lines
below a command are what it prints. `…` stands for anything.
"""

import ast
import contextlib
import io
import json
import re
import subprocess
import sys
import tokenize
from pathlib import Path

from page import BadPage, Block, blocks_of

import byname
from byname import _build

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = _build.PACKAGE.parents[1]

FLAGS = ("-O0", "-Wall", "-Werror")

# Whatever else a line says, as `int64_t three = add(1, 2);  // is 3`, is for people.
CPP_EXPRESSION = re.compile(r"^( *)((?!return\b|auto\b|const\b)[\w:]+(?:<[^;=]*>)?[.(].*); +// (.*)$")
CPP_COMMENT = re.compile(r"^ *// (.*)$")
PYTHON_COMMENT = re.compile(r"^ *# (.*)$")


def precompile(directory: Path) -> Path:
    """The header that every page's C++ begins with; it is most of what there is to compile."""
    header = directory / "expect.h"
    header.write_text((HERE / "expect.h").read_text())
    command = [*_build.compiler_command(), *_build.FLAGS, *_build.compile_flags(), *FLAGS]
    subprocess.run([*command, "-x", "c++-header", header, "-o", f"{header}.gch"], check=True)
    return header


class Failure(Exception):
    def __init__(self, line: int, message: str):
        super().__init__(message)
        self.line = line


def check(line: int, expected: str, got: str) -> None:
    pattern = ".*".join(re.escape(" ".join(part.split())) for part in expected.split("…"))
    if not re.fullmatch(pattern, " ".join(got.split())):
        raise Failure(line, f"expected {expected.strip()!r}, got {got.strip()!r}")


def told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


class Page:
    def __init__(self, path: Path, precompiled: str):
        self.path = path
        self.precompiled = precompiled  # expect.h, see precompile()
        self.blocks = blocks_of(path)
        self.variables = {"__name__": path.stem}
        self.sources: dict[str, list[str]] = {}
        self.bodies: dict[int, str] = {}  # names of functions, by the lines of their blocks
        self.expected: dict[int, str] = {}  # by line
        self.reached: set[int] = set()
        self.output: str | None = None  # of the last example
        self.error: BaseException | None = None  # raised by it, which only a block of text makes right

    def run(self) -> None:
        byname.register("docs.expect", self.expect_cpp)
        byname.register("docs.print", lambda text: print(text))
        self.prepare()
        for block in self.blocks:
            self.run_block(block)
        self.end_block(0)
        for line in sorted(self.expected.keys() - self.reached):
            raise Failure(line, f"expected {self.expected[line]!r}, but the line was not reached")

    # What is there before anything is run: files, libraries.

    def prepare(self) -> None:
        Path("build").mkdir()
        Path("build/release").symlink_to(BUILD)
        Path("include").symlink_to(ROOT / "include")
        for block in self.blocks:
            if block.role == "file":
                Path(block.argument).parent.mkdir(parents=True, exist_ok=True)
                Path(block.argument).write_text(block.text)
            elif block.language == "cpp" and (block.role in ("plugin", "block", "body") or is_declarations(block)):
                self.add_cpp(block)
        for name, parts in self.sources.items():
            Path(f"{name}.cc").write_text("\n".join(parts))
            with self.at(self.blocks[0].line):
                _build.build(f"{name}.cc", f"lib{name}.so", flags=(*FLAGS, f"-include{self.precompiled}"))

    def add_cpp(self, block: Block) -> None:
        source = self.sources.setdefault(block.argument if block.role == "plugin" else "page", [])
        text = f'#line {block.line} "{self.path}"\n{block.text}'
        if block.role == "block":
            text = f'BYNAME_LIBRARY("{block.argument}", lib) {{\n{text}}}'
        elif block.role == "body":
            name = self.bodies[block.line] = f"body_{block.line}"
            checked = f'#line {block.line} "{self.path}"\n{self.with_checks(block)}'
            text = (
                f"static void {name}() {{\n{checked}}}\n"
                f'BYNAME_LIBRARY("docs", lib) {{ lib.def("{name}", {name}, byname::blocking); }}'
            )
        source.append(text)

    def with_checks(self, block: Block) -> str:
        lines = block.text.split("\n")
        for number, line in enumerate(lines):
            if match := CPP_EXPRESSION.match(line):
                following = lines[number + 1 :]
                self.expected[block.line + number] = joined(match[3], following, CPP_COMMENT)
                lines[number] = f"{match[1]}docs::expect({block.line + number}, [&] {{ return {match[2]}; }});"
        return "\n".join(lines)

    def expect_cpp(self, line: int, got: str) -> None:
        self.reached.add(line)
        check(line, self.expected[line], got)

    # The examples.

    def run_block(self, block: Block) -> None:
        if block.language == "text" and not block.role:
            if self.output is None:
                raise Failure(block.line, "nothing before this text prints anything")
            check(block.line, block.text, self.output)
            self.output = self.error = None
            return
        self.end_block(block.line)
        if block.role in ("none", "file"):
            return
        if block.role == "from":
            if block.text not in (ROOT / block.argument).read_text():
                raise Failure(block.line, f"'{block.argument}' has no such lines")
            return
        run = {
            ("cpp", ""): self.run_cpp,
            ("cpp", "plugin"): lambda block: None,
            ("cpp", "block"): self.load_page,
            ("cpp", "body"): self.run_body,
            ("c", ""): self.run_c_program,
            ("python", ""): self.run_python,
            ("json", ""): lambda block: json.loads(block.text),
            ("sh", ""): self.run_shell,
            ("sh", "named"): self.check_commands,
            ("console", ""): self.run_console,
        }.get((block.language, block.role))
        if run is None:
            raise Failure(block.line, f"nothing says what to do with this block of '{block.language}'")
        with self.at(block.line):
            run(block)

    def end_block(self, line: int) -> None:
        """What was raised must have been shown."""
        if self.error is not None:
            raise Failure(line, f"the example before raised {told(self.error)}") from self.error
        self.output = None

    @contextlib.contextmanager
    def at(self, line: int):
        try:
            yield
        except Failure:
            raise
        except Exception as error:
            raise Failure(line, told(error)) from error

    def load_page(self, block: Block) -> None:
        byname.load("./libpage.so")

    def run_body(self, block: Block) -> None:
        self.load_page(block)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            byname.get(f"docs.{self.bodies[block.line]}")()
        self.output = printed.getvalue()

    def run_cpp(self, block: Block) -> None:
        if is_declarations(block):
            self.load_page(block)
        else:
            self.run_program(block, "program.cc", [*_build.compiler_command(), "-std=c++20"])

    def run_c_program(self, block: Block) -> None:
        self.run_program(block, "program.c", ["cc", "-std=c11"])

    def run_program(self, block: Block, source: str, compiler: list[str]) -> None:
        Path(source).write_text(f'#line {block.line} "{self.path}"\n{block.text}')
        link = ["-Iinclude", "-o", "program", *_build.link_flags(), f"-Wl,-rpath,{_build.library_directory()}"]
        self.run_command([*compiler, "-Wall", "-Werror", source, *link])
        self.run_command(["./program"])

    def run_python(self, block: Block) -> None:
        tree = CheckedPython(block, self.expected).visit(ast.parse(block.text))
        ast.increment_lineno(tree, block.line - 1)
        self.variables["expect_python"] = self.expect_python
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(tree, str(self.path), "exec"), self.variables)
            self.output = printed.getvalue()
        except Failure:
            raise
        except Exception as error:
            self.error = error
            self.output = told(error)

    def expect_python(self, line: int, expression) -> None:
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                value = expression()
            got = printed.getvalue() or repr(value)
        except Exception as error:
            got = told(error)
        self.reached.add(line)
        check(line, self.expected[line], got)

    def run_shell(self, block: Block) -> None:
        script = f"touch .variables; source ./.variables\n{block.text}\nexport -p >.variables"
        self.run_command(["bash", "-euo", "pipefail", "-c", script])

    def run_console(self, block: Block) -> None:
        for match in re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE):
            line = block.line + block.text.count("\n", 0, match.start())
            done = subprocess.run(["bash", "-c", match[1]], capture_output=True, text=True, check=False)
            check(line, match[2], done.stdout + done.stderr)

    def run_command(self, command: list[str]) -> None:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"status {done.returncode}\n{done.stdout}{done.stderr}")
        self.output = done.stdout

    def check_commands(self, block: Block) -> None:
        for command in re.findall(r"^([\w./]+(?: \w+)?)", block.text, re.MULTILINE):
            first, _, second = command.partition(" ")
            if first == "./run":
                if not (ROOT / f"tools/run/{second}.sh").exists():
                    raise RuntimeError(f"'{command}' is no task")
            else:
                subprocess.run(["bash", "-c", f"command -v {first}"], check=True, stdout=subprocess.DEVNULL)


def is_declarations(block: Block) -> bool:
    return not block.role and "int main(" not in block.text


def joined(comment: str, following: list[str], whole_line: re.Pattern[str]) -> str:
    for line in following:
        if not (match := whole_line.match(line)):
            break
        comment += " " + match[1]
    return comment


class CheckedPython(ast.NodeTransformer):
    """Replaces each expression that has a comment behind it by a check of what it comes to."""

    def __init__(self, block: Block, expected: dict[int, str]):
        self.block = block
        self.lines = block.text.split("\n")
        self.expected = expected
        tokens = tokenize.generate_tokens(io.StringIO(block.text).readline)
        self.comments = {token.start[0]: token for token in tokens if token.type == tokenize.COMMENT}

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        comment = self.comments.get(node.end_lineno)
        if comment is None or node.end_col_offset > comment.start[1]:
            return node
        line = self.block.line + node.end_lineno - 1
        self.expected[line] = joined(comment.string.lstrip("# "), self.lines[node.end_lineno :], PYTHON_COMMENT)
        call = ast.parse(f"expect_python({line}, lambda: 0)").body[0]
        call.value.args[1].body = node.value
        for new in ast.walk(call):
            if new is not node.value:
                ast.copy_location(new, node)
        return ast.fix_missing_locations(call)


def main() -> int:
    page, precompiled = Path(sys.argv[1]), sys.argv[2]
    try:
        Page(page, precompiled).run()
    except Failure as failure:
        print(f"{page}:{failure.line}: {failure}", file=sys.stderr)
    except BadPage as error:
        print(f"{page}: {error}", file=sys.stderr)
    else:
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
