"""Hidden checks for beam search: the score, the step, the search by its rule, and a beam so wide that it must find the best text."""

import math
import random

import torch

from torchdojo.grading import check, replaced, tensor

CONCEPTS = ("L21",)

KEPT = {
    "the_best_continuations_of_all_texts": "the step of the task, without the case that there are few",
    "the_search_by_totals": "the search without a length penalty, worth points of its own",
    "the_search_by_scores": "the search with a length penalty, against the rule of the task",
    "a_wide_beam_finds_the_best_text": "what the search is for, against all texts there are",
    "the_longest_texts_are_finished": "how texts without an end count, said by itself",
    "one_call_for_all_open_texts": "an effect, which shows in no text",
}


class oracle:
    """Sorted lists; with a beam that is wide enough, all texts."""

    def beam_score(total, length, alpha):
        return total * (6 / (5 + length)) ** alpha

    def best_continuations(totals, log_probs, beams):
        every = [
            (total + more, row, token)
            for row, (total, rest) in enumerate(zip(totals.tolist(), log_probs.tolist(), strict=True))
            for token, more in enumerate(rest)
            if more > -float("inf")
        ]
        kept = sorted(every, reverse=True)[:beams]
        best, rows, tokens = zip(*kept, strict=True)
        return torch.tensor(best, dtype=log_probs.dtype), torch.tensor(rows), torch.tensor(tokens)

    def beam_search(next_log_probs, prompt, beams, end, longest, alpha=0.0):
        texts, finished = [([], 0.0)], []
        while texts:
            every = []
            rows = next_log_probs(torch.stack([torch.tensor([*prompt.tolist(), *text], device=prompt.device) for text, _ in texts]))
            for (text, total), row in zip(texts, rows.tolist(), strict=True):
                every += [([*text, token], total + more) for token, more in enumerate(row)]
            every.sort(key=lambda found: -found[1])
            texts = []
            for text, total in every[:beams]:
                over = text[-1] == end or len(text) == longest
                (finished if over else texts).append((text, total))
            scores = [oracle.beam_score(total, len(text), alpha) for text, total in finished]
            if scores and texts and max(scores) >= oracle.beam_score(texts[0][1], longest, alpha):
                break
        best = max(range(len(scores)), key=lambda i: scores[i])
        return torch.tensor(finished[best][0], device=prompt.device), scores[best]


class Model:
    """Log probabilities that depend on the whole text; it notes the shapes and the devices of what it is asked."""

    def __init__(self, seed, vocab, end=0.0):
        self.seed, self.vocab, self.end, self.asked = seed, vocab, end, []

    def __call__(self, texts):
        self.asked.append((tuple(texts.shape), texts.device))
        rows = []
        for text in texts.tolist():
            rng = random.Random(f"{self.seed} {text}")
            rows.append([rng.uniform(0, 3) for _ in range(self.vocab)])
        logits = torch.tensor(rows, dtype=torch.float64, device=texts.device)
        logits[:, 0] += self.end
        return logits.log_softmax(1)


def right_score(total, length, alpha):
    return total / ((5 + length) / 6) ** alpha


def right_step(totals, log_probs, beams):
    best, places = (totals[:, None] + log_probs).flatten().sort(descending=True)
    best, places = (part[: min(beams, int((best > -math.inf).sum()))] for part in (best, places))
    return best, places // log_probs.shape[1], places % log_probs.shape[1]


def found(solution, model, beams, longest, alpha):
    """What the search finds if the other two functions are right; 0 is the token that ends a text."""
    options = {"alpha": alpha} if alpha else {}
    with replaced(solution, beam_score=right_score, best_continuations=right_step):
        tokens, score = solution.beam_search(model, torch.tensor([2, 1]), beams, 0, longest, **options)
    return {"tokens": tokens, "score": score}


SEEDS = [1, 2, 3, 5, 8, 13]
# here other ways to search find other texts: with finished texts among the beams, or with an end after as many finished as beams
BY_TOTALS, BY_SCORES = [1, 5, 13, 31, 34, 36], [3, 5, 14, 18, 30, 38]


@check(points=1, total=[-3.5, -0.25], length=[1, 2, 7], alpha=[1.0, 0.0, 0.5], devices=False)
def a_score_is_a_total_with_a_length_penalty(solution, total, length, alpha):
    """The total is divided by the length penalty."""
    return solution.beam_score(total, length, alpha)


@check(
    points=3, totals=tensor("texts", low=-4.0, high=0.0, layouts=False), log_probs=tensor("texts vocab", low=-6.0, high=0.0, layouts=False), beams=[2, 3, 1],
    minimum={"texts": 2, "vocab": 2}, devices=False,
)  # fmt: skip
def the_best_continuations_of_all_texts(solution, totals, log_probs, beams):
    """The best continuations of all texts together, with the text and the token of each, the best first."""
    no_ties = torch.arange(log_probs.numel()).reshape(log_probs.shape) / 7e3
    return solution.best_continuations(totals, (log_probs - no_ties).to(totals.dtype), beams)


@check(points=1, size=[(1, 3), (2, 2), (3, 1)], beams=[7, 9], devices=False)
def there_may_be_fewer_than_beams(solution, size, beams):
    """If there are fewer continuations than beams, all are returned, the best first."""
    log_probs = -(torch.arange(size[0] * size[1]) * 5 % 7 + 1.0).reshape(size)
    return solution.best_continuations(torch.arange(-1.0, -1.0 - size[0], -1.0) / 4, log_probs, beams)


@check(points=2, seed=BY_TOTALS, beams=[2, 3, 1], devices=False)
def the_search_by_totals(solution, seed, beams):
    """With alpha=0, the text with the best total of all that were finished is found."""
    return found(solution, Model(seed, 4), beams, 5, 0.0)


@check(points=2, seed=BY_SCORES, beams=[2, 3], alpha=[1.0, 2.5], devices=False)
def the_search_by_scores(solution, seed, beams, alpha):
    """With a length penalty, the text with the best score of all that were finished is found."""
    return found(solution, Model(seed, 4), beams, 5, alpha)


@check(points=2, seed=SEEDS, alpha=[0.0, 1.5], devices=False)
def a_wide_beam_finds_the_best_text(solution, seed, alpha):
    """If the beam holds all texts, the result is the best text that exists."""
    return found(solution, Model(seed, 3), 100, 4, alpha)


@check(points=1, seed=SEEDS[:3], longest=[1, 2, 3], devices=False)
def the_longest_texts_are_finished(solution, seed, longest):
    """A text with the most new tokens is finished even without the end."""
    return found(solution, Model(seed, 4, end=-9.0), 2, longest, 0.5)


@check(points=1, seed=SEEDS[:4], beams=[3, 2], devices=False, beside=True)
def one_call_for_all_open_texts(solution, seed, beams):
    """Each step calls the model once, with all open texts, of which there are at most as many as beams."""
    model = Model(seed, 4)
    score = found(solution, model, beams, 5, 1.0)["score"]
    shapes = [shape for shape, _ in model.asked]
    return score, {
        "calls for each length": sorted({sum(shape[1] == other[1] for other in shapes) for shape in shapes}),
        "a call has more texts than beams": max((rows for rows, _ in shapes), default=0) > beams,
    }


@check(points=1, star=True, seed=SEEDS, alpha=[0.0, 0.5], devices=False)
def the_search_stops_when_nothing_can_win(solution, seed, alpha):
    """The model is called until no open text can win, and not after that."""
    model = Model(seed, 4, end=0.5)
    return {**found(solution, model, 3, 12, alpha), "calls": len(model.asked)}


@check(points=1, star=True, beams=[3, 5], devices=False)
def impossible_continuations_are_left_out(solution, beams):
    """Continuations with a total of -inf are not returned."""
    log_probs = torch.tensor([[-1.0, -torch.inf, -torch.inf], [-torch.inf, -0.5, -torch.inf]])
    return solution.best_continuations(torch.tensor([-1.0, -2.0]), log_probs, beams)


@check(points=1, star=True, seed=SEEDS[:2], about_device=True, beside=True)
def texts_stay_on_their_device(solution, seed, device):
    """The result, and the texts that the model gets, are on the device of the prompt."""
    model = Model(seed, 4)
    tokens, _ = solution.beam_search(model, torch.tensor([2, 1], device=device), 2, 0, 4)
    return found(solution, Model(seed, 4), 2, 4, 0.0)["score"], {"device of the tokens": tokens.device, "texts that the model got elsewhere": sum(where.type != device.type for _, where in model.asked)}
