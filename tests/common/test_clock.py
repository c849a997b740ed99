"""A limit on processor time: a pause doesn't count, and needs no limit."""

from torchdojo.common import clock


def test_a_pause_without_a_limit_changes_nothing():
    """Explanations pause the clock of whatever called them, if there is one."""
    with clock.paused():
        assert not clock.is_on()
    assert not clock.is_on()


def test_a_limit_goes_on_after_a_pause():
    with clock.limited(60.0):
        with clock.paused():
            assert not clock.is_on()
        assert 50.0 < clock.left() <= 60.0
    assert not clock.is_on()
