"""Signatures of functions for inspect and help()."""

import inspect

from byname import _types


def _parameter(described):
    kind = inspect.Parameter.KEYWORD_ONLY if described["keyword_only"] else inspect.Parameter.POSITIONAL_OR_KEYWORD
    default = described.get("default", inspect.Parameter.empty)
    return inspect.Parameter(
        described["name"], kind, default=default, annotation=_types.annotation_of(described["type"])
    )


def _result(schema):
    """The type of the result, from the schema's end."""
    text = schema.rpartition(" -> ")[2]
    return None if text in ("()", "None") else _types.annotation_of(text)


def signature(function):
    """inspect.Signature of a byname.Function; ValueError for one that has overloads."""
    described = function.describe()
    if described["overloads"]:
        raise ValueError(
            f"'{described['name']}' has overloads, so no one signature: {'; '.join(described['overloads'])}"
        )
    parameters = [_parameter(parameter) for parameter in described["parameters"]]
    if described["variadic"]:
        rest = inspect.Parameter("arguments", inspect.Parameter.VAR_POSITIONAL)
        positional = [p for p in parameters if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
        parameters = [*positional, rest, *parameters[len(positional) :]]
    result = inspect.Signature.empty if described["schema"].endswith("...") else _result(described["schema"])
    return inspect.Signature(parameters, return_annotation=result)


def text_signature(function):
    """The parameters without their types, as "(a, b=1)"; None where there is no one signature."""
    try:
        found = signature(function)
    except ValueError:
        return None
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in found.parameters.values()]
    return str(inspect.Signature(bare))
