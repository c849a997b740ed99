"""What known mistakes and slips answer on the checks' examples, as sketches: computed once, then looked up.

It is the same for every submission of one version of a course. A class keeps it in a file beside its journal, under the key that
its results have too; where there is no file, it lasts as long as the oracle.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise
    from torchdojo.judge.oracle import Oracle

NAME = "explanations.sqlite"
MOST_TABLES = 8  # tables that are held in memory at once, a few megabytes each
SECONDS = 30.0  # to wait while another process writes
FORM = 1
READY = "ready"  # the name under which it is noted that everything was computed ahead
TABLES = """
CREATE TABLE IF NOT EXISTS exercises(id TEXT PRIMARY KEY, key TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS found(id TEXT, name TEXT, data BLOB NOT NULL, PRIMARY KEY(id, name)) WITHOUT ROWID;
"""


class Table:
    """What is kept of one exercise: bytes by name."""

    def __init__(self, rows: dict[str, bytes]) -> None:
        self.rows = rows
        self.new: dict[str, bytes] = {}
        self.read: dict[str, Any] = {}  # what was made of some rows

    def get(self, name: str, make: Callable[[], bytes]) -> bytes:
        """The bytes under a name; made, and kept from then on, where there are none."""
        if name not in self.rows:
            self.rows[name] = self.new[name] = make()
        return self.rows[name]


class Kept:
    """The tables of a course."""

    def __init__(self, file: Path | None = None, key: Callable[[Exercise], str] = lambda exercise: "") -> None:
        """file: where they are kept, if anywhere; key: what the table of an exercise depends on."""
        self.file, self.key = file, key
        self.tables: dict[str, Table] = {}
        self.keys: dict[str, str] = {}

    def table(self, exercise: Exercise) -> Table:
        """The table of an exercise; read from the file when it is first asked for."""
        if exercise.id not in self.tables:
            if self.file is not None and len(self.tables) >= MOST_TABLES:
                self.save()
                self.tables.pop(next(iter(self.tables)))
            self.keys[exercise.id] = self.key(exercise)
            self.tables[exercise.id] = Table(self._read(exercise.id))
        return self.tables[exercise.id]

    def is_ready(self, exercise: Exercise) -> bool:
        """Does the file hold what `explain.prepare` computes?"""
        if self.file is None or not self.file.is_file():
            return False
        with contextlib.suppress(sqlite3.Error, OSError), contextlib.closing(self._open()) as db:
            row = db.execute("SELECT 1 FROM found WHERE id=? AND name=?", (exercise.id, READY)).fetchone()
            return row is not None and self._key(db, exercise.id) == self.key(exercise)
        return False

    def save(self) -> None:
        """Write what is new. What can't be written is computed again later."""
        new = {i: table.new for i, table in self.tables.items() if table.new}
        if self.file is None or not new:
            return
        with contextlib.suppress(sqlite3.Error, OSError), contextlib.closing(self._open()) as db, db:
            for exercise, rows in new.items():
                db.execute("BEGIN IMMEDIATE")
                if self._key(db, exercise) != self.keys[exercise]:
                    db.execute("DELETE FROM found WHERE id=?", (exercise,))
                    db.execute("INSERT OR REPLACE INTO exercises VALUES(?, ?)", (exercise, self.keys[exercise]))
                db.executemany("INSERT OR IGNORE INTO found VALUES(?, ?, ?)", [(exercise, *row) for row in rows.items()])
                db.commit()
        for table in self.tables.values():
            table.new = {}

    def _read(self, exercise: str) -> dict[str, bytes]:
        if self.file is None or not self.file.is_file():
            return {}
        with contextlib.suppress(sqlite3.Error, OSError), contextlib.closing(self._open()) as db:
            if self._key(db, exercise) == self.keys[exercise]:
                return dict(db.execute("SELECT name, data FROM found WHERE id=?", (exercise,)).fetchall())
        return {}

    def _open(self) -> sqlite3.Connection:
        """A connection for one reading or writing: none is open when a process is forked."""
        db = sqlite3.connect(str(self.file), timeout=SECONDS, isolation_level=None)
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        if db.execute("PRAGMA user_version").fetchone()[0] != FORM:
            db.executescript(f"DROP TABLE IF EXISTS found; DROP TABLE IF EXISTS exercises; PRAGMA user_version={FORM};")
        db.executescript(TABLES)
        return db

    @staticmethod
    def _key(db: sqlite3.Connection, exercise: str) -> str:
        row = db.execute("SELECT key FROM exercises WHERE id=?", (exercise,)).fetchone()
        return row[0] if row else ""


def table(oracle: Oracle, exercise: Exercise) -> Table:
    """The table of an exercise, which all sessions with this oracle share."""
    if oracle.kept is None:
        oracle.kept = Kept()
    found: Table = oracle.kept.table(exercise)
    return found
