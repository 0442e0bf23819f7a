"""The border to Go: everything is bound, and nothing that goes wrong there ends the interpreter."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import TREE

import qbb
from qbb._border import call, from_go, native, to_go

EXPORTED = re.compile(r"^func (?:\(\w+ \*?(\w+)\) )?([A-Z]\w*)\(", re.MULTILINE)


def exported() -> list[tuple[str, str]]:
    """Receiver and name of every function that the Go package exports."""
    files = sorted((TREE / "bindings" / "native").glob("*.go"))
    found = [f for file in files if not file.name.endswith("_test.go") for f in EXPORTED.findall(file.read_text())]
    # Methods of types that are not exported are Go's own business.
    return [(receiver, name) for receiver, name in found if not receiver or receiver[0].isupper()]


def test_every_function_is_bound():
    names = exported()
    assert len(names) > 40
    missing = [f"{r}.{n}" for r, n in names if not hasattr(getattr(native, r) if r else native, n)]
    assert not missing, "gopy has left these out: is there more than a value and an error?"


def test_every_name_of_the_package_is_there():
    assert [n for n in qbb.__all__ if not hasattr(qbb, n)] == []
    with pytest.raises(AttributeError, match="nonsense"):
        qbb.nonsense


def test_charts_without_matplotlib(tmp_path):
    program = """
import sys

class Hidden:
    def find_spec(self, name, *_):
        if name == "matplotlib":
            raise ModuleNotFoundError(name=name)

sys.meta_path.insert(0, Hidden())
import qbb
try:
    qbb.plot.slowdown
except qbb.Error as e:
    print(e)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "charts need matplotlib: install qbb with its extra plot or all, or pip install matplotlib\n", done.stderr


def test_all_names_do_without_matplotlib(tmp_path):
    program = "import sys; sys.modules['matplotlib'] = None; from qbb import *; Scenario"
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)  # not in the package's source


def test_bytes_go_there_and_back():
    table = call(native.NewTable, "pfc")
    values = np.arange(5, dtype="f8")
    call(table.Fill, "time_ns", to_go(values.tobytes()), "[]")
    assert from_go(table.Column, "time_ns") == values.tobytes()
    assert from_go(table.Column, "node") == b""
    with pytest.raises(qbb.Error, match='table pfc has no column "x"'):
        call(table.Column, "x")


def test_columns_of_different_length_are_an_error():
    table = call(native.NewTable, "fct")
    call(table.Fill, "src", to_go(b"\0" * 8), "[]")
    with pytest.raises(qbb.Error, match="has 0 values, the table 2 rows"):
        call(native.Slowdowns, table)


def test_codes_without_a_label_are_an_error():
    table = call(native.NewTable, "pfc")
    with pytest.raises(qbb.Error, match="column event: 1 is no label"):
        call(table.Fill, "event", to_go(np.array([0, 1], dtype="i4").tobytes()), '["pause"]')


def test_a_panic_is_an_error():
    """In a process of its own: pytest's faulthandler takes the signal from which Go makes a panic."""
    script = """
import qbb
from qbb._border import call, native
for function in (native.Simulation().Progress, native.Simulation().Finish, native.Sizes().Mean, native.Topology().Text):
    try:
        call(function)  # of an object without what it holds
    except qbb.InternalError as e:
        print("invalid memory address" in str(e) and "goroutine" in str(e))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, cwd=TREE)
    assert (done.stdout, done.returncode) == ("True\n" * 4, 0), done.stderr


def test_floating_point_is_left_alone():
    """A library that is linked with -ffast-math would flush small numbers to zero."""
    assert np.float64(sys.float_info.min) / 2 > 0
    assert np.finfo(float).smallest_subnormal > 0
