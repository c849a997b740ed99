"""Temporary folders: one per run, deleted when it ends, or by the next run if it was killed."""

import json
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from tiny_dojo import DOUBLE, write

from torchdojo.common import temporary
from torchdojo.submission.opening import open_submission

if os.name == "nt":
    pytest.skip("folders of killed runs are swept where files have locks that die with a process", allow_module_level=True)

MAKE = "from torchdojo.common import temporary; print(temporary.folder('stage'), flush=True); input()"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """A temporary folder of this test's own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(temporary, "_mine", [])
    yield tmp_path
    temporary.remove()


def run(folder) -> tuple[subprocess.Popen, Path]:
    """Another run, with a folder in which something lies."""
    environment = os.environ | {"TMPDIR": str(folder)}
    process = subprocess.Popen([sys.executable, "-c", MAKE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    made = Path(process.stdout.readline().strip())
    (made / "ex01_double.py").write_text("x")
    return process, made


def test_a_killed_run_is_swept_and_a_living_one_is_not(elsewhere):
    """The kernel releases the lock when a process ends, however it ends."""
    alive, kept = run(elsewhere)
    dead, lost = run(elsewhere)
    dead.kill()
    dead.communicate()
    mine = temporary.folder("scratch")
    assert (mine.is_dir(), kept.is_dir(), lost.parent.exists()) == (True, True, False)
    alive.communicate("\n")
    temporary.sweep()
    assert not kept.parent.exists() and mine.is_dir()


def test_what_is_written_while_a_folder_is_removed_goes_with_the_next_run(elsewhere, monkeypatch):
    """A grading process that is ending may create one more folder; without the lock nothing would ever remove it."""
    made, remove = temporary.folder("stage").parent, temporary.trouble_removing

    def late(path, seconds):
        found = remove(path, seconds)
        if path.name.startswith("stage-"):
            (made / "scratch-late").mkdir()
        return found

    monkeypatch.setattr(temporary, "trouble_removing", late)
    temporary.remove()
    assert made.exists()
    temporary.sweep()
    assert not made.exists()


def test_others_may_pass_but_not_look(elsewhere):
    """Workers of other users can open what they are given, and can't list anything else."""
    made = temporary.folder("stage")
    assert stat.S_IMODE(made.parent.stat().st_mode) == 0o711
    assert stat.S_IMODE((made.parent / "lock").stat().st_mode) == 0o600
    assert stat.S_IMODE(made.stat().st_mode) == 0o700


def test_nothing_else_is_swept(elsewhere):
    """Not folders without our lock, not files, and not the target of a link."""
    precious = elsewhere / "precious"
    precious.mkdir()
    (precious / "lock").write_text("")
    (elsewhere / "torchdojo-link").symlink_to(precious)
    (elsewhere / "torchdojo-notes").mkdir()
    (elsewhere / "torchdojo-file").write_text("x")
    linked = elsewhere / "torchdojo-inside"
    linked.mkdir()
    (linked / "lock").symlink_to(precious / "lock")
    temporary.sweep()
    assert sorted(p.name for p in elsewhere.iterdir()) == ["precious", "torchdojo-file", "torchdojo-inside", "torchdojo-link", "torchdojo-notes"]
    assert (precious / "lock").exists()


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="makes a folder of another user")
def test_folders_of_other_users_are_left_alone(elsewhere):
    """Even by root."""
    other = elsewhere / "torchdojo-other"
    other.mkdir()
    (other / "lock").write_text("")
    os.chown(other, 61000, 61000)
    temporary.sweep()
    assert other.exists()


def test_a_run_leaves_nothing(elsewhere):
    """remove() deletes all of it, and a folder that was deleted from outside is created again."""
    first = temporary.folder("stage")
    temporary.remove()
    assert list(elsewhere.iterdir()) == []
    assert temporary.folder("stage").parent != first.parent


def test_what_a_notebook_hands_in_lies_with_the_rest(elsewhere, dojo):
    """A run that is killed while it grades a notebook leaves nothing behind either."""
    cell = {"cell_type": "code", "source": f"# exercise {DOUBLE}\ndef double(x):\n    return x * 2\n", "metadata": {}}
    notebook = write(elsewhere / "hw.ipynb", json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}))
    submission, _ = open_submission(notebook, dojo)
    assert submission.staged().parent == temporary.folder("stage").parent
    submission.close()


def test_a_forked_process_leaves_what_it_shares(elsewhere):
    """One that runs pytest on a submission ends it as pytest does; its parent's other children are still at work in the folder."""
    shared = temporary.folder("stage")
    child = os.fork()
    if child == 0:
        try:
            temporary.folder("scratch")
            temporary.remove()
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert shared.is_dir()
    temporary.remove()
    assert not shared.parent.exists()
