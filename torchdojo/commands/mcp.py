"""`torchdojo mcp`: serve an assistant with verified facts, over the Model Context Protocol on standard input and output."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from torchdojo import __version__
from torchdojo.common.errors import UsageError
from torchdojo.course.answers import answers_of
from torchdojo.course.exercise import find_dojo
from torchdojo.learner.assistant import Assistant
from torchdojo.learner.evidence import READABLE, check_allowed

ABOUT = (
    "Facts about a learner's PyTorch exercises, computed by running the learner's file. Call `next` for the exercise at hand,"
    " `evidence` before you explain an error, and `hint` only if the learner asks for one. There is no tool for solutions: help the"
    " learner find it."
)


@click.command()
@click.argument("folder", required=False, type=click.Path())
def command(folder: str | None) -> None:
    """Serve an assistant with verified facts, over the Model Context Protocol on standard input and output."""
    raise SystemExit(run(folder))


def run(folder: str | None) -> int:
    """Serve the copy of the course in a folder (default: the current one) until standard input ends. Raises UsageError."""
    if folder is not None and not (Path(folder) / "exercises").is_dir():
        raise UsageError(f"{folder} has no exercises/; name the folder of your copy of the course")
    dojo = find_dojo(Path(folder) if folder is not None else None)
    check_allowed(dojo)
    if importlib.util.find_spec("mcp") is None:
        raise UsageError("`torchdojo mcp` needs the package mcp; install it with: pip install 'torchdojo[mcp]'")
    from mcp.server.mcpserver import MCPServer  # an extra

    assistant = Assistant(dojo.root)
    about = f"{ABOUT} {READABLE}" if (answers_of(dojo.root) / "reference").is_dir() else ABOUT
    server = MCPServer("torchdojo", instructions=about, version=__version__)
    for tool in (assistant.next, assistant.task, assistant.check, assistant.evidence, assistant.hint):
        server.add_tool(told(tool))
    try:
        server.run("stdio")
    finally:
        assistant.close()
    return 0


def told(tool: Callable[..., Any]) -> Callable[..., Any]:
    """The tool, with a one-line error if it can't answer. The server would print a traceback instead."""
    from mcp.server.mcpserver.exceptions import ToolError  # an extra

    @functools.wraps(tool)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return tool(*args, **kwargs)
        except UsageError as error:
            raise ToolError(str(error)) from None

    return call
