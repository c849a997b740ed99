"""`torchdojo check` reads signatures, proposes adapters, and refuses what it cannot use in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import BUGS, CASES

from torchdojo.check.adapter import check_complete
from torchdojo.check.definition import Definition, Parameter, definition_of
from torchdojo.check.matching import match
from torchdojo.check.proposal import given, proposal
from torchdojo.check.source import needed_files, target_of
from torchdojo.commands.check import Request, propose, run
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.grading.public import Public

ROOT = Path(__file__).resolve().parents[2]
BANK = Path(__file__).with_name("bank")


def test_a_config_object_is_filled_by_the_names_that_are_read() -> None:
    """Only the fields that the class and those that it uses read are filled."""
    found = proposal(Exercise(ROOT, "10_attention/ex05_self_attention"), "config_gpt.py:CausalSelfAttention", BANK)

    assert found.complete and "SimpleNamespace(n_embd=width, n_head=heads, bias=True, dropout=0.0, block_size=128)" in found.text
    assert "qkv='c_attn', out='c_proj'" in found.text and 'not_asked("it takes no mask")' in found.text


def test_what_is_not_known_stays_open(tmp_path: Path) -> None:
    """An argument without a name that is known is `...` in the adapter, which is then refused with its line."""
    (tmp_path / "mine.py").write_text("def rope(q, flavour, pos):\n    return q\n", encoding="utf-8")

    found = proposal(Exercise(ROOT, "10_attention/bonus1_rotary"), "mine.py:rope", tmp_path)

    assert not found.complete and found.open == ["flavour"] and "flavour=..." in found.text
    with pytest.raises(UsageError, match=r"adapter.py line \d+: put a value"):
        check_complete(tmp_path / "adapter.py", found.text)


def test_relative_imports_are_followed(tmp_path: Path) -> None:
    """The package around a file comes along, and nothing that isn't imported."""
    for name, text in {"a/__init__.py": "", "a/b/__init__.py": "", "a/b/c.py": "from ..d import x\ndef f(t): ...\n", "a/d.py": "x = 1\n", "a/e.py": ""}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    target = target_of("a/b/c.py:f", tmp_path)
    files = needed_files([target.file], target.folders)

    assert target.module == "a.b.c"
    assert {p.as_posix() for p in files.values()} == {"a/__init__.py", "a/b/__init__.py", "a/b/c.py", "a/d.py"}


def written(folder: Path, **texts: str) -> Path:
    """Files by their stem."""
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


def test_a_file_in_a_package_is_imported_from_its_root(tmp_path: Path) -> None:
    """Absolute imports are looked up there, too."""
    for folder in (tmp_path / "a", tmp_path / "a/b"):
        folder.mkdir()
        written(folder, __init__="")
    written(tmp_path / "a/b", c="from a.d import x\ndef f(t): ...\n")
    written(tmp_path / "a", d="x = 1\n")

    target = target_of("a/b/c.py:f", tmp_path)

    assert target.module == "a.b.c" == target_of("a.b.c:f", tmp_path).module
    assert tmp_path / "a/d.py" in needed_files([target.file], target.folders)


def test_files_that_a_worker_must_not_get_stay_behind(tmp_path: Path) -> None:
    """A link that leads elsewhere, and a file with the name of a package that a worker has."""
    (tmp_path / "here").mkdir()
    written(tmp_path, secret="x = 1\n")
    written(tmp_path / "here", mine="import torch, helper, linked\ndef f(t): ...\n", torch="", helper="")
    (tmp_path / "here/linked.py").symlink_to(tmp_path / "secret.py")
    target = target_of("mine.py:f", tmp_path / "here")

    assert sorted(file.name for file in needed_files([target.file], target.folders)) == ["helper.py", "mine.py"]


def test_code_may_not_import_thousands_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They would all be copied for the worker."""
    monkeypatch.setattr("torchdojo.check.source.SUBMISSION_FILES", 2)
    written(tmp_path, mine="import b, c\n", b="", c="")

    with pytest.raises(UsageError, match=r"mine\.py imports more than 2 files"):
        needed_files([tmp_path / "mine.py"], (tmp_path,))


def test_a_class_takes_what_its_base_takes(tmp_path: Path) -> None:
    """If the base is in the same file; an import under another name is followed."""
    written(
        tmp_path,
        base="class Base(nn.Module):\n    def __init__(self, width): self.proj = nn.Linear(width, width)\n    def forward(self, x, *, mask=None): ...\n"
        "class Mine(Base):\n    pass\n",
        mine="from base import Mine as Theirs\n",
    )
    found = definition_of(target_of("mine.py:Theirs", tmp_path))

    assert (found.name, found.kind, found.parts) == ("Mine", "Module", ("proj",))
    assert [p.name for p in found.create or ()] == ["width"]
    assert [(p.name, p.default, p.keyword_only) for p in found.call or ()] == [("x", None, False), ("mask", "None", True)]


def test_a_function_of_autograd_takes_no_argument_for_its_creation(tmp_path: Path) -> None:
    written(tmp_path, mine="class Relu(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x): ...\n")
    found = definition_of(target_of("mine.py:Relu", tmp_path))

    assert (found.kind, found.create, [p.name for p in found.call or ()]) == ("Function", (), ["x"])


def definition(*create: str, fields: tuple[str, ...] = (), parts: tuple[str, ...] = ()) -> Definition:
    """A module whose __init__ takes these, the keyword-only ones with a star in front."""
    taken = tuple(Parameter(name.lstrip("*"), None, name.startswith("*")) for name in create)
    return Definition("M", Path("mine.py"), 1, "Module", taken, (), parts, fields={create[0]: fields} if fields else {})


@pytest.mark.parametrize(
    ("theirs", "rows"),
    [
        (definition("a", "b"), [("a", "width", "position"), ("b", "heads", "position")]),
        (definition("width", "b"), [("width", "width", "name"), ("b", "heads", "position")]),
        (definition("a", "*b"), [("a", "...", "open"), ("b", "...", "open")]),
        (definition("a"), [("a", "...", "open")]),
        (definition("config", fields=("width", "dropout")), [("width", "width", "name"), ("dropout", "0.0", "usual value")]),
        (definition("other", fields=("width",)), [("other", "...", "open")]),
    ],
)
def test_arguments_are_matched_by_name_position_or_custom(theirs: Definition, rows: list[tuple[str, str, str]]) -> None:
    """By position only if all of them have one; a config object only by its usual names. What isn't known stays open."""
    found = match(theirs, definition("width", "heads"), Public(()))

    assert [(r.theirs, r.ours, r.how) for r in found.create] == rows


@pytest.mark.parametrize(("parts", "layers"), [(("wq", "wk", "wv"), ("wq", "wk", "wv")), (("qkv",), ("qkv",)), (("wq", "wk"), ()), (("wq", "WQ", "wk", "wv"), ())])
def test_layers_are_found_whole_or_not_at_all(parts: tuple[str, ...], layers: tuple[str, ...]) -> None:
    public = Public((), layers={"qkv": (("wq", "wk", "wv"),)})
    found = match(definition("width", parts=parts), definition("width"), public)

    assert found.layers.get("qkv", ()) == layers and found.open == ([] if layers else ["the layers of qkv"])


@pytest.mark.parametrize(
    ("word", "said"),
    [("nothing.py:f", "does not exist"), ("batches.py", "names no function"), ("batches.py:3f", "names no function"), ("batches.py:pad_colate", "did you mean pad_collate?"), ("no.such:f", "no module no.such"), (".:f", "is no Python file or module"), ("a b:f", "is no Python file or module")],
)
def test_a_wrong_target_is_one_line(word: str, said: str) -> None:
    """It says what is wrong, and names the nearest name."""
    with pytest.raises(UsageError, match=said.replace("?", r"\?")):
        definition_of(target_of(word, BANK))


def test_an_adapter_must_define_what_is_asked_for(tmp_path: Path) -> None:
    """Otherwise nothing of it would be checked."""
    (tmp_path / "adapter.py").write_text("from batches import pad_collate\n", encoding="utf-8")

    with pytest.raises(UsageError, match="defines none of what 09_data/ex04_collate_padded asks for: collate_padded"):
        given(Exercise(ROOT, "09_data/ex04_collate_padded"), "batches.py:pad_collate", BANK, tmp_path / "adapter.py")


def test_each_bug_of_the_bank_is_one_place() -> None:
    """A bug's old text occurs once in its file, and adapters have at most ten lines."""
    for bug in BUGS.values():
        assert (BANK / CASES[bug.case].target.partition(":")[0]).read_text(encoding="utf-8").count(bug.old) == 1
    assert max(len(case.adapter.strip().splitlines()) for case in CASES.values()) <= 10


def test_an_adapter_is_printed_and_written_only_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What can't be matched ends with exit code 2 and a proposal on standard error; nothing is written, and JSON stays JSON."""
    (tmp_path / "mine.py").write_text("def rope(q, flavour, pos):\n    return q\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    request = Request("mine.py:rope", "rope")

    assert run(Dojo(ROOT), request, "json") == 2
    printed = capsys.readouterr()
    assert printed.out == "" and "flavour=..." in printed.err and "--write-adapter adapter.py" in printed.err
    assert [file.name for file in tmp_path.iterdir()] == ["mine.py"]

    assert propose(Dojo(ROOT), request, tmp_path / "adapter.py") == 0
    assert "flavour=..." in (tmp_path / "adapter.py").read_text(encoding="utf-8")


def test_a_definition_behind_a_condition_is_one(tmp_path: Path) -> None:
    """An import runs it. A name that is only assigned or imported is told with its line."""
    (tmp_path / "mine.py").write_text("try:\n    import flash\nexcept ImportError:\n    def rope(x, positions): ...\nother = rope\n", encoding="utf-8")

    assert definition_of(target_of("mine.py:rope", tmp_path)).line == 4
    with pytest.raises(UsageError, match="line 5 assigns or imports it"):
        definition_of(target_of("mine.py:other", tmp_path))
