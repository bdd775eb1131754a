"""Random numbers that are counted, not drawn: each depends on its seed, its episode and its place alone, so an instance has the same episodes alone and among others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: Odd part of 2^64 divided by the golden ratio.
_STEP = np.uint64(0x9E3779B97F4A7C15)


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's output function: every bit depends on every other."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def uniform(seeds: NDArray[np.uint64], episodes: NDArray[np.uint64], count: int) -> NDArray[np.float64]:
    """Numbers from 0 up to 1, a row of `count` for each seed and episode."""
    start = _mixed(_mixed(seeds + _STEP) + _STEP * (episodes + np.uint64(1)))
    places = _STEP * np.arange(1, count + 1, dtype=np.uint64)
    return (_mixed(start[:, None] + places) >> np.uint64(11)).astype(np.float64) * 2.0**-53
