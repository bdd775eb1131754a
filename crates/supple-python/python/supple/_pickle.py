"""Models and states from what pickle keeps of them."""

from __future__ import annotations

from typing import Any, Callable

from ._supple import Model, State


def model(text: str, forces: list[tuple[str | None, list[str], Callable[..., Any]]]) -> Model:
    """A model from the text of its file and its force elements in Python."""
    made = Model.from_text(text)
    return made.with_python_forces(forces) if forces else made


def state(of: Model, time: float, coordinates: Any, speeds: Any, attitudes: Any, closed: list[bool]) -> State:
    """A state from its numbers."""
    made = of.state()
    made.time = time
    made.coordinates = coordinates
    made.speeds = speeds
    made.attitudes[:] = attitudes.reshape(-1, 4)
    made.closed = closed
    return made
