"""The trusted side has its own limits: no answer keeps it busy or fills its memory, and other students don't have to wait."""

import contextlib
import itertools
import signal
import sys
import threading
import time

import pytest
from growing import CONTAINERS, ELEMENTS, grown, out_of_proportion
from tiny_dojo import DOUBLE, RIGHT, TOTAL, make_submission

from torchdojo.common import clock
from torchdojo.explain.records import grade_submission
from torchdojo.judge import runner
from torchdojo.judge.observations import read_outcomes
from torchdojo.judge.oracle import Oracle
from torchdojo.limits import ANSWERS_BYTES, ANSWERS_TEXT_BYTES, FRAME_DEPTH
from torchdojo.submission.opening import open_submission
from torchdojo.wire import strict as wire
from torchdojo.wire.errors import WorkerLied
from torchdojo.wire.outcome import Held
from torchdojo.wire.strict import BadFrame


def read(body):
    read_outcomes(wire, [{"seen": body}], 1)


def too_slow(container, element, few=1000, times=4):
    small, large = (grown(container, element, n) for n in (few, few * times))
    return out_of_proportion(read, large, small, times, (BadFrame, WorkerLied))


@pytest.mark.slow
@pytest.mark.parametrize("container", CONTAINERS)
def test_reading_takes_a_time_in_proportion(container):
    """Whatever the input: four times as much takes four times as long, or is refused."""
    assert [element for element in ELEMENTS if too_slow(container, element)] == []


@pytest.mark.slow
def test_keys_of_one_hash_would_be_found(monkeypatch):
    """Without the limits, reading them takes sixteen times as long; otherwise the previous test would prove nothing."""
    monkeypatch.setattr(wire, "DICT_KEYS", 10**9)
    monkeypatch.setattr(wire, "KEYS", frozenset([float, tuple, int, str, bool, type(None)]))
    assert too_slow("keys", "three powers", few=2000) and too_slow("keys", "nested powers", few=2000)
    assert not too_slow("keys", "text")


def test_a_dict_has_a_thousand_keys_at_most():
    assert wire.decode(wire.encode(dict.fromkeys(map(str, range(1000)), 1)))["999"] == 1
    assert repr(wire.decode(wire.encode(dict.fromkeys(range(1001), 1)))) == "a dict of 1001 keys"
    for container in ("text keys", "keys"):
        with pytest.raises(BadFrame, match="a dict of more than 1000 keys"):
            wire.decode(grown(container, "text", 1001))
    assert len(wire.decode(wire.encode(dict.fromkeys(range(2000), 1), views=True), views=True)) == 2000, "what is ours"


def test_keys_of_other_kinds_travel_as_their_text():
    """The same on both sides of a comparison. A frame with other keys was forged."""
    odd = {0.5: 1, (1, 2): 2, True: 3, None: 4, 7: 5, 1 << 70: 6}
    assert wire.decode(wire.encode(odd)) == {"0.5": 1, "(1, 2)": 2, True: 3, None: 4, 7: 5, str(1 << 70): 6}
    assert wire.decode(wire.encode(odd, views=True), views=True)[(1, 2)] == 2
    for element in ("float", "pair of powers"):
        with pytest.raises(BadFrame, match="a key that is no text"):
            wire.decode(grown("keys", element, 2))


def test_what_is_kept_of_an_exercise_has_a_limit():
    """For all its checks together: in bytes, and in bytes outside tensors."""
    body = bytes(4) + bytes(ANSWERS_BYTES // 4)
    held = Held()
    held.add([(body, None)] * 3)
    with pytest.raises(WorkerLied, match="larger than 64 MB together"):
        held.add([(b"", body)])
    text = wire.encode("x" * (ANSWERS_TEXT_BYTES // 3))
    held = Held()
    held.add([(text, text)])
    with pytest.raises(WorkerLied, match="put numbers into tensors"):
        held.add([(text, None)])
    assert FRAME_DEPTH == 32


# ------------------------------------------------------------------ the clock
def spin(seconds=5.0):
    start = time.process_time()
    while time.process_time() - start < seconds:
        pass


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no signals")
def test_what_takes_too_long_is_interrupted():
    """Even if the code catches errors; afterwards there is no limit."""

    def stubborn():
        with clock.limited(0.1):
            try:
                spin()
            except Exception:
                spin()

    start = time.process_time()
    with pytest.raises(clock.TooSlow):
        stubborn()
    assert time.process_time() - start < 2
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    spin(0.3)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no signals")
def test_cleaning_up_afterwards_is_not_interrupted():
    """Else a limit on memory would stay on. Code that swallows the first TooSlow gets another one a second later."""
    cleaned = []
    with pytest.raises(clock.TooSlow), clock.limited(0.1):
        try:
            spin()
        finally:
            spin(0.6)
            cleaned.append(True)
    assert cleaned

    with pytest.raises(clock.TooSlow), clock.limited(0.1):
        with pytest.raises(clock.TooSlow):
            spin()
        spin()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no signals")
def test_what_is_ours_does_not_count():
    """The oracle's time doesn't count; the limit then continues. An inner limit is the outer one."""
    reached = []
    with pytest.raises(clock.TooSlow), clock.limited(0.3):
        with clock.paused():
            spin(0.6)
        with clock.limited(0.01):
            spin(0.1)
        reached.append(True)
        spin()
    assert reached


def swallow():
    with contextlib.suppress(BaseException):
        spin()


def turn_into_another():
    try:
        spin()
    except BaseException:
        raise SystemError from None


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no signals")
@pytest.mark.parametrize("code", [swallow, turn_into_another])
def test_code_that_hides_the_end_changes_nothing(code):
    """As Python's own parser does; the next block has a limit of its own."""
    with pytest.raises(clock.TooSlow), clock.limited(0.1):
        code()
    with clock.limited(10):
        pass


def test_sleeping_costs_nothing():
    with clock.limited(0.05):
        time.sleep(0.2)
        clock.look()


def test_without_signals_the_clock_is_looked_at():
    """Threads can't receive signals."""
    found = []

    def apart():
        with pytest.raises(clock.TooSlow), clock.limited(0.05):
            spin(0.1)
            found.append("not interrupted")
            clock.look()

    thread = threading.Thread(target=apart)
    thread.start()
    thread.join()
    assert found == ["not interrupted"]


SLOW_JUDGE = '''"""Hidden checks."""

from torchdojo.grading import check, tensor


@check(points=1, x=tensor("n"))
def doubles(solution, x):
    """Twice as much."""
    return solution.double(x)


@doubles.judge
def _(found):
    if found.numel() and found[0] == 77:
        while True:
            pass


@check(points=1, x=tensor("n"))
def doubles_again(solution, x):
    """Twice as much, again."""
    return 1


@doubles_again.judge
def _(found):
    return None
'''


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no signals")
def test_a_judge_that_an_answer_keeps_busy_is_the_answers_time_out(zygote, tmp_path, monkeypatch):
    """It costs the check; the others are judged."""
    from tiny_dojo import make_dojo, write

    from torchdojo.course.exercise import Dojo

    monkeypatch.setattr(runner, "JUDGE_SECONDS", 0.5)
    root = make_dojo(tmp_path / "dojo")
    write(root / f"graders/{DOUBLE.replace('ex01', 'grade_ex01')}.py", SLOW_JUDGE)
    folder = make_submission(tmp_path / "slow", double="def double(x):\n    return x * 0 + 77\n", total=RIGHT[TOTAL])
    submission, exercises = open_submission(folder, Dojo(root))
    oracle = Oracle()
    found = [(check.status, check.feedback) for _, _, check in grade_submission(zygote, submission, exercises, oracle)]
    assert [status for status, _ in found[:2]] == ["timeout", "passed"] and not oracle.faults
    assert "it takes too long to read and compare your answer" in found[0][1]


FLOOD = '''
def double(x):
    return 'x' * 1_000_000
'''


def test_answers_that_fill_the_memory_cost_their_check(zygote, dojo, tmp_path):
    """Answers of a megabyte of text each are refused with a reason; others are graded."""
    submission, exercises = open_submission(make_submission(tmp_path / "flood", double=FLOOD, total=RIGHT[TOTAL]), dojo)
    found = [(check.status, check.feedback) for _, _, check in grade_submission(zygote, submission, exercises, Oracle())]
    assert found[0][0] == "crashed" and "put numbers into tensors" in found[0][1]
    assert found[-1][0] == "passed"


def test_the_limits_of_python_hold_for_digits():
    """An integer of a million digits is refused before it is read; a float of a million digits is read at once."""
    digits = "1" * 10**6
    for text in (digits, f"-{digits}"):
        with pytest.raises(BadFrame, match="more than 64 bits"):
            wire.decode(wire_frame(text))
    start = time.process_time()
    assert wire.decode(wire_frame(f"{digits[:300]}.{digits}")) > 1e298
    assert time.process_time() - start < 0.5


def wire_frame(text):
    import struct

    return struct.pack("<I", len(text)) + text.encode()


def test_nothing_here_needs_the_order_of_hashes():
    """The growing frames are the same in every process."""
    assert sys.hash_info.modulus == 2**61 - 1 and len(set(itertools.chain(CONTAINERS, ELEMENTS))) > 25
