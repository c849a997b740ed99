"""The journal of a class: one SQLite file that stores every result as soon as it is known.

Each check is committed when it finishes (checks that finish within 25 milliseconds are committed together), in WAL mode. A
process that is killed loses only the checks that it was running. An unfinished exercise is graded again from its beginning, so
its checks are the same as in a run without interruption.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import sqlite3
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from torchdojo.classroom.facts import Content, Fault, Run, RunFacts, StudentFacts
from torchdojo.common.errors import UsageError
from torchdojo.judge.record import CheckRecord, ExerciseRecord, check_of

NAME = "journal.sqlite"
APPLICATION, VERSION = 0x646F6A6F, 1
TABLES = """
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE runs(id INTEGER PRIMARY KEY, started REAL NOT NULL, ended REAL, facts TEXT NOT NULL);
CREATE TABLE students(key TEXT PRIMARY KEY, place INTEGER NOT NULL, facts TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE results(student TEXT, exercise TEXT, key TEXT NOT NULL, run INTEGER NOT NULL, finished INTEGER NOT NULL,
    PRIMARY KEY(student, exercise)) WITHOUT ROWID;
CREATE TABLE checks(student TEXT, exercise TEXT, place INTEGER, record TEXT NOT NULL,
    PRIMARY KEY(student, exercise, place)) WITHOUT ROWID;
CREATE TABLE past(run INTEGER, student TEXT, exercise TEXT, checks TEXT NOT NULL,
    PRIMARY KEY(run, student, exercise)) WITHOUT ROWID;
CREATE TABLE faults(id INTEGER PRIMARY KEY, run INTEGER, at REAL, student TEXT, exercise TEXT, text TEXT NOT NULL);
"""


class Journal:
    """An open journal. All results that it returns are plain records; one process writes, any number may read."""

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        """folder: the journal's folder. create: create the journal if there is none. Raises UsageError."""
        self.path = folder / NAME
        if self.path.is_dir():
            raise UsageError(f"{self.path} is a folder, but the journal must be a file; move the folder away")
        if not create and self.path.is_file() and not self.path.stat().st_size:  # a kill came before the tables
            raise UsageError(f"{self.path} is empty; run `torchdojo grade submissions/ --out {folder}` first")
        if not create and not self.path.is_file():
            raise UsageError(f"{folder} holds no {NAME}; run `torchdojo grade submissions/ --out {folder}` first")
        new = not self.path.exists() or self.path.stat().st_size == 0  # a kill may have come before the tables
        with self.trouble():
            if create:
                folder.mkdir(parents=True, exist_ok=True)
            try:
                self._connect("" if create else "?mode=ro")
                self._open(new and create)
            except sqlite3.OperationalError:  # WAL needs further files beside the journal, which a read-only folder doesn't allow
                waiting = self.path.with_name(f"{NAME}-wal")
                if create or os.access(folder, os.W_OK) or (waiting.exists() and waiting.stat().st_size):
                    raise
                self._connect("?immutable=1")
                self._open(new=False)
            if create:
                self.db.execute("PRAGMA journal_mode=WAL")
                self.db.execute("PRAGMA synchronous=NORMAL")

    def _connect(self, how: str) -> None:
        target = f"{self.path.resolve().as_uri()}{how}" if how else self.path
        self.db = sqlite3.connect(target, uri=bool(how), timeout=60.0, isolation_level=None)

    def _open(self, new: bool) -> None:
        application = self.db.execute("PRAGMA application_id").fetchone()[0]
        if new or (application == 0 and not self.db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]):
            salt = f"INSERT INTO meta VALUES('salt', '\"{secrets.token_hex(16)}\"');"
            version = f"PRAGMA application_id={APPLICATION}; PRAGMA user_version={VERSION};"
            self.db.executescript(f"BEGIN IMMEDIATE; {TABLES} {salt} {version} COMMIT;")
        elif application != APPLICATION:
            raise UsageError(f"{self.path} is not a torchdojo journal; it was not changed. Choose another folder with --out")
        version = self.db.execute("PRAGMA user_version").fetchone()[0]
        if version != VERSION:
            raise UsageError(
                f"{self.path} was made by another version of torchdojo (format {version}, not {VERSION}); use that version"
            )
        complaint = self.db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if complaint != "ok":
            raise sqlite3.DatabaseError(" ".join(str(complaint).split()))

    @contextlib.contextmanager
    def trouble(self) -> Iterator[None]:
        """Turn SQLite's errors into one line. The file's contents are never touched."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise UsageError(f"{self.path} cannot be used: {error}; its contents are intact") from None
        except sqlite3.DatabaseError as error:
            raise UsageError(
                f"{self.path} is damaged ({error}); it was not changed. Restore a backup, or move the file away and grade again"
            ) from None
        except OSError as error:
            raise UsageError(f"{self.path} cannot be used: {error.strerror}") from None

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """The same for errors when stored text is decoded: SQLite doesn't notice changed text."""
        with self.trouble():
            try:
                yield
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                raise sqlite3.DatabaseError(f"not what was written: {error}") from None

    @contextlib.contextmanager
    def _change(self, *, now: bool = True) -> Iterator[sqlite3.Connection]:
        """A change, and those before it that were not to be committed at once. now: commit it."""
        with self.trouble():
            if not self.db.in_transaction:
                self.db.execute("BEGIN IMMEDIATE")
            try:
                yield self.db
            except BaseException:
                self.db.rollback()  # no error where SQLite has done so already, as when the disk is full
                raise
        if now:
            self.commit()

    def commit(self) -> None:
        """Commit what `start`, `add` and `fault` have changed."""
        with self.trouble():
            self.db.commit()

    # ------------------------------------------------------------------ what was asked for
    def set(self, **values: Any) -> None:
        """Store facts about the class, such as its folder and its exercises."""
        with self._change() as db:
            db.executemany("INSERT OR REPLACE INTO meta VALUES(?, ?)", [(k, json.dumps(v)) for k, v in values.items()])

    def get(self, name: str, default: Any = None) -> Any:
        with self.reading():
            row = self.db.execute("SELECT value FROM meta WHERE name=?", (name,)).fetchone()
            return default if row is None else json.loads(row[0])

    def unfinished(self) -> bool:
        """Was the last run interrupted? The next run continues it."""
        runs = self.runs()
        return bool(runs) and runs[-1]["ended"] is None

    def begin(self, facts: RunFacts) -> int:
        """Start a run, or continue the last one if it was interrupted. Returns its number."""
        with self._change() as db:
            last = db.execute("SELECT id, ended FROM runs ORDER BY id DESC LIMIT 1").fetchone()
            if last is not None and last[1] is None:
                db.execute("UPDATE runs SET facts=? WHERE id=?", (json.dumps(facts), last[0]))
                return int(last[0])
            return int(db.execute("INSERT INTO runs(started, facts) VALUES(?, ?)", (time.time(), json.dumps(facts))).lastrowid or 0)

    def end(self, run: int, facts: RunFacts) -> None:
        """Everything that the run was to do is done."""
        with self._change() as db:
            db.execute("UPDATE runs SET ended=?, facts=? WHERE id=?", (time.time(), json.dumps(facts), run))

    def note(self, run: int, facts: RunFacts) -> None:
        """Replace the facts of a run that is not over."""
        with self._change() as db:
            db.execute("UPDATE runs SET facts=? WHERE id=?", (json.dumps(facts), run))

    def runs(self) -> list[Run]:
        """All runs, the first first: id, started, ended (None: it was interrupted, or goes on), and their facts."""
        with self.reading():
            rows = self.db.execute("SELECT id, started, ended, facts FROM runs ORDER BY id").fetchall()
            runs: list[Run] = []
            for number, started, ended, text in rows:
                facts: RunFacts = json.loads(text)
                runs.append({**facts, "id": number, "started": started, "ended": ended})
            return runs

    # ------------------------------------------------------------------ students
    def students(self) -> dict[str, StudentFacts]:
        """The facts of every student, by key, in the order of the roster."""
        with self.reading():
            rows = self.db.execute("SELECT key, facts FROM students ORDER BY place, key").fetchall()
            return {key: json.loads(facts) for key, facts in rows}

    def contents(self) -> dict[str, Content]:
        """What each student handed in, as digests."""
        return {key: facts.get("content", "") for key, facts in self.students().items()}

    def set_students(self, students: Mapping[str, StudentFacts]) -> None:
        """Replace the list of students. Results of students who are gone stay in the journal, unused, in case they come back."""
        with self._change() as db:
            db.execute("DELETE FROM students")
            db.executemany(
                "INSERT INTO students VALUES(?, ?, ?)", [(k, n, json.dumps(f)) for n, (k, f) in enumerate(students.items())]
            )

    # ------------------------------------------------------------------ results
    def finished(self) -> dict[tuple[str, str], str]:
        """The key under which each (student, exercise) was finished."""
        with self.trouble():
            rows = self.db.execute("SELECT student, exercise, key FROM results WHERE finished").fetchall()
        return {(student, exercise): key for student, exercise, key in rows}

    def start(self, run: int, student: str, exercise: str, key: str) -> None:
        """Make room for new results of an exercise. Finished ones of before are kept, for comparison."""
        with self._change(now=False) as db:
            row = db.execute("SELECT finished FROM results WHERE student=? AND exercise=?", (student, exercise)).fetchone()
            if row is not None and row[0]:
                _keep(db, run, student, exercise)
            db.execute("DELETE FROM checks WHERE student=? AND exercise=?", (student, exercise))
            db.execute("INSERT OR REPLACE INTO results VALUES(?, ?, ?, ?, 0)", (student, exercise, key, run))

    def add(self, student: str, exercise: str, place: int, check: CheckRecord, last: bool, key: str | None = None) -> None:
        """One more check is known; with the last one, the exercise is finished, under `key` or the one it was started with."""
        with self._change(now=False) as db:
            db.execute("INSERT OR REPLACE INTO checks VALUES(?, ?, ?, ?)", (student, exercise, place, json.dumps(vars(check))))
            if last:
                done = "UPDATE results SET finished=1, key=coalesce(?, key) WHERE student=? AND exercise=?"
                db.execute(done, (key, student, exercise))

    def replace(self, run: int, student: str, exercise: str, checks: list[CheckRecord], key: str | None = None) -> None:
        """Put records of the same checks in the place of those that there are, all at once; key: the new one, if it changes."""
        with self._change(now=False) as db:
            before = db.execute("SELECT run FROM results WHERE student=? AND exercise=?", (student, exercise)).fetchone()
            if before[0] != run:
                _keep(db, run, student, exercise)
            rows = [(json.dumps(vars(check)), student, exercise, place) for place, check in enumerate(checks)]
            db.executemany("UPDATE checks SET record=? WHERE student=? AND exercise=? AND place=?", rows)
            done = "UPDATE results SET key=coalesce(?, key), run=? WHERE student=? AND exercise=?"
            db.execute(done, (key, run, student, exercise))

    def records(self) -> dict[tuple[str, str], ExerciseRecord]:
        """All results, by student and exercise."""
        records: dict[tuple[str, str], ExerciseRecord] = {}
        with self.reading():
            for student, exercise, text in self.db.execute(
                "SELECT student, exercise, record FROM checks ORDER BY student, exercise, place"
            ):
                records.setdefault((student, exercise), ExerciseRecord(exercise)).checks.append(check_of(json.loads(text)))
        return records

    def checks(self, student: str, exercise: str) -> list[CheckRecord]:
        """The records of one result."""
        asked = "SELECT record FROM checks WHERE student=? AND exercise=? ORDER BY place"
        with self.reading():
            return [check_of(json.loads(text)) for (text,) in self.db.execute(asked, (student, exercise))]

    def past(self, run: int) -> dict[tuple[str, str], ExerciseRecord]:
        """The results that a run replaced."""
        with self.reading():
            rows = self.db.execute("SELECT student, exercise, checks FROM past WHERE run=?", (run,)).fetchall()
            return {(s, e): ExerciseRecord(e, [check_of(c) for c in json.loads(text)]) for s, e, text in rows}

    # ------------------------------------------------------------------ internal errors
    def fault(self, run: int, student: str, exercise: str, text: str) -> None:
        """Keep a traceback of ours in full."""
        with self._change(now=False) as db:
            db.execute(
                "INSERT INTO faults(run, at, student, exercise, text) VALUES(?, ?, ?, ?, ?)",
                (run, time.time(), student, exercise, text),
            )

    def faults(self) -> list[Fault]:
        with self.trouble():
            rows = self.db.execute("SELECT run, at, student, exercise, text FROM faults ORDER BY id").fetchall()
        return [{"run": run, "at": at, "student": student, "exercise": e, "text": text} for run, at, student, e, text in rows]

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):  # if a run is stopped, the results of its last milliseconds may be lost
            self.db.commit()
        self.db.close()


def _keep(db: sqlite3.Connection, run: int, student: str, exercise: str) -> None:
    """Keep the results of an exercise that a run is about to replace, unless it has replaced older ones already."""
    old = db.execute("SELECT record FROM checks WHERE student=? AND exercise=? ORDER BY place", (student, exercise))
    text = "[" + ",".join(r[0] for r in old) + "]"
    db.execute("INSERT OR IGNORE INTO past VALUES(?, ?, ?, ?)", (run, student, exercise, text))
