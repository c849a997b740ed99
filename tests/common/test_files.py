"""Files that are written whole, names that are free, digests, and the fields that data has."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from torchdojo.common.digest import digest
from torchdojo.common.errors import UsageError
from torchdojo.common.fields import fields_in
from torchdojo.common.files import DATABASE, check_folder, free_name, write_file, write_whole
from torchdojo.common.names import is_bonus


def test_a_file_that_is_replaced_keeps_its_mode(tmp_path: Path) -> None:
    """And nothing is left beside it."""
    file = tmp_path / "stub.py"
    file.write_text("old")
    file.chmod(0o640)

    write_whole(file, "new\r\n")

    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"new\r\n", 0o640)
    assert [*tmp_path.iterdir()] == [file]


def test_a_journal_is_never_overwritten(tmp_path: Path) -> None:
    """It may hold the only results of a class; through a link neither."""
    journal, link = tmp_path / "class.sqlite", tmp_path / "report.csv"
    journal.write_bytes(DATABASE + b"results")
    link.symlink_to(journal)

    for path in (journal, link):
        with pytest.raises(UsageError, match="is a journal and must not be overwritten; name another file"):
            write_file(path, "name,points\n")
    assert journal.read_bytes() == DATABASE + b"results"


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_file(tmp_path / "link", "text")

    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_text() == "text"


@pytest.mark.parametrize(("name", "said"), [("missing/page.html", "there is no folder"), (".", "it is a folder; name a file in it")])
def test_a_place_that_cannot_be_written_to_is_refused_before_the_work(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        check_folder(str(tmp_path / name))
    check_folder(str(tmp_path / "page.html"))
    check_folder(None)


def test_the_next_free_name_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "ex05_jacobian.py"
    (tmp_path / "ex05_jacobian.mine-1.py").touch()

    assert free_name(file, "mine").name == "ex05_jacobian.mine-2.py"


def test_a_digest_tells_where_a_name_ends() -> None:
    """The same bytes, cut elsewhere, are other files; so is another order."""
    digests = [digest(pairs) for pairs in ([(b"a", b"bc")], [(b"ab", b"c")], [(b"a", b"b"), (b"", b"c")], [(b"", b"c"), (b"a", b"b")])]

    assert len(set(digests)) == 4


def test_data_may_hold_more_and_less_than_the_fields() -> None:
    @dataclass
    class Kind:
        a: int = 0
        b: int = 0

    assert fields_in({"a": 1, "c": 2}, Kind) == {"a": 1}


@pytest.mark.parametrize(("exercise", "bonus"), [("05_optimizers/bonus1_sam", True), ("bonus1_sam.py", True), ("05_optimizers/ex01_bonus", False), ("bonus_chapter/ex01_a", False)])
def test_extra_credit_is_known_by_its_name(exercise: str, bonus: bool) -> None:
    assert is_bonus(exercise) is bonus
