"""How a place in an answer is written out."""

import pytest

from torchdojo.judge.compare import compare


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"channels last": {"contiguous": 1}}, "channels last, contiguous: got 1, wanted 2"),
        ({"rows given": [{"shape": 1}, 0.5]}, "rows given, entry 0, shape: got 1, wanted 2"),
        ({"rows given": [{0.5: 0.5}, [1]]}, "rows given, entry 1: got [1], wanted [2]"),
        ({"shapes passed": [[{"a": 1}, 0.5]]}, "shapes passed, entry [0][0].a: got 1, wanted 2"),
        ({"first optimizer": {"step 3": {"weight": 1}}}, "first optimizer, weight after step 3: got 1, wanted 2"),
        ({"gradient of": {"x": 1}}, "gradient of x: got 1, wanted 2"),
        ({"call 2": {"weight": 1}}, "call 2.weight: got 1, wanted 2"),
        ({"model": {"weight": 1}}, "model.weight: got 1, wanted 2"),
    ],
)
def test_a_name_of_several_words_is_set_off_with_a_comma(answer, said):
    """'channels last.contiguous' reads like an attribute, which it isn't."""
    difference = compare(answer, _with_two(answer))

    assert difference is not None and difference.sentence == said


def _with_two(value):
    """The same, with 2 for 1."""
    if isinstance(value, dict):
        return {key: _with_two(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_with_two(part) for part in value]
    return 2 if value == 1 else value
