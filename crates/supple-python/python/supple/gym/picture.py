"""Pictures of arms in their plane, drawn with NumPy alone."""

from __future__ import annotations

from typing import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Colour = tuple[float, float, float]

WHITE, GREY, BLUE, GREEN, RED, BLACK = (1.0, 1.0, 1.0), (0.78, 0.78, 0.78), (0.12, 0.35, 0.65), (0.2, 0.6, 0.3), (0.8, 0.25, 0.15), (0.15, 0.15, 0.15)


class Picture:
    """A square of `size` pixels that shows `extent` metres about the origin; x to the right, y up."""

    def __init__(self, size: int, extent: float) -> None:
        self._pixels = np.ones((size, size, 3))
        self._scale = 0.5 * size / extent
        self._centre = 0.5 * (size - 1)

    def _place(self, points: Array) -> Array:
        return self._centre + self._scale * np.asarray(points, dtype=float) * [1.0, -1.0]

    def _blend(self, coverage: Array, corner: tuple[int, int], colour: Colour) -> None:
        height, width = coverage.shape
        part = self._pixels[corner[1] : corner[1] + height, corner[0] : corner[0] + width]
        part += coverage[..., None] * (np.asarray(colour) - part)

    def line(self, points: Array, colour: Colour, width: float) -> None:
        """A line through points (n x 2, m), `width` pixels wide."""
        at, half = self._place(points), 0.5 * width
        low, high = at.min(axis=0) - half - 1, at.max(axis=0) + half + 2
        if not np.isfinite(at).all():
            return
        size = len(self._pixels)
        (x0, y0), (x1, y1) = np.clip(low, 0, size).astype(int), np.clip(high, 0, size).astype(int)
        if x1 <= x0 or y1 <= y0:
            return
        y, x = np.mgrid[y0:y1, x0:x1]
        distance = np.full(x.shape, np.inf)
        for (ax, ay), (bx, by) in zip(at[:-1], at[1:]):
            dx, dy = bx - ax, by - ay
            along = np.clip(((x - ax) * dx + (y - ay) * dy) / max(dx * dx + dy * dy, 1e-12), 0.0, 1.0)
            distance = np.minimum(distance, np.hypot(x - ax - along * dx, y - ay - along * dy))
        self._blend(np.clip(half + 0.5 - distance, 0.0, 1.0), (x0, y0), colour)

    def dot(self, point: Array, colour: Colour, width: float) -> None:
        """A disc of `width` pixels."""
        self.line(np.array([point, point], dtype=float), colour, width)

    def chain(self, links: Sequence[Array], colour: Colour, width: float) -> None:
        """Links one after the other, with a dot at each of their roots."""
        for link in links:
            self.line(link, colour, width)
        for link in links:
            self.dot(link[0], colour, 2.2 * width)

    def frame(self) -> NDArray[np.uint8]:
        """The picture as Gymnasium has it: height x width x 3."""
        return np.rint(255.0 * self._pixels).astype(np.uint8)
