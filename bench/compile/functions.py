"""The functions that compile.seconds and compile.bytes are measured with: ten signatures, a constant in each.

Every generator writes the same functions with the same parameter names and documentation, so that the sides differ only
in how they are registered.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Function:
    index: int
    result: str  # "int", "float", "bool" or "none"
    parameters: tuple[tuple[str, str], ...]  # (kind, name); kinds: int, int32, float, float32, bool, str
    body: str  # a C++ and C expression; a str parameter `s` is written s.size() in C++ and s.size in C

    @property
    def name(self) -> str:
        return f"f{self.index}"

    @property
    def documentation(self) -> str:
        return f"Compute value number {self.index}."


SHAPES: tuple[tuple[str, tuple[tuple[str, str], ...], str], ...] = (
    ("int", (("int", "a"), ("int", "b")), "a + b + {k}"),
    ("float", (("float", "a"), ("float", "b")), "a * b + {k}"),
    ("int", (("str", "s"), ("int", "n")), "static_cast<int64_t>(s.size()) + n + {k}"),
    ("int", (("bool", "flag"), ("int", "n")), "flag ? n : {k}"),
    ("float", (("int32", "a"), ("float", "b")), "a + b + {k}"),
    ("bool", (("str", "s"),), "s.size() > {k}"),
    ("none", (("int", "n"),), "sink = n + {k}"),
    ("int", (), "{k}"),
    ("float", (("float32", "a"), ("float32", "b"), ("float32", "c")), "a * b + c + {k}"),
    ("int", (("int", "a"), ("int", "b"), ("int", "c"), ("int", "d")), "a + b * c + d + {k}"),
)

CXX_TYPES = {
    "int": "int64_t",
    "int32": "int32_t",
    "float": "double",
    "float32": "float",
    "bool": "bool",
    "str": "std::string_view",
}
CXX_RESULTS = {"int": "int64_t", "float": "double", "bool": "bool", "none": "void"}


def functions(count: int) -> list[Function]:
    made = []
    for index in range(count):
        result, parameters, body = SHAPES[index % len(SHAPES)]
        made.append(Function(index, result, parameters, body.format(k=index)))
    return made


def cxx_lambda(function: Function, text_type: str = "std::string_view") -> str:
    types = CXX_TYPES | {"str": text_type}
    parameters = ", ".join(f"{types[kind]} {name}" for kind, name in function.parameters)
    keyword = "" if function.result == "none" else "return "
    return f"[]({parameters}) -> {CXX_RESULTS[function.result]} {{ {keyword}{function.body}; }}"
