"""What can go wrong, as exceptions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


class Error(Exception):
    """Whatever Seawall raises."""


@dataclass(frozen=True)
class Span:
    """A place in a program: bytes, and where that is for people, counted from 1."""

    start: int
    end: int
    line: int
    column: int
    text: str
    """What there is to say about it; may be empty."""
    primary: bool
    """Whether this is the mistake's place, rather than what else matters."""


@dataclass(frozen=True)
class Diagnostic:
    """One finding about a program."""

    severity: str
    code: str
    message: str
    spans: tuple[Span, ...]
    help: tuple[str, ...]


class ProgramError(Error, ValueError):
    """The program's text is wrong. As text, it is shown where."""

    diagnostics: tuple[Diagnostic, ...]

    def __init__(self, text: str, found: list[Any]) -> None:
        super().__init__(text, found)
        self.diagnostics = tuple(
            Diagnostic(severity, code, message, tuple(Span(*span) for span in spans), tuple(help))
            for severity, code, message, spans, help in found
        )

    def __str__(self) -> str:
        return str(self.args[0])

    @property
    def code(self) -> str:
        """The first finding's code, as in ``docs/errors.md``."""
        return self.diagnostics[0].code if self.diagnostics else ""

    @property
    def spans(self) -> tuple[Span, ...]:
        """The first finding's places."""
        return self.diagnostics[0].spans if self.diagnostics else ()


class BindError(Error, ValueError):
    """What is handed in is not what the program or the graph has there."""


class GraphError(Error, ValueError):
    """The graph makes no sense, or does not fit its budget."""


class DeviceError(Error, RuntimeError):
    """There is no such device, or it could not do it."""


class DeadlineError(DeviceError, TimeoutError):
    """The run was not done at its deadline."""


class StoppedError(DeviceError):
    """The run was stopped by its control or its ticket."""


class LimitError(Error, RuntimeError):
    """A loop, a queue or a grid came to its limit while the device decided about it."""
