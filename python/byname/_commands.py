"""Commands that libraries register, as commands of the command line."""

import sys
import warnings

import click

import byname
from byname import _plugins
from byname._words import to_value

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
            found = [name for name in self.list_commands(context) if name.rpartition(".")[2] == command]
        if len(found) > 1:
            context.fail(f"'{command}' is a command of several namespaces: {', '.join(found)}")
        try:
            return _command_of(byname.get(full_name(found[0]))) if found else None
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


def full_name(name):
    space, _, rest = name.rpartition(".")
    return name if _BETWEEN in name else f"{space}{_BETWEEN}{rest}"


class _Word(click.ParamType):
    """A word that is a value of a schema's type."""

    def __init__(self, schema_type):
        self.name = schema_type

    def convert(self, value, parameter, context):
        return to_value(value, self.name) if isinstance(value, str) else value

    def shell_complete(self, context, parameter, incomplete):
        return [click.shell_completion.CompletionItem(incomplete, type="file")]


def _parameter_of(described, is_rest, names):
    """A parameter without a default is an argument, and the last one, if it is a list, the rest of them; others are
    options."""
    name, schema_type = described["name"], described["type"]
    option = "--" + name.strip("_").replace("_", "-")
    if "default" not in described and not described["keyword_only"]:
        word = _Word(schema_type[:-2] if is_rest else schema_type)
        argument = click.Argument([name], nargs=-1 if is_rest else 1, type=word, metavar=name.upper())
        argument.name = name  # click's is in lower case
        return argument
    shown = f"[default: {described['default']!r}]" if "default" in described else "[required]"
    if schema_type == "bool" and f"no_{name}" not in names:
        return click.Option([f"{option}/--no-{option[2:]}", name], default=None, help=shown)
    return click.Option([option, name], type=_Word(schema_type), required="default" not in described, help=shown)


def _command_of(function):
    described = function.describe()
    parameters = described["parameters"]
    arguments = [p["name"] for p in parameters if "default" not in p and not p["keyword_only"]]
    rest = next((p["name"] for p in parameters if p["name"] in arguments[-1:] and p["type"].endswith("[]")), None)

    @click.pass_context
    def run(context, **given):
        by_default = click.core.ParameterSource.DEFAULT
        values = {name: value for name, value in given.items() if context.get_parameter_source(name) != by_default}
        if rest:
            values[rest] = list(given[rest])
        status = function(**values)
        if not 0 <= status <= 255:  # the system keeps the lowest bits alone
            raise click.ClickException(f"{described['name']}(): expected an exit status of 0 to 255, got {status}")
        sys.exit(status)

    return click.Command(
        short_name(described["name"]),
        params=[_parameter_of(p, p["name"] == rest, {p["name"] for p in parameters}) for p in parameters],
        callback=run,
        help=described["doc"],
        short_help=described["doc"].split("\n")[0],
    )
