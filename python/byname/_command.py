"""The command `byname`."""

import contextlib
import functools
import glob
import io
import json
import os
import shlex
import sys
import textwrap
import warnings
from pathlib import Path

try:
    import click
    from click.shell_completion import CompletionItem
except ModuleNotFoundError as error:
    if error.name != "click":
        raise
    sys.exit("byname: the command needs the packages click and rich (pip install click rich)")

import byname
from byname import _build, _commands, _plugins
from byname._words import to_value


class Output(io.FileIO):
    """What cannot be written to it ends the command: it is no error of what is called."""

    def write(self, data):
        try:
            return super().write(data)
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())  # for what buffers have left
            if not isinstance(error, BrokenPipeError):
                click.echo(f"Error: cannot write to stdout: {error.strerror}", err=True)
            sys.exit(1)


def output():
    """Stdout, to which names and paths go as the bytes that they are. Closed, it takes all and keeps nothing."""
    if sys.stdout is None:
        return open(os.devnull, "w")
    by_line = sys.stdout.line_buffering or sys.stdout.write_through
    buffer = io.BufferedWriter(Output(sys.stdout.fileno(), "w", closefd=False))
    return io.TextIOWrapper(buffer, sys.stdout.encoding, "surrogateescape", line_buffering=by_line)


class Group(click.Group):
    """Tells errors, with exit status 1. (Wrong usage is told by click, with 2.)"""

    def main(self, *arguments, **options):
        if sys.stderr is None:  # closed: click would tell errors on stdout
            sys.stderr = io.StringIO()
        if sys.stdout is sys.__stdout__:
            sys.stdout = output()
        try:
            return super().main(*arguments, **options)
        finally:
            sys.stdout.flush()

    def invoke(self, context):
        try:
            return super().invoke(context)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except _build.CompileError as error:  # the compiler's messages, as editors read them
            raise click.ClickException(str(error)) from error
        except Exception as error:  # what is called may raise any
            raise click.ClickException(one_entry(str(error)) or type(error).__name__) from error


def one_entry(text):
    """A text whose further lines are indented below its first, so that none is taken for another entry."""
    first, *rest = filter(str.strip, text.splitlines()) if text.strip() else [""]
    return "\n".join([first, *textwrap.indent(textwrap.dedent("\n".join(rest)), "  ").splitlines()])


def complete_name(context, parameter, incomplete):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for module in context.params.get("module") or ():
            with contextlib.suppress(Exception):  # the command itself will tell
                byname.load(module)
        _plugins.load_for(incomplete)
    spaces = {space + "." for space in _plugins.waiting() if (space + ".").startswith(incomplete)}
    return sorted(spaces) + [name for name in byname.names(incomplete) if "::" not in name]


def complete_module(context, parameter, incomplete):
    """Names on BYNAME_PATH; where there are none that fit, files."""
    found = set()
    for directory in filter(None, os.environ.get("BYNAME_PATH", "").split(":")):
        found.update(path.stem.removeprefix("lib") for path in Path(directory).glob("*.so"))
    names = sorted(name for name in found if name.startswith(incomplete))
    return names or [CompletionItem(incomplete, type="file")]


def complete_value(context, parameter, incomplete):
    """Files behind an @: the shell takes a word with one for no file."""
    if not incomplete.startswith("@"):
        return []
    paths = sorted(glob.glob(glob.escape(incomplete[1:]) + "*"))
    return [f"@{path}/" if os.path.isdir(path) else f"@{path}" for path in paths]


def load_all(modules):
    for module in modules:
        byname.load(module)


def get(name):
    try:
        return byname.get(name)
    except byname.NotFound:
        space = _plugins.near(name)
        if space is None:
            raise
        hint = f"did you mean '{space}', the namespace of a plugin?"
        raise byname.NotFound(f"nothing is registered under the name '{name}' ({hint})") from None


def show_warning(message, *_):
    click.echo(f"Warning: {one_entry(str(message))}", err=True)


modules_option = functools.partial(
    click.option,
    "--module",
    "-m",
    "module",
    multiple=True,
    metavar="PATH|NAME",
    help="A library to load first; may be given again.",
    shell_complete=complete_module,
)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(byname.__version__, prog_name="byname")
@click.pass_context
def main(context):
    """Lists, shows and calls what is registered under names in C++ and Python.

    Exit status: 0 done, 1 an error of byname or of what was called, 2 wrong usage.
    """
    context.with_resource(warnings.catch_warnings())
    warnings.showwarning = show_warning


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
            try:
                click.echo(f"{name}: {answer()}")
            except FileNotFoundError as error:  # which says why there is none
                click.echo(f"{name}: {error}")


class Build(_commands.Command):
    """Click would find an -o within -fno-rtti."""

    no_option = "-[^-oh]"


class WordPath(click.Path):
    def convert(self, value, parameter, context):
        return super().convert(_commands.unmarked(value), parameter, context)


@main.command(cls=Build, context_settings={"ignore_unknown_options": True})
@click.argument("source", type=WordPath(exists=True, dir_okay=False))
@click.argument("flags", nargs=-1, type=click.UNPROCESSED)
@click.option("--output", "-o", type=WordPath(), help="The library; default: lib<name>.so beside where you are.")
def build(source, flags, output):
    """Compile a C++ file to a library. FLAGS go to the compiler ($CXX, else g++ or clang++).

    What was compiled before from the same files is taken from a cache ($XDG_CACHE_HOME/byname, else ~/.cache/byname).
    """
    from rich.markup import escape

    flags = [_commands.unmarked(flag) for flag in flags]
    if output is None:
        output = f"lib{Path(source).stem}.so"
    progress = console(stderr=True)
    with _build.any_cache() as cache:
        compilation = _build.Compilation(source, flags, cache)
        library = compilation.found()
        if library is None:
            with progress.status(escape(f"compiling {source}")):
                library = compilation.run()
        elif progress.is_terminal:
            click.echo(f"{source} is up to date", err=True)
        _build.put(library, output)
    click.echo(output)


@main.command("list")
@click.argument("prefix", default="", shell_complete=complete_name)
@modules_option()
@click.option("--json", "as_json", is_flag=True, help="As a JSON list of objects.")
def list_names(prefix, module, as_json):
    """List what is registered, with schemas and the first lines of documentation.

    Installed plugins are loaded, all that may have names that begin with PREFIX.
    """
    load_all(module)
    _plugins.load_all(prefix)
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
@modules_option()
def show(name, module):
    """Show one function: schema, documentation, where it is registered."""
    load_all(module)
    described = describe(name)
    click.echo(described["schema"])
    if described["doc"]:
        click.echo("\n" + "\n".join(f"    {line}".rstrip() for line in described["doc"].splitlines()))
    if described["file"]:  # overloads have several
        click.echo(f"\n{described['file']}:{described['line']}, {described['module'] or 'no module'}")


class Call(click.Command):
    """Keeps how many words stand behind a --, of which click tells nothing."""

    def parse_args(self, context, args):
        context.meta["words behind --"] = len(args) - args.index("--") - 1 if "--" in args else 0
        return super().parse_args(context, args)


def types_of(function):
    """The schema's types of the parameters, by position and by name; Any where overloads do not agree."""
    described = function.describe()
    types = {}
    for one in [byname._native.describe(schema) for schema in described["overloads"]] or [described]:
        for i, parameter in enumerate(one["parameters"]):
            for key in (parameter["name"],) if parameter["keyword_only"] else (i, parameter["name"]):
                if types.setdefault(key, parameter["type"]) != parameter["type"]:
                    types[key] = "Any"
    return types


@main.command(cls=Call, context_settings={"ignore_unknown_options": True})
@click.argument("name", shell_complete=complete_name)
@click.argument("arguments", nargs=-1, shell_complete=complete_value)
@modules_option()
@click.pass_context
def call(context, name, arguments, module):
    """Call a function and print what it returns.

    ARGUMENTS are values, then key=value pairs. A value is text where the function wants text, else as in Python: 3,
    -1.5, True, None, [1, 2], {"a": 1}; @FILE is a file's bytes, its text where the function wants text, @FILE.npy an
    array. All words behind -- are values, a text of the form key=value, too.
    """
    load_all(module)
    function = get(name)
    types = types_of(function)
    positional, keywords = [], {}
    first_value = len(arguments) - context.meta["words behind --"]
    for i, argument in enumerate(arguments):
        key, equals, text = argument.partition("=")
        if equals and key.isidentifier() and i < first_value:
            if key in keywords:
                raise click.UsageError(f"key '{key}' is given twice")
            keywords[key] = to_value(text, types.get(key, "Any"))
        elif keywords and i < first_value:
            raise click.UsageError(f"value '{argument}' follows a key=value pair")
        else:
            positional.append(to_value(argument, types.get(len(positional), "Any")))
    result = function(*positional, **keywords)
    if isinstance(result, bytes):
        click.echo(result, nl=False)
    elif result is not None:
        click.echo(result if isinstance(result, str) else repr(result))


def load_for_commands(context, parameter, modules):
    load_all(modules)  # before the help, which lists their commands


@main.group(cls=_commands.Commands, invoke_without_command=True, subcommand_metavar="[NAME [ARGS]...]")
@modules_option(is_eager=True, expose_value=False, callback=load_for_commands)
@click.pass_context
def command(context):
    """Run a command that a library registers; without NAME, list them. NAME --help tells what one takes.

    NAME is the namespace and the command's own name, which may stand alone if it is the only one of that name.
    Parameters without a default are arguments, the others options. Exit status: the command's.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@main.command()
@modules_option()
@click.option("--json", "as_json", is_flag=True, help="As a JSON object.")
def doctor(module, as_json):
    """Say what is here and what went wrong: versions, files, libraries and what holds them, plugins.

    Status 1 if anything went wrong.
    """
    report = examine(module)
    if as_json:
        click.echo(json.dumps(report, indent=2))
    else:
        tell(report)
    sys.exit(1 if report["failed"] else 0)


def examine(modules):
    """What the doctor finds, for JSON."""
    problems = []
    with warnings.catch_warnings(record=True) as caught:
        # The failures below.
        warnings.filterwarnings("ignore", "(plugin|reading the entry points of) '", RuntimeWarning)
        warnings.filterwarnings("always", "registering '", RuntimeWarning)
        for path in modules:
            try:
                byname.load(path)
            except Exception as error:
                problems.append(f"module '{path}': {error}")
        _plugins.load_all()
        byname.names()  # registers what came with something else
    problems += [f"{what}: {error}" for what, error in _plugins.failures.items()]
    for warning in caught:
        text = str(warning.message)
        if text.startswith("registering '"):
            problems.append(text.replace("' failed: ", "': ", 1))
        else:
            show_warning(text)

    report = {
        "byname": byname.__version__,
        "interface": _build.interface_version(),
        "python": sys.version.split()[0],
        "platform": sys.platform,
        "package": str(_build.PACKAGE),
        "library": str(_build.library_directory() / "libbyname.so.0"),
    }
    try:
        report["headers"] = str(_build.include_directory())
        command, version = _build.compiler()
        report["compiler"] = shlex.join(command)
        report["compiler version"] = version.split("\n")[0]
    except OSError as error:
        report["not for building plugins"] = str(error)
    report["BYNAME_PATH"] = os.environ.get("BYNAME_PATH")
    report["modules"] = [
        {"path": one.path, "is_loaded": one.is_loaded, "names": len(one.names()), "holders": one.holders()}
        for one in byname.modules()
    ]
    report["plugins"] = [
        {
            "namespace": entry.name,
            "entry point": entry.value,
            "distribution": entry.dist.name,
            "version": entry.dist.version,
        }
        for entries in _plugins.find().values()
        for entry in entries
    ]
    report["failed"] = problems
    return report


def tell(report):
    click.echo("byname {byname} (interface {interface}), Python {python}, {platform}".format(**report))
    for key in ("package", "library", "headers", "compiler", "compiler version", "not for building plugins"):
        if key in report:
            click.echo(f"{key}: {report[key]}")
    click.echo(f"BYNAME_PATH: {report['BYNAME_PATH'] or 'not set'}")
    for module in report["modules"]:
        state = f"{module['names']} names" if module["is_loaded"] else "unloaded"
        click.echo(f"module: {module['path']}: {state}")
        for holder in module["holders"]:
            click.echo(f"  held by {holder}")
    for plugin in report["plugins"]:
        click.echo("plugin: {namespace} ({entry point}) of {distribution} {version}".format(**plugin))
    for problem in report["failed"]:
        click.echo(f"failed: {one_entry(problem)}")


def describe(name):
    known = get(name).describe()
    return {key: known[key] for key in ("name", "schema", "doc", "module", "file", "line", "kind")}


def console(stderr=False):
    from rich.console import Console

    # Lines are cut by terminals alone: what reads a pipe wants them whole.
    is_terminal = (sys.stderr if stderr else sys.stdout).isatty()
    width = None if is_terminal else 10_000
    return Console(stderr=stderr, width=width, highlight=False, soft_wrap=not is_terminal)


if __name__ == "__main__":
    main(prog_name="byname")
