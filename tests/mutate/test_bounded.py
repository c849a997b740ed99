"""Changed references cannot run on and on: counted steps, the same on every machine."""

import ast
import sys

import pytest

from torchdojo.mutate import bounded

ENDLESS = {
    "while": "def f():\n    while True:\n        pass\n",
    "an error in a loop that is caught": "def f():\n    while True:\n        try:\n            g = 1\n        except Exception:\n            pass\n",
    "for over an iterator": "import itertools\n\ndef f():\n    for n in itertools.count():\n        n += 1\n",
    "comprehension": "import itertools\n\ndef f():\n    return [n for n in itertools.count()]\n",
    "generator expression": "import itertools\n\ndef f():\n    return sum(1 for n in itertools.count() if n < 0)\n",
    "generator": "def ever():\n    while True:\n        yield 1\n\ndef f():\n    return list(ever())\n",
    "calls that double": "def f(n=100):\n    return 1 if n == 0 else f(n - 1) + f(n - 1)\n",
    "method": "class A:\n    def go(self):\n        while self:\n            self.n = 1\n\ndef f():\n    A().go()\n",
    "while that is left and entered again": "def f():\n    n = 0\n    while n < 10:\n        n = 0\n        while n < 5:\n            n += 1\n",
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", ENDLESS)
def test_endless_programs_stop_at_the_same_step_each_time(kind):
    stopped = []
    for _ in range(2):
        made = bounded.module("made", ENDLESS[kind])
        ran = [0]
        with pytest.raises(bounded.RunsOn):
            bounded.limited(made.f, ran)
        stopped.append(ran[0])
    assert stopped[0] == stopped[1] > bounded.MOST_STEPS


def test_steps_are_statements_of_functions_and_loops():
    source = "def f(n):\n    total = 0\n    for k in range(n):\n        if k:\n            total += k\n    return total\n"
    made, ran = bounded.module("made", source), [0]
    assert bounded.limited(lambda: made.f(10), ran) == 45
    assert ran == [3 + 10 * 2]


def test_what_is_counted_does_the_same_as_before():
    source = (
        '"""About it."""\nfrom dataclasses import dataclass\n\n\n@dataclass\nclass Pair:\n    """Two numbers."""\n\n    a: int\n    b: int = 2\n\n'
        '    def sum(self):\n        """Their sum."""\n        return self.a + self.b\n\n\ndef f():\n    """Sums."""\n    found = {n: [k for k in range(n) if k % 2] for n in range(4)}\n'
        "    for n in range(3):\n        if n == 5:\n            break\n    else:\n        found[9] = Pair(1).sum()\n    return found\n"
    )
    made = bounded.module("made", source)
    assert bounded.limited(made.f) == {0: [], 1: [], 2: [1], 3: [1], 9: 3}
    assert (made.f.__doc__, made.Pair.sum.__doc__, made.__doc__) == ("Sums.", "Their sum.", "About it.")


def test_the_limit_is_for_each_run():
    made = bounded.module("made", "def f(n):\n    for _ in range(n):\n        pass\n    return n\n")
    most = bounded.MOST_STEPS - 2
    assert [bounded.limited(lambda: made.f(most)) for _ in range(3)] == [most] * 3
    with pytest.raises(bounded.RunsOn):
        bounded.limited(lambda: made.f(most + 1))


def test_a_module_of_that_name_stays_where_it_was():
    bounded.module("ast", "x = 1")
    assert sys.modules["ast"] is ast


def test_a_module_in_pieces_is_the_whole_module():
    pieces = ("import math\n", "def half(x):\n    return x / 2\n", "def f(x):\n    return math.floor(half(x))")
    made = bounded.module("made", *pieces)
    assert bounded.limited(lambda: made.f(5)) == 2
    assert bounded.module("made", *pieces).half is not made.half


def test_annotations_that_are_not_looked_up_stay_so_in_every_piece():
    made = bounded.module("made", "from __future__ import annotations\n", "def f(x: Later) -> Later:\n    return x\n")
    assert made.f.__annotations__ == {"x": "Later", "return": "Later"}
