"""Tests run from the root of the repository, whose examples they use."""

import os
from pathlib import Path

import pytest

import supple

ROOT = Path(__file__).parents[3]


def pytest_configure() -> None:
    os.chdir(ROOT)


@pytest.fixture
def pendulum() -> supple.Model:
    return supple.load("examples/double-pendulum/pendulum.toml")


@pytest.fixture
def shuttle() -> supple.Model:
    return supple.load("examples/shuttle-slew/arm.toml")
