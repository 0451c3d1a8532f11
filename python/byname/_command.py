"""The command `byname`."""

import sys
from importlib import import_module
from pathlib import Path

try:
    import click
except ModuleNotFoundError as error:
    if error.name != "click":
        raise
    sys.exit("byname: the command needs the packages click and rich (pip install click rich)")

import byname

PACKAGE = Path(__file__).resolve().parent


class Group(click.Group):
    """Tells errors of byname in one line, with exit status 1. (Wrong usage is told by click, with 2.)"""

    def invoke(self, context):
        try:
            return super().invoke(context)
        except (byname.Error, OSError, LookupError, TypeError, ValueError, ArithmeticError) as error:
            raise click.ClickException(str(error)) from error


def complete_name(context, parameter, incomplete):
    load_all(context.params.get("module") or ())
    return [name for name in byname.names(incomplete) if "::" not in name]


def load_all(modules):
    return [byname.load(module) for module in modules]


modules_option = click.option(
    "--module", "-m", "module", multiple=True, metavar="PATH|NAME", help="A library to load first; may be given again."
)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(byname.__version__, prog_name="byname")
def main():
    """Lists, shows and calls what is registered under names in C++ and Python.

    Exit status: 0 done, 1 an error of byname or of what was called, 2 wrong usage.
    """


@main.command()
@click.option("--cmakedir", is_flag=True, help="The directory of the CMake package, for find_package(Byname).")
@click.option("--includes", is_flag=True, help="Compiler flags for the headers.")
@click.option("--libs", is_flag=True, help="Linker flags for the library.")
@click.option("--version", is_flag=True, help="The version.")
def config(cmakedir, includes, libs, version):
    """Say where headers, library and CMake package are, for building against this installation."""
    if not (PACKAGE / "include" / "byname").is_dir():
        raise click.ClickException(f"no headers in '{PACKAGE}': this is a build tree, not an installed wheel")
    answers = {
        "cmakedir": (cmakedir, PACKAGE / "lib" / "cmake" / "Byname"),
        "includes": (includes, f"-I{PACKAGE / 'include'}"),
        "libs": (libs, f"-L{PACKAGE / 'lib'} -l:libbyname.so.0"),
        "version": (version, byname.__version__),
    }
    wanted = [answer for is_wanted, answer in answers.values() if is_wanted]
    for answer in wanted:
        click.echo(answer)
    if not wanted:
        for name, (_, answer) in answers.items():
            click.echo(f"{name}: {answer}")


@main.command("list")
@click.argument("prefix", default="", shell_complete=complete_name)
@modules_option
@click.option("--json", "as_json", is_flag=True, help="As a JSON list of objects.")
def list_names(prefix, module, as_json):
    """List what is registered, with schemas and the first lines of documentation."""
    load_all(module)
    rows = [describe(name) for name in byname.names(prefix)]
    if as_json:
        click.echo(import_module("json").dumps(rows, indent=2))
        return
    table = import_module("rich.table").Table("name", "schema", "documentation", box=None, pad_edge=False)
    for row in rows:
        table.add_row(row["name"], row["schema"].removeprefix(row["name"]), row["doc"].split("\n")[0])
    console().print(table)


@main.command()
@click.argument("name", shell_complete=complete_name)
@modules_option
def show(name, module):
    """Show one function: schema, documentation, where it is registered."""
    load_all(module)
    described = describe(name)
    click.echo(described["schema"])
    if described["doc"]:
        click.echo("\n" + "\n".join(f"    {line}".rstrip() for line in described["doc"].splitlines()))
    click.echo(f"\n{described['file'] or 'an unknown place'}:{described['line']}, {described['module'] or 'no module'}")


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("name", shell_complete=complete_name)
@click.argument("arguments", nargs=-1)
@modules_option
def call(name, arguments, module):
    """Call a function and print what it returns.

    ARGUMENTS are values, then key=value pairs. A value is text where the function wants text, else as in Python: 3,
    -1.5, True, None, [1, 2], {"a": 1}; @FILE is a file's bytes, @FILE.npy an array.
    """
    load_all(module)
    function = byname.get(name)
    parameters = {p["name"]: p["type"] for p in function.describe()["parameters"]}
    types = list(parameters.values())
    positional, keywords = [], {}
    for argument in arguments:
        key, equals, text = argument.partition("=")
        if equals and key in parameters:
            keywords[key] = to_value(text, parameters[key])
        elif keywords:
            raise click.UsageError(f"value '{argument}' follows a key=value pair")
        else:
            position = len(positional)
            positional.append(to_value(argument, types[position] if position < len(types) else "Any"))
    result = function(*positional, **keywords)
    if isinstance(result, bytes):
        click.get_binary_stream("stdout").write(result)
    elif result is not None:
        click.echo(result if isinstance(result, str) else repr(result))


def to_value(text, wanted):
    """What a word of the command line stands for where a parameter of the type is."""
    if text.startswith("@"):
        if text.endswith(".npy"):
            return import_module("numpy").load(text[1:], allow_pickle=False)
        return Path(text[1:]).read_bytes()
    if wanted.removesuffix("?") == "str" and not (wanted.endswith("?") and text == "None"):
        return text
    try:
        return import_module("ast").literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def describe(name):
    known = byname.get(name).describe()
    return {key: known[key] for key in ("name", "schema", "doc", "module", "file", "line", "kind")}


def console():
    # Lines are cut by terminals alone: what reads a pipe wants them whole.
    width = None if sys.stdout.isatty() else 10_000
    return import_module("rich.console").Console(width=width, highlight=False, soft_wrap=not sys.stdout.isatty())


if __name__ == "__main__":
    main()
