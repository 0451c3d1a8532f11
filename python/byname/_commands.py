"""Commands that libraries register, as commands of the command line."""

import sys

import click

import byname
from byname._words import to_value

_BETWEEN = ".command."


class Commands(click.Group):
    """The names `space.command.name` as commands `space.name`; what they take is made of their schemas."""

    def list_commands(self, context):
        return [short_name(name) for name in byname.names() if _BETWEEN in name and "::" not in name]

    def get_command(self, context, command):
        space, dot, name = command.rpartition(".")
        if _BETWEEN not in command:
            found = [one for one in self.list_commands(context) if one == command or one.rpartition(".")[2] == command]
            if len(found) > 1:
                context.fail(f"'{command}' is a command of several namespaces: {', '.join(found)}")
            if found:
                space, dot, name = found[0].rpartition(".")
            command = f"{space}{_BETWEEN}{name}" if dot or found else command
        try:
            return _command_of(byname.get(command))
        except byname.NotFound:
            return None

    def format_commands(self, context, formatter):
        super().format_commands(context, formatter)
        if not self.list_commands(context):
            formatter.write_paragraph()
            formatter.write_text("No library that is loaded registers a command (-m loads one).")


def short_name(name):
    space, _, rest = name.partition(_BETWEEN)
    return f"{space}.{rest}"


class _Word(click.ParamType):
    """A word that is a value of a schema's type."""

    def __init__(self, schema_type):
        self.name = schema_type

    def convert(self, value, parameter, context):
        return to_value(value, self.name) if isinstance(value, str) else value

    def shell_complete(self, context, parameter, incomplete):
        return [click.shell_completion.CompletionItem(incomplete, type="file")]


def _parameter_of(described):
    """A parameter without a default is an argument, and if it is a list, the rest of them; others are options."""
    name, schema_type = described["name"], described["type"]
    option = "--" + name.replace("_", "-")
    if "default" not in described and not described["keyword_only"]:
        if schema_type.endswith("[]"):
            return click.Argument([name], nargs=-1, type=_Word(schema_type[:-2]))
        return click.Argument([name], type=_Word(schema_type))
    if schema_type == "bool":
        return click.Option([f"{option}/--no-{option[2:]}", name], default=None, help=_shown(described))
    return click.Option(
        [option, name], type=_Word(schema_type), required="default" not in described, help=_shown(described)
    )


def _shown(described):
    return f"[default: {described['default']!r}]" if "default" in described else "[required]"


def _command_of(function):
    described = function.describe()

    def run(**given):
        lists = {p["name"] for p in described["parameters"] if p["type"].endswith("[]")}
        values = {
            name: list(value) if name in lists and isinstance(value, tuple) else value
            for name, value in given.items()
            if value is not None
        }
        sys.exit(function(**values))

    return click.Command(
        short_name(described["name"]),
        params=[_parameter_of(parameter) for parameter in described["parameters"]],
        callback=run,
        help=described["doc"],
        short_help=described["doc"].split("\n")[0],
    )
