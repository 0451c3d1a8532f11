"""The command `byname`."""

import json
import os
import sys
import warnings
from pathlib import Path

try:
    import click
except ModuleNotFoundError as error:
    if error.name != "click":
        raise
    sys.exit("byname: the command needs the packages click and rich (pip install click rich)")

import byname
from byname import _build, _commands, _plugins
from byname._words import to_value


class Group(click.Group):
    """Tells errors of byname in one line, with exit status 1. (Wrong usage is told by click, with 2.)"""

    def invoke(self, context):
        try:
            return super().invoke(context)
        except click.exceptions.Exit:  # a RuntimeError
            raise
        except (
            byname.Error,
            OSError,
            LookupError,
            RuntimeError,
            TypeError,
            ValueError,
            ArithmeticError,
            _build.CompileError,
        ) as error:
            raise click.ClickException(str(error)) from error


def complete_name(context, parameter, incomplete):
    load_all(context.params.get("module") or ())
    return [name for name in byname.names(incomplete) if "::" not in name]


def load_all(modules):
    for module in modules:
        byname.load(module)


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
def config(cmakedir, includes, libs):
    """Say where headers, library and CMake package are, for building against this installation."""
    answers = {
        "cmakedir": (cmakedir, lambda: str(_build.cmake_directory())),
        "includes": (includes, lambda: " ".join(_build.compile_flags())),
        "libs": (libs, lambda: " ".join(_build.link_flags())),
    }
    wanted = [answer for is_wanted, answer in answers.values() if is_wanted]
    for answer in wanted:
        click.echo(answer())
    if not wanted:
        for name, (_, answer) in answers.items():
            click.echo(f"{name}: {answer()}")


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("source", type=click.Path(exists=True, dir_okay=False))
@click.argument("flags", nargs=-1, type=click.UNPROCESSED)
@click.option("--output", "-o", type=click.Path(), help="The library; default: lib<name>.so beside where you are.")
def build(source, flags, output):
    """Compile a C++ file to a library. FLAGS go to the compiler ($CXX, else g++ or clang++)."""
    output = output or f"lib{Path(source).stem}.so"
    with console(stderr=True).status(f"compiling {source}"):
        _build.build(source, output, flags=flags)
    click.echo(output)


@main.command("list")
@click.argument("prefix", default="", shell_complete=complete_name)
@modules_option
@click.option("--json", "as_json", is_flag=True, help="As a JSON list of objects.")
def list_names(prefix, module, as_json):
    """List what is registered, with schemas and the first lines of documentation."""
    load_all(module)
    rows = [describe(name) for name in byname.names(prefix)]
    if as_json:
        click.echo(json.dumps(rows, indent=2))
        return
    from rich.table import Table

    table = Table("name", "schema", "documentation", box=None, pad_edge=False)
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


def load_for_commands(context, parameter, modules):
    load_all(modules)  # before the help, which lists their commands


@main.group(cls=_commands.Commands, invoke_without_command=True, subcommand_metavar="NAME [ARGS]...")
@click.option(
    "--module",
    "-m",
    multiple=True,
    metavar="PATH|NAME",
    help="A library to load first; may be given again.",
    is_eager=True,
    expose_value=False,
    callback=load_for_commands,
)
@click.pass_context
def command(context):
    """Run a command that a library registers; without NAME, list them. NAME --help tells what one takes.

    NAME is the namespace and the command's own name, which may stand alone if it is the only one of that name.
    Parameters without a default are arguments, the others options. Exit status: the command's.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@main.command()
@modules_option
def doctor(module):
    """Say what is here and what went wrong: versions, files, libraries, plugins. Status 1 if anything did."""
    problems = []
    for path in module:
        try:
            byname.load(path)
        except Exception as error:
            problems.append(f"module '{path}': {error}")
    for name in [name for name in _plugins.find() if not byname.names(name + ".")]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _plugins.load_for(name)
    problems += [f"plugin '{entry.name}' ({entry.value}): {error}" for entry, error in _plugins.failures.items()]

    click.echo(f"byname {byname.__version__}, Python {sys.version.split()[0]}, {sys.platform}")
    click.echo(f"package: {_build.PACKAGE}")
    click.echo(f"library: {_build.library_directory() / 'libbyname.so.0'}")
    try:
        click.echo(f"headers: {_build.include_directory()}")
        click.echo(f"compiler: {' '.join(_build.compiler_command())}")
    except FileNotFoundError as error:
        click.echo(f"not for building plugins: {error}")
    click.echo(f"BYNAME_PATH: {os.environ.get('BYNAME_PATH', 'not set')}")
    for one in byname.modules():
        state = f"{len(one.names())} names" if one.is_loaded else "unloaded, held by something"
        click.echo(f"module: {one.path}: {state}")
    for problem in problems:
        click.echo(f"failed: {problem}")
    sys.exit(1 if problems else 0)


def describe(name):
    known = byname.get(name).describe()
    return {key: known[key] for key in ("name", "schema", "doc", "module", "file", "line", "kind")}


def console(stderr=False):
    from rich.console import Console

    # Lines are cut by terminals alone: what reads a pipe wants them whole.
    is_terminal = (sys.stderr if stderr else sys.stdout).isatty()
    width = None if is_terminal else 10_000
    return Console(stderr=stderr, width=width, highlight=False, soft_wrap=not is_terminal)


if __name__ == "__main__":
    main()
