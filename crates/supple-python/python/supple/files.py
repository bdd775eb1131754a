"""What is read from files."""

from __future__ import annotations

import json
from os import PathLike, fspath
from typing import Any, Mapping

from . import _supple
from ._supple import Model
from .builder import _value
from .errors import ArgumentError


def _changes(values: Mapping[str, Any] | None) -> list[tuple[str, str | None]] | None:
    if values is None:
        return None
    return [(key, None if value is None else _value(value, key)) for key, value in values.items()]


def load(
    file: str | PathLike[str],
    *,
    side: str | PathLike[str] | None = None,
    lenient: bool = False,
    floating: bool = False,
    set: Mapping[str, Any] | None = None,
) -> Model:
    """Reads a model (TOML), the model of a scenario, a robot (URDF, MJCF) or standard input data (SID).

    `side` makes links of a robot flexible, `lenient` accepts defects of a robot that other programs ignore, `floating` frees its base. `set` replaces values
    of the file: `{"body.boom.beam.length": 2.5}`; `None` leaves a key out.

    >>> import supple
    >>> supple.load("examples/double-pendulum/pendulum.toml")
    Model('flexible double pendulum', bodies=2, speeds=10)
    """
    return _supple.load_model(fspath(file), side=None if side is None else fspath(side), lenient=lenient, floating=floating, changes=_changes(set))


def evaluate_case(case: Mapping[str, Any]) -> dict[str, Any]:
    """Answers of a reference case, a dictionary of schema supple-oracle-1: plain lists and floats, the JSON of `supple eval`.

    >>> import json, supple
    >>> case = json.load(open("references/cases/rigid_serial_4.json"))
    >>> sorted(supple.evaluate_case(case))[:3]
    ['C', 'C_parts', 'M']
    """
    try:
        text = json.dumps(case, allow_nan=False, default=_plain)
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"the case cannot be written as JSON: {error}; give finite numbers, texts, lists and dictionaries") from error
    answers: dict[str, Any] = json.loads(_supple.evaluate_case_text(text))
    return answers


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is no value of JSON")
