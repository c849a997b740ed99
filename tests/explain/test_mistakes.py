"""Known mistakes are named when all that was observed agrees, and only then: odd combinations included."""

import sys
from pathlib import Path

import pytest
import torch

from torchdojo.course.exercise import Dojo
from torchdojo.explain import causes, programs, search
from torchdojo.judge.compare import Difference
from torchdojo.judge.oracle import Oracle
from torchdojo.variants import Variant
from torchdojo.verify.trusted import Trusted
from torchdojo.wire.outcome import Outcome

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))


@pytest.fixture(scope="module")
def exercise():
    """One whose checks see several mistakes alike."""
    (found,) = Dojo(ROOT).select("02_broadcasting/ex05")
    return found


@pytest.fixture(scope="module")
def oracle():
    return Oracle(0, devices=["cpu", "sim"])  # one of the mistakes shows nowhere else


def named(exercise, oracle, variant, without=()):
    """The sentences that the failed checks of a mistake are told."""
    session = Trusted(oracle, lambda: programs.overlaid(exercise, variant), f"{variant.name} here")
    failed = [c for c in exercise.grading.checks if session.verdict(exercise, c).status == "failed"]
    assert failed
    return {said(search._all(session, exercise, c, frozenset(without), frozenset(exercise.grading.checks))) for c in failed}


def said(named):
    """The sentence of what is named, or None."""
    return named and named.sentence


def known(exercise):
    return [v for v in exercise.variants if v.kind == "mistake"]


@pytest.mark.slow
def test_every_mistake_is_named(exercise, oracle):
    """By its own sentence, in at least one of the checks that it fails."""
    for variant in known(exercise):
        assert named(exercise, oracle, variant) - {None} == {variant.sentence}


@pytest.mark.slow
def test_a_mistake_that_nobody_knows_is_not_taken_for_another(exercise, oracle):
    """A mistake that is left out of the library gets no name, even if it agrees with another mistake in one of the checks."""
    for variant in known(exercise):
        twins = {v.name for v in known(exercise) if v.sentence == variant.sentence}
        assert named(exercise, oracle, variant, twins) == {None}


@pytest.mark.slow
@pytest.mark.parametrize("again", [Outcome(1, changed=["the first answer"]), Outcome(2)])
def test_what_a_second_call_shows_hides_no_mistake(again, exercise, oracle):
    """In another check it writes into the first answer, or gives another one: the mistake explains its own checks all the same."""
    variant = next(v for v in known(exercise) if v.name == "differences_in_float32")  # right in some checks
    session = Trusted(oracle, lambda: programs.overlaid(exercise, variant), f"{variant.name} here")
    verdicts = {c: session.verdict(exercise, c) for c in exercise.grading.checks}
    fine = next(v for v in verdicts.values() if v.status == "passed")
    fine.status, fine.difference = "failed", Difference("flaky", (), "a second call ...", again, Outcome(1))

    told = {said(search.named(session, exercise, c)) for c, v in verdicts.items() if v.status == "failed" and v is not fine}

    assert told - {None} == {variant.sentence}


def test_a_function_that_errors_name_is_called_as_in_the_exercise(oracle):
    """PyTorch's error says whose output was edited: the learner's Function and the mistake are then one and the same."""
    (exercise,) = Dojo(ROOT).select("04_functions/bonus2")
    (variant,) = (v for v in known(exercise) if v.name == "saves_the_result")
    session = Trusted(oracle, lambda: programs.overlaid(exercise, variant), "saves_the_result here")
    raised = [o.raised.text for c in exercise.grading.checks for o in session.verdict(exercise, c).outcomes if o.raised is not None]
    assert raised and all("output 0 of GradReverse," in text for text in raised)


@pytest.mark.slow
def test_two_mistakes_at_once_are_each_named_where_they_show(oracle):
    """They replace different functions of one file, so all failed checks are explained by the two together."""
    (exercise,) = Dojo(ROOT).select("04_functions/bonus2")
    by_name = {name: [v for v in known(exercise) if list(v.replacements()) == [name]] for name in ("GradReverse", "SignSTE")}
    one, other = by_name["GradReverse"][1], by_name["SignSTE"][1]
    both = Variant("mistake", "both", "", (), lambda: one.replacements() | other.replacements())
    assert named(exercise, oracle, both) - {None} <= {one.sentence, other.sentence}
    assert named(exercise, oracle, both) & {one.sentence, other.sentence}


@pytest.mark.slow
def test_a_mistake_is_named_however_much_work_it_does(oracle):
    """Rules about the number of steps apply to right answers only. Of a wrong answer only the values are compared."""
    (masks,) = Dojo(ROOT).select("02_broadcasting/ex06")
    (one,) = (v for v in known(masks) if v.name == "without_the_diagonal")
    other = Variant("mistake", "tril", "", (), lambda: {"causal_mask": lambda T, device=None: torch.ones(T, T, device=device).tril(-1).bool()})
    session = Trusted(oracle, lambda: programs.overlaid(masks, other), "tril here")
    rule = next(c for c in masks.grading.checks if c.beside and c.verdict is not None)
    assert session.verdict(masks, rule).status == "failed"
    assert search.named(session, masks, rule).sentence == one.sentence


def both_at_once(exercise, oracle, one, *parts):
    """A session with two mistakes in one function: of its dict these parts are those of the other mistake."""
    replaced = {v.name: v.replacements()["mlp_backward"] for v in known(exercise)}

    def backward(*tensors):
        found = replaced[one](*tensors)
        return found | {part: replaced[other](*tensors)[part] for part, other in parts}

    mixed = Variant("mistake", "two in one", "", (), lambda: {"mlp_backward": backward})
    return Trusted(oracle, lambda: programs.overlaid(exercise, mixed), str(parts))


@pytest.mark.slow
def test_two_mistakes_in_one_function_are_each_named_where_they_show():
    """Each in the checks that it explains alone, both where it takes the two; with a part that neither explains, none."""
    oracle = Oracle(0, devices=["cpu"])
    (backward,) = Dojo(ROOT).select("06_modules/ex03")
    sentences = {v.name: v.sentence for v in known(backward)}
    session = both_at_once(backward, oracle, "lets_everything_through_relu", ("y", "same_sign_for_y"))
    relu, sign = (sentences[name] for name in ("lets_everything_through_relu", "same_sign_for_y"))
    told = {c.name: said(search.named(session, backward, c)) for c in backward.grading.checks if session.verdict(backward, c).status == "failed"}
    assert told["units_that_are_off_learn_nothing"] == relu and told["loss_reaches_the_output"] == sign
    assert told["every_gradient_is_right"] == f"Two mistakes: (1) {relu} (2) {sign}"
    assert not any(search._all(session, backward, c, frozenset(), frozenset(backward.grading.checks)) for c in backward.grading.checks if c.name in told)

    third = both_at_once(backward, oracle, "lets_everything_through_relu", ("y", "same_sign_for_y"), ("W2", "uses_pre_for_w2"))
    assert {search._together(third, backward, c, frozenset(), frozenset(backward.grading.checks)) for c in backward.grading.checks} == {None}


def answered(oracle, answers):
    """A session in which the predict_graph quiz is answered rightly but for these answers."""
    (quiz,) = Dojo(ROOT).select("03_autograd/ex03_predict_graph")
    right = quiz.reference_module.ANSWERS
    assert quiz.variants  # read while the reference is the one that they import
    variant = Variant("mistake", "a learner", "", (), lambda: {"ANSWERS": right | answers})
    return quiz, Trusted(oracle, lambda: programs.overlaid(quiz, variant), str(answers))


def likely(quiz, session, key):
    """The cause for one question: a known mistake, else what the symptoms say."""
    check = next(c for c in quiz.grading.checks if c.name.startswith(key))
    verdict = session.verdict(quiz, check)
    return said(search.named(session, quiz, check)) or causes.of_verdict(quiz, check, verdict, session.oracle)


def test_a_question_has_a_sentence_for_every_wrong_answer(oracle):
    """The known mistake's where all wrong answers are known, else its own; none for what is no answer at all."""
    quiz, session = answered(oracle, {"k02": "leaf"})
    assert likely(quiz, session, "k02") == "x + 0 has the values of x, but it is a new tensor, made by a recorded addition."
    quiz, session = answered(oracle, {"k02": "constant", "k08": "word"})
    assert likely(quiz, session, "k02").sentence.startswith("Adding 0 changes no number") and likely(quiz, session, "k02").kind == "question"
    assert likely(quiz, session, "k08") is None


def test_a_known_answer_may_come_from_an_unknown_mistake(oracle):
    """Where another wrong answer is explained by nothing, no mistake is named; a question that is left open is no wrong answer."""
    quiz, session = answered(oracle, {"k02": "leaf", "k01": "error"})
    assert likely(quiz, session, "k02").kind == "question"
    quiz, session = answered(oracle, {"k02": "leaf", "k01": None})
    assert likely(quiz, session, "k02").startswith("x + 0 has")


@pytest.mark.slow
def test_rewriting_the_code_does_not_hide_a_mistake(exercise, oracle):
    """Renamed variables, swapped operands, results in a variable: the mistake is named, and never as another mistake."""
    from feedback import restyled

    found = {name: named(exercise, oracle, variant) for name, variant in restyled(exercise).items()}
    sentences = {v.name: v.sentence for v in known(exercise)}
    assert set(found) == set(sentences)
    assert all(told <= {None, sentences[name]} for name, told in found.items())
    assert sum(sentences[name] in told for name, told in found.items()) >= len(found) - 1


def rewired(name):
    """my_attention, the generated program with this name, and a session for it."""
    (attention,) = Dojo(ROOT).select("10_attention/ex04")
    program = next(p for p in programs.generated(attention) if p.name == name)
    return attention, program, Trusted(Oracle(0, devices=["cpu"]), lambda: programs.overlaid(attention, program), name)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("my_attention, attn_mask inverted", "Your code behaves as if True and False were exchanged in `attn_mask`."),
        ("my_attention, attn_mask unused", "Your code behaves as if `attn_mask` always had its default, None, whatever it is given."),
        ("my_attention, is_causal inverted", "Your code behaves as if `is_causal` always had its default, False, whatever it is given."),
    ],
)
def test_an_argument_that_is_inverted_or_not_used_is_named(name, sentence):
    """Also where no author wrote the mistake; where one did, in that author's words."""
    attention, _, session = rewired(name)
    failed = [c for c in attention.grading.checks if session.verdict(attention, c).status == "failed"]
    authors = {v.name for v in known(attention)}
    assert failed and {search.named(session, attention, c, authors).sentence for c in failed} == {sentence}
    assert all(search.named(session, attention, c) for c in failed)


def test_what_a_generated_program_is_made_of():
    """Each argument with a default, and each that may be bool; of a class those that it is made with, and those of its methods."""
    names = {p.name for e in ("05_optimizers/ex03", "06_modules/ex01") for p in programs.generated(*Dojo(ROOT).select(e))}
    assert {"zero_grads, set_to_none inverted", "zero_grads, set_to_none unused", "LinearLayer.__init__, bias inverted"} <= names
    assert {"zero_grads, params unused", "LinearLayer.__init__, n_in unused"}.isdisjoint(names)
