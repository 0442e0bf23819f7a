"""Tables of results: NumPy arrays by column."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._border import call, describe, file_name, from_go, native, to_go
from .errors import Error

if TYPE_CHECKING:
    import pandas

_TYPES = {"int32": "i4", "int64": "i8", "uint64": "u8", "double": "f8", "boolean": "?", "string": "i4"}


@dataclass(frozen=True)
class Column:
    """What is known of a column."""

    name: str
    type: str  # int32, int64, uint64, double, boolean or string
    unit: str  # "" for none
    doc: str


class Table:
    """A table of results.

    ``table["fct_ns"]`` is a read-only NumPy array; ``table.to_pandas()`` a DataFrame of all
    columns, ``table.units`` the unit of each. Arrays are copied from Go in one piece when they are
    first used, and kept.
    """

    def __init__(self, handle: Any):
        self._handle = handle
        self._rows = int(handle.Rows())
        self.columns: dict[str, Column] = {}
        self._labels: dict[str, list[str]] = {}
        self._raw: dict[str, np.ndarray] = {}
        self._texts: dict[str, np.ndarray] = {}
        for c in describe(handle.Describe):
            self.columns[c["Name"]] = Column(c["Name"], c["Type"], c["Unit"], c["Doc"])
            if c["Type"] == "string":
                self._labels[c["Name"]] = c["Labels"] or []

    def __len__(self) -> int:
        return self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def keys(self) -> list[str]:
        """The names of the columns."""
        return list(self.columns)

    def __getitem__(self, name: str) -> np.ndarray:
        raw = self.raw(name)
        if name not in self._labels:
            return raw
        if name not in self._texts:
            # An extra label keeps an empty list of them a valid target.
            self._texts[name] = np.array([*self._labels[name], ""], dtype=object)[raw]
            self._texts[name].flags.writeable = False
        return self._texts[name]

    def raw(self, name: str) -> np.ndarray:
        """The column as it came: of text, numbers into ``labels(name)``."""
        if not isinstance(name, str) or name not in self.columns:
            raise KeyError(f"no column {name!r}: there are {', '.join(self.columns)}")
        if name not in self._raw:
            data = from_go(self._handle.Column, name)
            self._raw[name] = np.frombuffer(data, dtype=_TYPES[self.columns[name].type])
        return self._raw[name]

    def labels(self, name: str) -> list[str]:
        """The texts of a column of text, each once."""
        if name not in self._labels:
            raise KeyError(f"no column of text {name!r}: there are {', '.join(self._labels)}")
        return list(self._labels[name])

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        raise Error("columns differ in type: take a column of the table, or to_pandas()")

    @property
    def units(self) -> dict[str, str]:
        """The unit of every column, "" for none."""
        return {c.name: c.unit for c in self.columns.values()}

    def to_pandas(self, categories: bool = False) -> pandas.DataFrame:
        """All columns as a DataFrame, whose ``attrs["units"]`` are the units.

        With categories, columns of text are categorical, which takes less memory.
        """
        import pandas as pd

        def values(name: str) -> Any:
            if name not in self._labels:
                return self[name]
            if categories:
                return pd.Categorical.from_codes(self.raw(name), categories=pd.Index(self._labels[name], dtype=str))
            return pd.Series(self[name], dtype=str)  # without rows, too

        frame = pd.DataFrame({name: values(name) for name in self.columns})
        frame.attrs["units"] = self.units
        return frame

    def __repr__(self) -> str:
        return f"<qbb.Table of {self._rows} rows: {', '.join(self.columns)}>"

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__ | {"_handle": None, "_texts": {}}
        state["_raw"] = {name: self.raw(name) for name in self.columns}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for values in self._raw.values():
            values.flags.writeable = False


def load_table(kind: str, path: str | Path) -> Table:
    """Reads a table of an earlier run: of kind fct, queue_cdf, pfc, ports, series, schedule, dcms or
    dcms_counters; fct may be fct.txt."""
    return Table(call(native.LoadTable, kind, file_name(path, "path")))


def in_go(table: Table, kind: str) -> Any:
    """The table as a Go object, made again if the table comes from another process."""
    if table._handle is None:
        handle = call(native.NewTable, kind)
        for name in table.columns:
            labels = json.dumps(table._labels.get(name, []), ensure_ascii=False)
            call(handle.Fill, name, to_go(table.raw(name).tobytes()), labels)
        table._handle = handle
    return table._handle


def rows_to_csv(rows: Any, known: list[str]) -> str:
    """Writes flows as CSV for Go to read: a DataFrame, a Table, a structured array, a dict of columns, or a list of
    dicts."""
    columns = _columns(rows)
    unknown = [name for name in columns if name not in known]
    if unknown:
        raise Error(f"no column {unknown[0]!r} in flows: there are {', '.join(known)}")
    lines = map(",".join, zip(*(map(_cell, values) for values in columns.values())))
    return "\n".join([",".join(columns), *lines]) + "\n"


def _columns(rows: Any) -> dict[str, Any]:
    if hasattr(rows, "to_pydict"):  # of PyArrow, whose columns have no names
        rows = rows.to_pydict()
    if isinstance(rows, np.ndarray) and rows.dtype.names:
        return {name: rows[name] for name in rows.dtype.names}
    if hasattr(rows, "columns") and hasattr(rows, "__getitem__"):
        return {str(name): rows[name] for name in rows.columns}
    if not isinstance(rows, dict):
        rows = list(rows) if isinstance(rows, Iterable) else [rows]
        if not all(isinstance(row, Mapping) for row in rows):
            raise Error("flows are a DataFrame, a Table, a structured array, a dict of columns, or a list of dicts")
        names = list(dict.fromkeys(name for row in rows for name in row))
        return {name: [row.get(name, "") for row in rows] for name in names}
    for name, values in rows.items():
        if isinstance(values, str) or not isinstance(values, Iterable) or getattr(values, "ndim", 1) == 0:
            raise Error(f"the column {name} of flows is {values!r}: a dict of columns has lists or arrays")
    return rows


def _cell(value: Any) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        if "\n" in value or "\r" in value:
            raise Error(f"{value!r}: a text in flows is one line")
        return '"' + value.replace('"', '""') + '"' if value else ""
    if isinstance(value, (list, tuple, np.ndarray)):
        return " ".join(map(_cell, value))
    if isinstance(value, float):
        return "" if value != value else np.format_float_positional(value, trim="-")
    return "" if value is None or type(value).__name__ == "NAType" else str(value)  # pandas.NA
