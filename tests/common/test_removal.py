"""What a submission leaves behind is removed, however deep, locked or strange it is, and costs nobody a check, run or report."""

import errno
import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest
import warm
from tiny_dojo import DOUBLE, RIGHT, make_dojo, make_submission, write

from torchdojo.common import removal, temporary
from torchdojo.common.removal import removed, removed_or_aside, trouble_removing

if os.name == "nt":
    pytest.skip("makes folders by their descriptors", allow_module_level=True)

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux only")
ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user")
NOBODY = 61_990


def deep(folder, count, name="d", mode=0o755):
    """A chain of `count` nested folders; the innermost contains a file."""
    folder.mkdir(exist_ok=True)
    here = os.open(folder, os.O_RDONLY)
    for _ in range(count):
        os.mkdir(name, dir_fd=here)
        inner = os.open(name, os.O_RDONLY, dir_fd=here)
        if mode != 0o755:
            os.fchmod(here, mode)
        os.close(here)
        here = inner
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.fchmod(here, mode)
    os.close(here)
    return folder


@pytest.fixture
def place(tmp_path):
    """A folder that every user may write to. It is not inside pytest's folder, which other users cannot enter."""
    folder = Path(tempfile.mkdtemp(prefix="removed-"))
    folder.chmod(0o777)
    yield folder
    subprocess.run(["chmod", "-R", "u+rwx", folder], capture_output=True, check=False)
    subprocess.run(["rm", "-rf", folder], check=False)


def as_nobody(work):
    """Run a function as another user. Returns its result as a string, and its standard error."""
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as told:
        child = os.fork()
        if child == 0:
            try:
                os.dup2(told.fileno(), 2)
                sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
                os.write(said.fileno(), str(work()).encode())
                sys.stderr.flush()
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        for file in (said, told):
            file.seek(0)
        return said.read().decode(), told.read().decode()


# ------------------------------------------------------------------ the function itself
@pytest.mark.slow
@pytest.mark.parametrize("count, name", [(1_500, "d"), (5_000, "d"), (300, "n" * 255), (5_000, "\xe4" * 100)])
def test_a_folder_of_any_depth_is_removed(place, count, name):
    """Deeper than Python's recursion limit, with paths far longer than the system allows."""
    folder = deep(place / "it", count, name)
    assert removed(folder)
    assert list(place.iterdir()) == []


@pytest.mark.slow
def test_a_wide_and_deep_tree_is_removed(place):
    """Many nested folders, each with files."""
    for n in range(30):
        deep(place / "it", 0)
        deep(place / "it" / f"{n}", 60)
        deep(place / "it" / f"{n}" / "d" / "e", 60)
    assert removed(place / "it") and not (place / "it").exists()


def test_special_files_are_removed_and_links_are_not_followed(place):
    """Pipes, sockets, links to files and folders, loops, names that are not text."""
    write(place / "precious" / "file", "x")
    (place / "it" / "inner").mkdir(parents=True)
    os.mkfifo(place / "it" / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(place / "it" / "s"))
    (place / "it" / "file").symlink_to(place / "precious" / "file")
    (place / "it" / "inner" / "folder").symlink_to(place / "precious")
    (place / "it" / "loop").symlink_to("loop")
    os.close(os.open(os.fsencode(place) + b"/it/bad\xff\n", os.O_CREAT | os.O_WRONLY))

    assert removed(place / "it")
    assert [p.name for p in place.rglob("*")] == ["precious", "file"]

    (place / "link").symlink_to(place / "precious")
    assert removed(place / "link") and removed(place / "gone") and removed(place / "gone" / "inner")
    assert [p.name for p in place.rglob("*")] == ["precious", "file"]


@ROOT
@pytest.mark.parametrize("mode", [0o000, 0o200, 0o400, 0o500])
def test_folders_without_permissions_are_removed(place, mode):
    """By a user who is not root and owns them."""

    def work():
        deep(place / "it", 50, mode=mode)
        return removed(place / "it")

    assert as_nobody(work) == ("True", "")
    assert list(place.iterdir()) == []


@ROOT
@pytest.mark.parametrize("mode", [0o700, 0o744, 0o755])
def test_what_belongs_to_another_user_stays_and_the_rest_is_removed(place, mode):
    """Nothing is raised, everything else is removed, and the first error is reported."""

    def made():
        deep(place / "it" / "mine", 3)
        deep(place / "it" / "theirs", 3)
        deep(place / "it" / "also mine", 3)

    (place / "it").mkdir()
    (place / "it").chmod(0o777)
    as_nobody(made)
    root = deep(place / "it" / "theirs" / "of root", 2)
    root.chmod(mode)

    said, _ = as_nobody(lambda: (removed(place / "it"), trouble_removing(place / "it").errno))

    assert said == f"(False, {errno.EACCES})"
    assert sorted(p.name for p in (place / "it").iterdir()) == ["theirs"]
    assert removed(place / "it")


@LINUX
@pytest.mark.skipif(shutil.which("unshare") is None, reason="mounts a small disk")
def test_removal_works_on_a_full_disk_and_enters_no_mounted_one(tmp_path):
    """On a full file system; a mounted one inside is unchanged, and nothing is raised."""
    code = f"""
import os, sys
sys.path[:0] = {[str(Path(__file__).parent), str(Path(__file__).parents[1] / "helpers"), str(Path(__file__).parents[2])]!r}
from pathlib import Path
from test_removal import deep
from torchdojo.common.removal import removed, removed_or_aside
place = Path({str(tmp_path)!r})
deep(place / "it", 1200)
try:
    with open(place / "it" / "full", "wb") as f:
        while True:
            f.write(bytes(4096)); f.flush()
except OSError as error:
    print(error.errno)
try:
    for n in range(100_000):
        (place / "it" / str(n)).touch()
except OSError as error:
    print(error.errno)
print(removed(place / "it"), [p.name for p in place.iterdir()])
deep(place / "it", 3)
os.system(f"mount -t tmpfs -o size=1m none {{place}}/it/d")
(place / "it" / "d" / "precious").touch()
print(removed_or_aside(place / "it"), (place / "torchdojo.left-it" / "d" / "precious").exists())
"""
    script = write(tmp_path.parent / f"{tmp_path.name}.py", code)
    mount = f"mount -t tmpfs -o size=2m,nr_inodes=2000 none {tmp_path} && exec {sys.executable} {script}"
    done = subprocess.run(["unshare", "-rm", "sh", "-c", mount], capture_output=True, text=True, timeout=100)
    if "Operation not permitted" in done.stderr or "permission denied" in done.stderr:
        pytest.skip("nobody may mount anything here")
    assert done.stdout.splitlines() == [str(errno.ENOSPC), str(errno.ENOSPC), "True []", "False True"], done.stderr
    assert done.stderr.count("torchdojo.left-it cannot be removed (another file system is mounted in it)") == 1


def test_removing_never_raises(place, monkeypatch):
    """Not for lack of memory, descriptors or stack, nor when time runs out; the next attempt finishes."""
    deep(place / "it", 100)

    def broken(*_):
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", broken)
        assert not removed_or_aside(place / "it")

    def from_the_depth(n):
        return from_the_depth(n - 1) if n else removed(place / "it")

    limit = sys.getrecursionlimit()
    depth = len(__import__("inspect").stack(0))
    for n in range(limit - depth - 30, limit - depth):
        try:
            from_the_depth(n)
        except RecursionError:
            break
    assert not removed_or_aside(place / "it", 0.0) or not (place / "it").exists()
    assert removed_or_aside(place / "it") and list(place.iterdir()) == []


def test_a_folder_that_is_moved_meanwhile_leads_nowhere_else(place, monkeypatch):
    """A process that is still alive could move the folder that is being emptied below a folder that must be kept."""
    write(place / "precious" / "d" / "file", "x")
    deep(place / "it", 5)
    emptied, calls = removal._emptied, []

    def moving(*words):
        calls.append(0)
        if len(calls) == 4:
            (place / "it/d/d/d").rename(place / "precious" / "moved")
        return emptied(*words)

    monkeypatch.setattr(removal, "_emptied", moving)
    assert not removed(place / "it")
    assert (place / "precious" / "d" / "file").exists()
    monkeypatch.undo()
    assert removed(place / "it")


def test_by_paths_as_on_windows_a_folder_is_removed(place):
    """Without folder descriptors it uses paths, still without recursion, and follows no links."""
    write(place / "precious" / "file", "x")
    deep(place / "it", 400)
    write(place / "it" / "a" / "b", "x").chmod(stat.S_IREAD)
    (place / "it" / "link").symlink_to(place / "precious")
    assert removal._remove_by_path(place / "it", float("inf")) is None
    assert [p.name for p in place.rglob("*")] == ["precious", "file"]
    assert removal._remove_by_path(place / "gone", float("inf")) is None


# ------------------------------------------------------------------ what killed runs left
@pytest.fixture
def elsewhere(place, monkeypatch):
    """A temporary folder of this test's own."""
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    monkeypatch.setattr(temporary, "_mine", [])
    yield place
    temporary.remove()


def dead(folder, count=1_500):
    """A leftover of a killed run: a chain of nested folders."""
    left = folder / "torchdojo-dead"
    left.mkdir()
    (left / "lock").touch()
    deep(left / "scratch-a", count)
    return left


@pytest.mark.slow
def test_a_deep_folder_of_a_killed_run_is_removed(elsewhere, capfd, monkeypatch):
    """By the next run, silently."""
    monkeypatch.setattr(temporary, "SWEEP_SECONDS", 100.0)  # on a busy machine
    left = dead(elsewhere, 5_000)
    temporary.folder("stage")
    assert not left.exists() and capfd.readouterr().err == ""


@pytest.mark.slow
def test_what_takes_too_long_is_removed_by_later_runs(elsewhere, capfd):
    """The cleanup has a time limit; nothing is renamed, and the lock stays, so the next run continues there."""
    left = dead(elsewhere, 5_000)
    temporary.sweep(0.0)
    assert (left / "lock").exists()
    runs = 0
    while left.exists():
        temporary.sweep(0.1)
        runs += 1
    assert runs > 1
    assert capfd.readouterr().err == "" and list(elsewhere.iterdir()) == []


@ROOT
def test_what_cannot_be_removed_is_named_once_and_passed_over(elsewhere):
    """A leftover with another user's files is renamed, and no later run tries it again."""

    def made():
        deep(dead(elsewhere, 3) / "scratch-b", 3)
        elsewhere.joinpath("torchdojo-dead/theirs").mkdir()

    as_nobody(made)
    deep(elsewhere / "torchdojo-dead" / "theirs" / "of root", 3).chmod(0o700)

    _, said = as_nobody(temporary.sweep)
    aside = elsewhere / "torchdojo.left-dead"
    assert said == f"torchdojo: {aside} cannot be removed (Permission denied). Grades do not depend on it; delete it yourself.\n"
    assert [p.name for p in elsewhere.iterdir()] == [aside.name]
    assert [p.name for p in aside.iterdir()] == ["theirs"]
    assert as_nobody(temporary.sweep) == ("None", "")
    assert aside.exists()


def test_a_sweep_that_fails_costs_nothing(elsewhere, monkeypatch):
    """A temporary folder that can't be listed, and a lock that is a pipe or a folder."""
    os.mkfifo(write(elsewhere / "torchdojo-a" / "x", "").parent / "lock")
    (elsewhere / "torchdojo-b" / "lock").mkdir(parents=True)

    def refused(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    temporary.sweep()
    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", refused)
        temporary.sweep()
    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "mkdtemp", refused)
        temporary.begin()
    assert temporary.folder("stage").is_dir()


def test_a_run_folder_that_became_unusable_is_made_anew_and_both_are_removed(elsewhere):
    """A worker without locks can lock or remove what its user can."""
    first = temporary.folder("stage").parent
    removed(first)
    second = temporary.folder("stage").parent
    assert second != first and second.is_dir()
    temporary.remove()
    assert list(elsewhere.iterdir()) == []


# ------------------------------------------------------------------ whole runs
DEEP = """
import os

def double(x):
    for _ in range(1500):
        os.mkdir("d")
        os.chdir("d")
    os._exit(0)
"""
SHUT = """
import os

def double(x):
    for name in ("a", "b", "n" * 255):
        os.mkdir(name)
        os.mkfifo(name + "/p") if len(name) == 1 else os.chmod(name, 0)
    os.chmod(".", 0)
    return x * 2
"""
WORKERS = {
    "locked": "pass",
    "unlocked": "from torchdojo.sandbox.locks import lockdown; lockdown._namespaces_offered = lambda: False",
    "portable": "import os; os.environ['TORCHDOJO_WORKER'] = 'portable'",
}


def torchdojo(root, *words, before="pass", **variables):
    """Run the command, with a line of Python before it, and time to remove what lies there although the machine may be busy."""
    patience = "from torchdojo import limits; limits.SWEEP_SECONDS = 100.0"  # before other modules import it
    code = f"{patience}; {before}; from torchdojo.cli import main; main()"
    return warm.python("-c", code, *words, cwd=root, env=os.environ | variables, ahead=False)


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return make_dojo(tmp_path_factory.mktemp("dojo"))


def statuses(record):
    return {e["id"].rpartition("/")[2]: [c["status"] for c in e["checks"]] for e in record["exercises"]}


@pytest.mark.slow
@LINUX
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", ["locked", "unlocked"])  # in a portable worker it is proved by the class below
def test_deep_folders_are_removed_and_cost_their_check_alone(root, place, tmp_path, kind):
    """1,500 nested folders: only the check in which it happens may fail."""
    make_submission(tmp_path / "s", double=DEEP, total=RIGHT["01_toys/ex02_total"])
    done = torchdojo(root, "grade", tmp_path / "s", "--json", "--device", "cpu", before=WORKERS[kind], TMPDIR=str(place))
    found = statuses(json.loads(done.stdout))
    assert set(found["ex01_double"]) <= {"crashed", "failed", "timeout"} and found["ex02_total"] == ["passed"]
    assert done.returncode == 1 and "nternal error" not in done.stderr
    assert list(place.iterdir()) == []


@pytest.mark.slow
@LINUX
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", WORKERS)
def test_folders_without_permissions_are_removed_and_cost_no_other_check(root, place, tmp_path, kind):
    """A worker leaves them, and pipes in them, in its folder, which it locks too."""
    text, words = SHUT, ["--json", "--device", "cpu"]
    if kind == "portable":  # a right answer is looked at again in eight more workers, each of which takes seconds to start
        text, words = SHUT.replace("return x * 2", "return x"), [*words, "--no-explain"]
    make_submission(tmp_path / "s", double=text, total=RIGHT["01_toys/ex02_total"])
    done = torchdojo(root, "grade", tmp_path / "s", *words, before=WORKERS[kind], TMPDIR=str(place))
    assert statuses(json.loads(done.stdout))["ex02_total"] == ["passed"] and "nternal error" not in done.stderr
    assert list(place.iterdir()) == []


@pytest.mark.slow
@LINUX
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", WORKERS)
def test_what_a_worker_leaves_is_removed_in_a_class_too(root, place, tmp_path, kind):
    """The student who does it loses that exercise, the others nothing; reports are written."""
    total = RIGHT["01_toys/ex02_total"]
    make_submission(tmp_path / "c" / "ada", double=DEEP, total=total)
    make_submission(tmp_path / "c" / "bob", double=RIGHT[DOUBLE], total=total)
    words = ("grade", tmp_path / "c", "--out", tmp_path / "g", "--device", "cpu", "-j", "1")
    done = torchdojo(root, *words, before=WORKERS[kind], TMPDIR=str(place))
    students = {s["key"]: s for s in json.loads((tmp_path / "g" / "grades.json").read_text())["students"]}
    assert (done.returncode, students["ada"]["score"], students["bob"]["score"]) == (1, 1, 4), done.stderr
    assert students["ada"]["max_score"] == 4 and "nternal error" not in done.stderr
    assert list(place.iterdir()) == []
    assert [p.name for p in (tmp_path / "g").iterdir() if p.name.startswith(".")] in ([], [".lock"])


@pytest.mark.slow
@LINUX
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", ["locked", "portable"])
def test_deep_leftovers_are_removed_before_a_run_and_cost_it_nothing(root, place, tmp_path, kind):
    """Otherwise it would stay in the first check of each process forever."""
    make_submission(tmp_path / "s", double=RIGHT[DOUBLE])
    left = dead(place)
    for _ in range(2 if kind == "locked" else 1):  # a portable worker takes seconds to start
        done = torchdojo(root, "grade", tmp_path / "s", "--json", "--device", "cpu", before=WORKERS[kind], TMPDIR=str(place))
        record = json.loads(done.stdout)
        assert (done.returncode, record["score"], record["max_score"]) == (1, 3, 4), done.stderr
        assert "nternal error" not in done.stderr and not left.exists()


@pytest.mark.slow
@LINUX
@pytest.mark.timeout(600)
def test_a_zip_of_deep_folders_is_removed_and_the_class_has_its_reports(root, place, tmp_path):
    """Each member is shallow enough to create; together they are deeper than any recursion allows."""
    (tmp_path / "c").mkdir()
    with zipfile.ZipFile(tmp_path / "c" / "ada.zip", "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("ex01_double.py", RIGHT[DOUBLE])
        for n in (800, 1600, 1950):
            z.writestr("a/" * n + "x.py", "")
    make_submission(tmp_path / "c" / "bob", double=RIGHT[DOUBLE])
    old = tmp_path / "g" / ".received-old"
    old.parent.mkdir()
    deep(old, 1_500)
    for _ in range(2):
        done = torchdojo(root, "grade", tmp_path / "c", "--out", tmp_path / "g", "--device", "cpu", "-j", "1", TMPDIR=str(place))
        students = json.loads((tmp_path / "g" / "grades.json").read_text())["students"]
        assert (done.returncode, [s["score"] for s in students]) == (1, [3, 3]), done.stderr
        assert any("in ada.zip is nested deeper than 24 folders and was left out." in note for note in students[0]["notes"])
        assert {"grades.json", "grades.csv", "report.html"} <= {p.name for p in (tmp_path / "g").iterdir()}
        assert list((tmp_path / "g").glob(".received-*")) == []

    done = torchdojo(root, "grade", tmp_path / "c" / "ada.zip", "--device", "cpu", TMPDIR=str(place))
    assert done.returncode == 1 and "3 of 4 points" in done.stdout and "is nested deeper than 24 folders" in done.stderr
    assert list(place.iterdir()) == []


@pytest.mark.slow
@LINUX
@pytest.mark.timeout(600)
def test_reports_are_written_where_nothing_can_be_removed(root, tmp_path):
    """Whatever fails in cleaning up, the exit code is that of the grades."""
    make_submission(tmp_path / "c" / "ada", double=RIGHT[DOUBLE])
    make_submission(tmp_path / "c" / "bob", double=RIGHT[DOUBLE])
    broken = (
        "from torchdojo.common import removal; import os; removal._remove = removal._entered = lambda *w: (_ for _ in ()).throw(OSError(1, 'not permitted'))\n"
        "from torchdojo.classroom.pool import Pool; end = Pool.close\n"
        "Pool.close = lambda self: (end(self), 1 / 0)\n"
        "pass"
    )
    words = ("grade", tmp_path / "c", "--out", tmp_path / "g", "--device", "cpu", "-j", "1", "--only", "ex01_double")
    done = torchdojo(root, *words, before=broken, TMPDIR=str(tmp_path))
    assert done.returncode == 0 and (tmp_path / "g" / "report.html").exists(), done.stderr
    assert "ending the grading processes failed (ZeroDivisionError: division by zero)" in done.stderr
    assert "cannot be removed (not permitted)" in done.stderr and "nternal error" not in done.stderr
