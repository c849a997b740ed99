"""Small notebooks in the formats of Otter and nbgrader, as instructors write them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbformat import v4, write


def raw(text: str) -> Any:
    return v4.new_raw_cell(text)


def md(text: str) -> Any:
    return v4.new_markdown_cell(text)


def code(text: str, shown: str | None = None, printed: str = "", **nbgrader: Any) -> Any:
    """A code cell. shown, printed: its saved output. nbgrader: its metadata for nbgrader."""
    cell = v4.new_code_cell(text)
    if printed:
        cell.outputs.append(v4.new_output("stream", name="stdout", text=printed))
    if shown is not None:
        cell.outputs.append(v4.new_output("execute_result", data={"text/plain": shown}, execution_count=1))
    if nbgrader:
        cell.metadata["nbgrader"] = {"grade": False, "solution": False, "locked": False, "schema_version": 3} | nbgrader
    return cell


def question(config: str, text: str, answer: list[Any], tests: list[Any]) -> list[Any]:
    """A question in Otter's format 1."""
    block = [raw("# BEGIN TESTS"), *tests, raw("# END TESTS")] if tests else []
    solution = [raw("# BEGIN SOLUTION"), *answer, raw("# END SOLUTION")]
    return [raw(f"# BEGIN QUESTION\n{config}"), md(text), *solution, *block, raw("# END QUESTION")]


def notebook(file: Path, cells: list[Any], language: str = "python") -> Path:
    """Write a notebook; its path."""
    book = v4.new_notebook(cells=cells, metadata={"kernelspec": {"name": "k", "display_name": "k", "language": language}})
    file.parent.mkdir(parents=True, exist_ok=True)
    write(book, file)
    return file


OTTER = [
    raw("# ASSIGNMENT CONFIG\ngenerate: true\nfiles:\n  - depths.csv"),
    md("# Lake levels\n\nRead the levels first."),
    code("%matplotlib inline\nimport csv\nimport statistics\nfrom stretch import widened"),
    code('with open("depths.csv") as file:\n    depths = [float(row["depth"]) for row in csv.DictReader(file)]\ndepths'),
    *question(
        "name: q1\npoints: 3",
        "**Question 1.** Write `span`, the difference of the largest and the smallest value.",
        [
            code(
                "def checked(values):\n    assert values\n    return values\n\n"
                'def span(values):\n    """Return the largest minus the smallest."""\n'
                "    # BEGIN SOLUTION\n    values = checked(values)\n    return max(values) - min(values)\n    # END SOLUTION\n"
            )
        ],
        [
            code("span([1, 4, 2])", "3"),
            code('""" # BEGIN TEST CONFIG\npoints: 2\nhidden: true\nfailure_message: negative values\n""" # END TEST CONFIG\nspan([-2, -8]) == 6', "True"),
        ],
    ),
    *question("name: q2\nmanual: true\npoints: 2.5", "**Question 2.** Plot them.", [code("plt.plot(depths); # SOLUTION")], []),
    md("Now with the file."),
    *question(
        "name: q3",
        "**Question 3.** Assign the mean to `level` and the span to `range_`.",
        [code("level = statistics.fmean(depths) # SOLUTION\nrange_ = span(depths) # SOLUTION\nlevel")],
        [
            code("# Assign something to level.\n'level' in vars()", "True"),
            code("# HIDDEN\nfor value in (level, range_):\n    assert value > 1\nassert widened(level) == 5.0"),
            code("print(level)\nprint(range_)", printed="2.5\n3.0\n"),
            code("round(level, 3)", "np.float64(2.5)"),
        ],
    ),
    *question("name: q4", "**Question 4.** Why?", [md("**SOLUTION**: Rain.")], []),
    *question(
        "name: q5", "**Question 5.** Double it.", [code("twice = 2 * level # SOLUTION\nleap = plot_of # SOLUTION")], [code("twice == 5", "True")]
    ),
]
DEPTHS = "depth\n1.0\n2.5\n4.0\n"
STRETCH = "def widened(value):\n    return 2 * value\n"

# jAssign's format: the settings stand in the text, the tests are known by their first line, and nothing says where a question ends
OLD_OTTER = [
    md("# Waves"),
    code("import math"),
    md("**Question 1.** Write `height`.\n\n<!--\nBEGIN QUESTION\nname: q1\npoints: 2\n-->"),
    code("def height(t):\n    return math.sin(t) # SOLUTION"),
    code("# TEST\nheight(0)", "0.0"),
    code("# HIDDEN TEST\nround(height(1), 3)", "0.841"),
    md("```\nBEGIN QUESTION\nname: q2\nmanual: true\n```\n**Question 2.** Explain."),
    code("height(2)"),
]

NBGRADER = [
    md("# Sums\n\nHow to add."),
    code("import operator\nfrom functools import reduce"),
    md("## Part A (3 points)\n\nWrite `total`. For an empty list it raises a `ValueError`, as in $\\sum_i x_i$."),
    code(
        'def total(values):\n    """Add up."""\n    ### BEGIN SOLUTION\n    if not values:\n        raise ValueError("nothing to add")\n'
        "    return reduce(operator.add, values)\n    ### END SOLUTION",
        grade_id="total",
        solution=True,
    ),
    md("Try it."),
    code("total([1, 2])"),
    code(
        '"""total adds integers"""\nassert total([1, 2]) == 3\n### BEGIN HIDDEN TESTS\nassert total([5]) == 5\n### END HIDDEN TESTS',
        grade_id="adds",
        grade=True,
        points=2,
    ),
    code("def raises(error, call):\n    try:\n        call()\n    except error:\n        return\n    raise AssertionError", grade_id="helper", locked=True),
    code("# nothing to add\nraises(ValueError, lambda: total([]))", grade_id="empty", grade=True, points=1),
    md("## Part B\n\nWrite `mean`, with `total`."),
    code("def mean(values):\n    return total(values) / len(values)", grade_id="mean", solution=True),
    code("### AUTOTEST mean([2.0])", grade_id="auto", grade=True, points=1),
    code("kept = total\ndel total\ntry:\n    mean([1])\nexcept NameError:\n    pass\nelse:\n    raise AssertionError('total is not used')\nfinally:\n    total = kept", grade_id="uses", grade=True, points=1),
    code("assert mean([1, 3]) == 2", grade_id="cell-0123456789abcdef", grade=True, points=1),
    md("## Part C\n\nSay why."),
    v4.new_markdown_cell("Because.", metadata={"nbgrader": {"grade": True, "solution": True, "points": 2, "grade_id": "why"}}),
    v4.new_markdown_cell("Plot.", metadata={"nbgrader": {"grade": False, "solution": False, "task": True, "points": 1, "grade_id": "plot"}}),
    code("import chart\nchart.draw()", grade_id="chart", grade=True, solution=True, points=3),
    md("## Part D\n\nAssign the answer."),
    code("answer = 6 * 7", grade_id="answer", solution=True),
    code("assert isinstance(answer, int)\n### BEGIN HIDDEN TESTS\nassert answer == 42\n### END HIDDEN TESTS", grade_id="is_right", grade=True, points=1),
]
