"""Exceptions of Supple. Each says what is wrong and, in `remedy`, what to do about it."""

from __future__ import annotations


class SuppleError(Exception):
    """Any error of the engine."""

    #: What to do about it, where that can be said.
    remedy: str | None = None
    #: Which kind of error it is, as the engine names it.
    kind: str | None = None


class ArgumentError(SuppleError, ValueError):
    """An argument that does not fit: a wrong size, an object of another model, an unknown word."""


class UnknownNameError(SuppleError, LookupError):
    """A body, hinge, node, mode or variable that the model does not have."""

    #: What was looked for, such as "hinge".
    what: str | None = None
    #: The name.
    name: str | None = None
    #: The nearest name that there is.
    nearest: str | None = None
    #: Names that there are.
    known: list[str] = []


class Finding:
    """One broken rule in a file: where, what, and what to do about it."""

    #: The file, as the caller named it.
    file: str = ""
    #: Line, from one.
    line: int = 0
    #: Column, from one.
    column: int = 0
    #: The line itself.
    source: str = ""
    #: What it is about, such as "body 'boom'".
    subject: str = ""
    #: What is wrong.
    what: str = ""
    #: What was expected instead, where that can be said.
    expected: str | None = None
    #: What to do about it, where that can be said.
    remedy: str | None = None

    def __repr__(self) -> str:
        return f"Finding({self.file}:{self.line}:{self.column}: {self.what})"


class FileError(SuppleError):
    """A model, scenario or robot that cannot be read. `findings` has everything that is wrong; the fields here are those of the first."""

    #: The file.
    file: str | None = None
    #: Line, from one.
    line: int | None = None
    #: Column, from one.
    column: int | None = None
    #: Everything that is wrong, in the order of the text.
    findings: list[Finding] = []
    #: How many further problems are not listed.
    omitted: int = 0


class UnsupportedError(SuppleError):
    """Something that this version, this kind of file or this kind of element does not do."""


class DeviceError(SuppleError):
    """A GPU that cannot be used: what is missing, driver, device or compiler, and what to do."""


class CaseError(SuppleError):
    """A reference case that is not sound, or has no answer."""

    #: Everything that is wrong, each with its place.
    problems: list[str] = []


class DynamicsError(SuppleError, ArithmeticError):
    """A verb that has no result: a number that is not finite, a singular configuration, closures that cannot be closed."""

    #: Name of the body, where there is one.
    body: str | None = None
    #: Name of the closure, where there is one.
    closure: str | None = None
    #: What a number belongs to.
    quantity: str | None = None
    #: Its place there.
    index: int | None = None
    #: What was found.
    found: float | None = None
    #: What was expected.
    expected: float | None = None


class BatchError(SuppleError, ArithmeticError):
    """A batch in which some instances have no result; all others have theirs."""

    #: Number and message of each instance without a result.
    instances: list[tuple[int, str]] = []


class LinearError(SuppleError, ArithmeticError):
    """No linear model, no modes or no equilibrium."""


class KinematicsError(SuppleError, ArithmeticError):
    """A question of inverse kinematics that makes no sense; targets that cannot be reached are no error but an answer."""


class IntegrationError(SuppleError, ArithmeticError):
    """A simulation that could not go on."""


class RunError(SuppleError):
    """A run that could not begin or did not reach its end."""

    #: The file or folder at fault, where there is one.
    file: str | None = None
    #: The line there.
    line: int | None = None
    #: What was computed before a run ended early.
    results: object = None
