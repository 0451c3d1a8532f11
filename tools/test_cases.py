"""Test cases as the runners report them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree


@dataclass
class Case:
    name: str
    status: str  # passed, failed or skipped
    detail: str = ""


def count(cases: list[Case]) -> str:
    passed, failed, skipped = (
        sum(case.status == status for case in cases) for status in ("passed", "failed", "skipped")
    )
    return f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else "")


def cases_of_junit(report: Path, prefix: str) -> list[Case]:
    """The cases of a JUnit file of GoogleTest, CTest or pytest, named prefix/class.name (CTest: by the name alone)."""
    return [case_of_element(element, prefix) for element in ElementTree.parse(report).iter("testcase")]


def case_of_element(element: ElementTree.Element, prefix: str) -> Case:
    name = element.get("name", "")
    if prefix:
        name = f"{prefix}/{element.get('classname')}.{name}"
    faults = [*element.findall("failure"), *element.findall("error")]
    if faults:
        texts = [fault.text or fault.get("message", "") for fault in faults]
        texts += [output.text or "" for output in element.findall("system-out")]
        return Case(name, "failed", "\n".join(texts))
    skipped = element.find("skipped")
    message = skipped.get("message", "") if skipped is not None else "disabled"
    if message.startswith("Unable to find"):  # so CTest speaks of a program that was not built
        return Case(name, "failed", message)
    if skipped is not None or element.get("status") in ("notrun", "disabled"):
        return Case(name, "skipped", message)
    return Case(name, "passed")


def cases_of_broken_gtest(name: str, listing: str, output: str, end: str) -> Iterator[Case]:
    """The cases of an executable that died before it wrote its report, from what it printed until then."""
    ended = re.findall(r"^\[ +(OK|FAILED|SKIPPED) +\] (\S+)", output, re.MULTILINE)
    verdicts = {case: verdict for verdict, case in ended}
    started = re.findall(r"^\[ RUN +\] (\S+)", output, re.MULTILINE)
    listed = list(listed_cases(listing))
    for case in listed:
        if case in verdicts:
            status = {"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}[verdicts[case]]
            yield Case(f"{name}/{case}", status, output_of_case(output, case))
        elif case in started:
            yield Case(f"{name}/{case}", "failed", f"{name} {end}\n{output_of_case(output, case)}")
        else:
            yield Case(f"{name}/{case}", "failed", f"not run: {name} {end} before")
    if not listed or not (set(listed) - set(verdicts)):
        yield Case(f"{name}/exit", "failed", f"{name} {end}\n{output[-5000:]}")


def listed_cases(listing: str) -> Iterator[str]:
    suite = ""
    for line in listing.splitlines():
        text = line.split("#")[0].rstrip()
        if text.startswith("  "):
            yield suite + text.strip()
        elif text.endswith("."):
            suite = text


def output_of_case(output: str, case: str) -> str:
    start = re.search(rf"^\[ RUN +\] {re.escape(case)}$", output, re.MULTILINE)
    return output[start.start() :][:5000] if start else ""
