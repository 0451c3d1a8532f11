"""The same functions as a user of each library writes them: Byname and its peers."""

from __future__ import annotations

from .functions import Function, cxx_lambda


def keywords(function: Function) -> str:
    return ", ".join(f'"{name}"_a' for _, name in function.parameters)


def byname(functions: list[Function]) -> str:
    lines = []
    for function in functions:
        arguments = f"{{{keywords(function)}}}, " if function.parameters else ""
        lines.append(f'  lib.def("{function.name}", {cxx_lambda(function)}, {arguments}"{function.documentation}");\n')
    return (
        "#include <byname/byname.h>\n\n#include <string_view>\n\nusing namespace byname::literals;\n\n"
        'static volatile int64_t sink;\n\nBYNAME_LIBRARY("bench", lib) {\n' + "".join(lines) + "}\n"
    )


def nanobind(functions: list[Function]) -> str:
    lines = []
    for function in functions:
        arguments = f"{keywords(function)}, " if function.parameters else ""
        lines.append(f'  m.def("{function.name}", {cxx_lambda(function)}, {arguments}"{function.documentation}");\n')
    return (
        "#include <nanobind/nanobind.h>\n#include <nanobind/stl/string_view.h>\n\n"
        "using namespace nanobind::literals;\n\n"
        "static volatile int64_t sink;\n\nNB_MODULE(bench, m) {\n" + "".join(lines) + "}\n"
    )


def tvm_ffi(functions: list[Function]) -> str:
    lines = []
    for function in functions:
        body = cxx_lambda(function, "const tvm::ffi::String&")
        lines.append(f'      .def("bench.{function.name}", {body}, "{function.documentation}")\n')
    return (
        "#include <tvm/ffi/function.h>\n#include <tvm/ffi/reflection/registry.h>\n\n"
        "static volatile int64_t sink;\n\nTVM_FFI_STATIC_INIT_BLOCK() {\n  tvm::ffi::reflection::GlobalDef()\n"
        + "".join(lines).rstrip()
        + ";\n}\n"
    )
