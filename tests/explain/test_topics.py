"""What the keys that graders return speak of: tests/explain/topics.txt lists it, so that a reworded key can't lose its topic unnoticed.

`python tests/explain/test_topics.py` writes the list; read what changed before you commit it.
"""

import ast
from pathlib import Path

from torchdojo.explain.topics import Topic, speaks_of

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("topics.txt")
SOURCES = ("graders", "torchdojo/grading", "torchdojo/worker")


def keys() -> list[str]:
    """The keys of all dictionaries in graders and probes; what is formatted into one counts as 1."""
    found = set()
    for folder in SOURCES:
        for file in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                found.update(text for key in getattr(node, "keys", []) if (text := _text(key)) is not None)
    return sorted(found)


def _text(key: ast.expr) -> str | None:
    if isinstance(key, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "1" for part in key.values)
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None


def topics(key: str) -> list[str]:
    """The names of the topics, some of which look at the key in lower case."""
    return [topic.name for topic in Topic if speaks_of(key, topic) or speaks_of(key.lower(), topic)]


def listed() -> str:
    """A line for each key that has a topic."""
    return "".join(f"{key}: {' '.join(found)}\n" for key in keys() if (found := topics(key)))


def test_every_key_keeps_its_topics():
    """If you reword a key, the failing list shows which topics it gained or lost."""
    assert listed() == LIST.read_text(encoding="utf-8")


def test_every_topic_has_a_key():
    """A topic that no key has is a rule that never speaks."""
    named = {topic for key in keys() for topic in topics(key)}
    assert [topic.name for topic in Topic if topic.name not in named] == []


if __name__ == "__main__":
    LIST.write_text(listed(), encoding="utf-8")
