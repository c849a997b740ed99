"""Learners' text is harmless wherever it is shown: terminals, CI logs, spreadsheets."""

import csv
import io
import unicodedata
import warnings

import pytest

from torchdojo.common.plain_text import cell, clean, stable, syntax_tree
from torchdojo.judge.recheck.suspicion import read


def test_nothing_that_cannot_be_seen_is_left():
    """No control, format, surrogate, line or paragraph separator of all of Unicode, except tabs and line ends."""
    text = "".join(map(chr, range(0x110000)))
    left = {unicodedata.category(letter) for letter in clean(text)} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert {letter for letter in clean(text) if unicodedata.category(letter) == "Cc"} == {"\n", "\t"}
    assert left <= {"Cc"}


def test_letters_that_can_be_seen_stay():
    """Letters of all languages, mathematics, drawings, flags."""
    text = "naïve Größe λ∂/∂x ≤ 数学 العربية עברית हिन्दी 👍 │ ½ €\n\tindented"
    assert clean(text) == text


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]never ends\nnext line", "\nnext line"),
        ("\x1bP1$r\x1b\\text", "text"),
        ("\x9b31mred", "red"),
        ("\x1b(0text", "text"),
        ("a\rb\r\nc", "a\nb\nc"),
        ("\x1b", ""),
    ],
    ids=repr,
)
def test_escape_sequences_are_taken_out(text, want):
    """Complete sequences with their parameters; an unterminated one removes at most its line."""
    assert clean(text) == want


@pytest.mark.parametrize("text", ["::error::x", "  ::add-mask::x", "a\n\t::stop-commands::x", "##[group]x", "a ##[error]x", "\u200b::notice::x", ":\x00:error::x"])
def test_orders_to_a_job_become_text(text):
    """A runner reads '::' at the start of a line and '##[' anywhere, even once the characters that hid them are removed."""
    lines = clean(text).split("\n")
    assert not [line for line in lines if line.lstrip().startswith("::") or "##[" in line]


def test_slices_and_the_like_stay():
    """Colons that are not a command."""
    for text in ("x[::2]", "a::b", "std::vector", "### heading", "x # [1]"):
        assert clean(text) == text


def test_addresses_and_temporary_folders_are_taken_out():
    """What differs between runs, and nothing else."""
    assert stable("<object object at 0x7f3a5c0d1e80> 0x1f") == "<object object at 0x...> 0x1f"
    assert stable("/tmp/torchdojo-a1b2c3d4/stage-x_y2z3a4/01_toys/ex01_double.py:3: Warning") == "01_toys/ex01_double.py:3: Warning"
    assert stable("'/tmp/torchdojo-a1b2c3d4/scratch-x_y2z3a4'") == "''"
    assert stable("/home/me/torchdojo-lessons/notes.txt") == "/home/me/torchdojo-lessons/notes.txt"


@pytest.mark.parametrize("text", ['=HYPERLINK("x")', "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", " =1", "|x", "＝1", '"=1', '" =1'])
def test_a_cell_is_never_a_formula(text):
    """An apostrophe makes it text."""
    assert cell(text).startswith("'")


BEHIND = ["ada{}=1+1", "ada{} =1+1", 'ada{}"=1+1"', "ada{} '' +1", "ada{}\u00a0@SUM(A1)", "a{}-2+3", "a{} -2+3 points", "a{}{}=1", "a{}\r=1"]


@pytest.mark.parametrize("text", BEHIND)
@pytest.mark.parametrize("separator", [";", "\t", "\n", "\r"])
def test_nor_is_its_end_wherever_a_spreadsheet_parts_cells(text, separator):
    """European ones split at semicolons, a paste at tabs and new lines; blanks and quotes before a formula may be dropped."""
    out = io.StringIO()
    csv.writer(out).writerow([cell("first"), cell(text.format(separator, separator))])
    for delimiter in ",;\t":
        for row in csv.reader(io.StringIO(out.getvalue(), newline=""), delimiter=delimiter):
            for part in (line.strip(' "\u00a0\r') for field in row for line in field.split("\n")):
                assert not part.startswith(tuple("=+-@")), (delimiter, row)


def test_two_sentences_of_ours_are_unchanged():
    """A number of points is no formula."""
    assert cell("3 points; -2 points: late") == "3 points; -2 points: late"
    assert cell("-1.5 points") == "-1.5 points"


def test_a_cell_of_plain_text_is_that_text():
    """Without an apostrophe."""
    assert cell("went wrong   got 3, wanted 4") == "went wrong   got 3, wanted 4"


def test_what_python_warns_of_in_a_strangers_file_is_not_for_our_terminal():
    """An invalid escape sequence; the character after the backslash stays as it is."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        assert syntax_tree("x = '\\\x1b \\d'\n").body and read(b"x = '\\\x1b \\d'\n").plain
    assert heard == []
