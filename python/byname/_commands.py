"""Commands that libraries register, as commands of the command line."""

import difflib
import re
import sys
import warnings

import click

import byname
from byname import _plugins
from byname._words import mismatch, to_value

_BETWEEN = ".command."


class Commands(click.Group):
    """The names `space.command.name` as commands `space.name`; what they take is made of their schemas."""

    def list_commands(self, context):
        with warnings.catch_warnings():
            if context.resilient_parsing:  # a shell completes
                warnings.simplefilter("ignore")
            _plugins.load_all()
        return [short_name(name) for name in byname.names() if _BETWEEN in name and "::" not in name]

    def get_command(self, context, command):
        found = [command]
        if "." not in command:
            found = [name for name in self.list_commands(context) if own_name(name) == command]
        if len(found) > 1:
            context.fail(f"'{command}' is a command of several namespaces: {', '.join(found)}")
        try:
            return _command_of(byname.get(full_name(found[0]))) if found else None
        except byname.NotFound:
            return None

    def resolve_command(self, context, args):
        name, *rest = args
        command = self.get_command(context, name)
        if command is None and not context.resilient_parsing:
            near = " or ".join(f"'{other}'" for other in self.near(context, name))
            context.fail(f"No such command '{name}'." + (f" Did you mean {near}?" if near else ""))
        return name if command else None, command, rest

    def near(self, context, command):
        """The commands that a mistyped name is nearest to: by their own names, if it has no namespace."""
        spelled = {name: name if "." in command else own_name(name) for name in self.list_commands(context)}
        nearest = difflib.get_close_matches(command, set(spelled.values()), 1)
        return [name for name, spelling in spelled.items() if spelling in nearest]

    def format_commands(self, context, formatter):
        super().format_commands(context, formatter)
        if not self.list_commands(context):
            formatter.write_paragraph()
            formatter.write_text("No library that is loaded registers a command (-m loads one).")


def short_name(name):
    space, _, rest = name.partition(_BETWEEN)
    return f"{space}.{rest}"


def own_name(name):
    return name.rpartition(".")[2]


def full_name(name):
    space, _, rest = name.rpartition(".")
    return name if _BETWEEN in name else f"{space}{_BETWEEN}{rest}"


# Stands before words that click would take for options. No word of a command line has one.
_NO_OPTION = "\0"


def unmarked(word):
    return word.removeprefix(_NO_OPTION)


class Command(click.Command):
    """Takes some words that begin with - for no options, wherever they stand: negative numbers."""

    no_option = r"-(\.?\d|inf$|nan$)"

    def parse_args(self, context, args):
        end = args.index("--") if "--" in args else len(args)
        marked = [_NO_OPTION + word if re.match(self.no_option, word) else word for word in args[:end]]
        try:
            return super().parse_args(context, marked + args[end:])
        except click.UsageError as error:
            error.message = error.message.replace(_NO_OPTION, "")
            raise


class _Word(click.ParamType):
    """A word that is a value of a schema's type."""

    def __init__(self, schema_type):
        self.name = schema_type

    def convert(self, value, parameter, context):
        value = to_value(unmarked(value), self.name)
        reason = mismatch(value, self.name)
        return self.fail(reason, parameter, context) if reason else value

    def shell_complete(self, context, parameter, incomplete):
        return [click.shell_completion.CompletionItem(incomplete, type="file")]


def _argument(described, is_rest):
    name, schema_type = described["name"], described["type"]
    word = _Word(schema_type.removesuffix("[]") if is_rest else schema_type)
    metavar = name.upper() + ("..." if is_rest else "")
    argument = click.Argument([name], nargs=-1 if is_rest else 1, required=not is_rest, type=word, metavar=metavar)
    argument.name = name  # click's is in lower case
    return argument


def _option(described, names):
    name, schema_type = described["name"], described["type"]
    option = "--" + name.strip("_").replace("_", "-")
    words = [f"[default: {described['default']!r}]"] if "default" in described else []
    is_required = "default" not in described
    if schema_type == "bool" and f"no_{name}" not in names:
        return click.Option([f"{option}/--no-{option[2:]}", name], required=is_required, help=" ".join(words))
    item = schema_type.removesuffix("?").removesuffix("[]")
    is_list = item != schema_type.removesuffix("?")
    if is_list:
        words.insert(0, "May be given again.")
    word = _Word(item if is_list else schema_type)
    return click.Option([option, name], type=word, multiple=is_list, required=is_required, help="  ".join(words))


def _parameters(described):
    """A parameter without a default is an argument, and the last one, if it is a list, the rest of them; others are
    options."""
    is_argument = [not (p["keyword_only"] or "default" in p) for p in described]
    names = {p["name"] for p in described}
    last = max((i for i, is_one in enumerate(is_argument) if is_one), default=None)
    return [
        _argument(p, i == last and p["type"].endswith("[]")) if is_argument[i] else _option(p, names)
        for i, p in enumerate(described)
    ]


def _command_of(function):
    described = function.describe()
    parameters = _parameters(described["parameters"])
    lists = {parameter.name for parameter in parameters if parameter.multiple or parameter.nargs == -1}

    @click.pass_context
    def run(context, **given):
        by_default = click.core.ParameterSource.DEFAULT
        values = {
            p.name: list(given[p.name]) if p.name in lists else given[p.name]
            for p in parameters
            if isinstance(p, click.Argument) or context.get_parameter_source(p.name) != by_default
        }
        status = function(**values)
        if not 0 <= status <= 255:  # the system keeps the lowest bits alone
            raise click.ClickException(f"{described['name']}(): expected an exit status of 0 to 255, got {status}")
        sys.exit(status)

    return Command(
        short_name(described["name"]),
        params=parameters,
        callback=run,
        help=described["doc"],
        short_help=described["doc"].split("\n")[0],
    )
