"""`torchdojo mcp`, driven by the official client: no call, in any order, gives a secret away."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
import warm
from assisted_dojo import HINTS, SECRETS, WRONG, make_assisted_dojo
from tiny_dojo import DOUBLE, TOTAL, write

pytest.importorskip("mcp", reason="needs the extra `mcp`")
import anyio
from mcp import Client, StdioServerParameters, stdio_client

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
TOOLS = ("next", "task", "check", "evidence", "hint")
WORDS = (DOUBLE, "ex01", "double", TOTAL, "01_toys", "", "..", "../reference/01_toys/ex01_double", "/", "exercises/../graders/01_toys/grade_ex01_double.py", "x" * 999)
ROUNDS = 60


def test_no_call_gives_a_secret_away(tmp_path: Path) -> None:
    """Sixty calls in a random order: no solution, grader, mistake or seed, and no hint but those that were asked for, in their order."""
    anyio.run(call_at_random, make_assisted_dojo(tmp_path))


async def call_at_random(root: Path) -> None:
    rng, hints, edits, answers = random.Random(5), 0, 0, 0
    async with Client(stdio_client(server(root))) as client:
        assert tuple(tool.name for tool in (await client.list_tools()).tools) == TOOLS and "readable" in (client.instructions or "")
        for _ in range(ROUNDS):
            tool, word = rng.choice((*TOOLS, "hint", "solution", "resources/read")), rng.choice(WORDS)
            changed = rng.random() < 0.3
            if changed:
                edits += 1
                write(root / "exercises" / f"{DOUBLE}.py", f"{WRONG}# {edits}\n")
            before = hints
            result = await client.call_tool(tool, {} if tool == "next" else {"exercise": word})
            text = " ".join(block.text for block in result.content) + json.dumps(result.structured_content)
            answers += not result.is_error
            if tool == "hint" and not result.is_error and DOUBLE in text:
                hints = result.structured_content["number"]
                assert hints - before in (0, 1) and text.count(HINTS[hints - 1])
            assert [mark for mark in (*SECRETS, *HINTS[hints:], "one edit", "Traceback") if mark in text] == [], (tool, word)
    assert hints == len(HINTS) and answers > ROUNDS / 4, (hints, answers)  # the calls reached what they are about


def test_the_next_hint_waits_for_a_change(tmp_path: Path) -> None:
    """Asked again at once, it is the same hint; a changed file opens the next one. An unknown exercise is told in our line."""
    anyio.run(climb, make_assisted_dojo(tmp_path))


async def climb(root: Path) -> None:
    async with Client(stdio_client(server(root))) as client:

        async def hint() -> str:
            return (await client.call_tool("hint", {"exercise": DOUBLE})).structured_content["text"]

        assert [await hint(), await hint(), await hint()] == [HINTS[0]] * 3
        write(root / "exercises" / f"{DOUBLE}.py", f"{WRONG}# changed\n")
        assert [await hint(), await hint()] == [HINTS[1]] * 2
        wrong = await client.call_tool("task", {"exercise": "nonsense"})
        assert wrong.is_error and "no chapter or exercise is called 'nonsense'" in wrong.content[0].text
        task = await client.call_tool("task", {"exercise": DOUBLE})
        assert "raise NotImplementedError" in task.structured_content["stub"]


def server(root: Path) -> StdioServerParameters:
    return StdioServerParameters(command=warm.executable(), args=["-m", "torchdojo", "mcp", str(root)])
