"""Hidden checks for speculative decoding: the rule, the residual, and the distribution of a step in closed form."""

import torch

from torchdojo.grading import built, check

CONCEPTS = ("L22",)

KEPT = {
    "tokens_are_accepted_with_p_over_q": "the rule of the task, without the edge that is for full marks",
    "the_residual_is_what_p_has_more": "the residual of the task, without the edge that is for full marks",
    "the_draft_counts_up_to_the_first_rejection": "which tokens are kept, said without the last one",
    "the_last_token_is_drawn_with_its_number": "the last token, said by itself",
    "both_tokens_follow_the_target": "what speculative decoding promises, in closed form",
}


class oracle:
    """One token after the other, in Python's own numbers."""

    def accept_probability(p, q):
        chances = [min(1.0, a / b) if b else 1.0 for a, b in zip(p.flatten().tolist(), q.flatten().tolist(), strict=True)]
        return torch.tensor(chances, dtype=p.dtype, device=p.device).reshape(p.shape)

    def residual(p, q):
        rows = []
        for a, b in zip(p.reshape(-1, p.shape[-1]).tolist(), q.reshape(-1, p.shape[-1]).tolist(), strict=True):
            missing = [max(x - y, 0.0) for x, y in zip(a, b, strict=True)]
            rows.append([x / sum(missing) for x in missing] if sum(missing) else a)
        return torch.tensor(rows, dtype=p.dtype, device=p.device).reshape(p.shape)

    def speculative_step(p, q, draft, u):
        tokens = []
        for i, token in enumerate(draft.tolist()):
            if float(u[i]) * float(q[i, token]) >= float(p[i, token]):
                rest = oracle.residual(p[i], q[i])
                break
            tokens.append(token)
        else:
            rest = p[len(draft)]
        total, last = 0.0, 0
        for token, chance in enumerate(rest.tolist()):
            if chance:
                last = token
            total += chance
            if total > float(u[-1]):
                break
        return torch.tensor([*tokens, last], device=p.device)


def shares(case, rows, odd):
    """Rows of 32nds with sum 1, all above 0. Those of q are even, the first of p is odd: no row of p is a row of q."""
    vocab, found = case.size("vocab"), []
    for _ in range(rows):
        cuts = sorted(case.rng.sample(range(1, 16), vocab - 1))
        row = [2 * (b - a) for a, b in zip([0, *cuts], [*cuts, 16], strict=True)]
        if odd:
            row[0], row[-1] = row[0] - 1, row[-1] + 1
        found.append([n / 32 for n in row])
    return torch.tensor(found, dtype=case.dtype)


P = built(lambda case: shares(case, 6, True).reshape(2, 3, -1), axes="vocab")
Q = built(lambda case: shares(case, 6, False).reshape(2, 3, -1), axes="vocab")
LEAST = {"vocab": 2}


@check(points=2, p=P, q=Q, minimum=LEAST)
def tokens_are_accepted_with_p_over_q(solution, p, q):
    """Each token is accepted with the right probability."""
    return solution.accept_probability(p, q)


@check(points=2, p=P, q=Q, minimum=LEAST)
def the_residual_is_what_p_has_more(solution, p, q):
    """The residual has the right tokens with the right probabilities, row by row."""
    return solution.residual(p, q)


# Numbers beside all thresholds: odd 64ths and odd 96ths
TARGET = [[0.125, 0.375, 0.5], [0.25, 0.25, 0.5], [0.75, 0.25, 0.0], [0.125, 0.75, 0.125]]
DRAFT = [[0.5, 0.25, 0.25], [0.125, 0.625, 0.25], [0.25, 0.25, 0.5]]
DRAFTS = [[1, 2, 0], [0, 1, 2], [2, 1, 2], [1, 0, 2], [2, 2, 1]]
NUMBERS = [[0.9, 0.8, 0.7, 0.55], [0.2, 0.35, 0.45, 0.1], [0.3, 0.1, 0.05, 0.3], [0.6, 0.5, 0.6, 0.9], [0.1, 0.1, 0.9, 0.8]]


def step(solution, draft, u, device, dtype=torch.float32):
    """The tokens of one step with the three drafted tokens."""
    p, q, u = (torch.tensor(numbers, dtype=dtype, device=device) for numbers in (TARGET, DRAFT, u))
    return solution.speculative_step(p, q, torch.tensor(draft, device=device), u)


@check(points=2, draft=DRAFTS, u=[*NUMBERS, [0.3, 0.1, 0.0, 0.3]], devices=False)
def the_draft_counts_up_to_the_first_rejection(solution, draft, u, device):
    """The step keeps the drafted tokens before the first rejection, and adds exactly one token."""
    tokens = step(solution, draft, u, device)
    return {"kept": tokens[:-1], "length": len(tokens)}


@check(points=2, draft=DRAFTS, u=NUMBERS, devices=False)
def the_last_token_is_drawn_with_its_number(solution, draft, u, device):
    """The last token is drawn with u[k] from the right distribution."""
    return step(solution, draft, u, device)[-1]


@check(
    points=3, p=[torch.tensor([[0.125, 0.375, 0.5], [0.5, 0.125, 0.375]]), torch.tensor([[0.75, 0.25, 0.0], [0.25, 0.25, 0.5]])],
    q=[torch.tensor([[0.5, 0.25, 0.25]]), torch.tensor([[0.25, 0.25, 0.5]])], devices=False,
)  # fmt: skip
def both_tokens_follow_the_target(solution, p, q):
    """Over all random numbers, both tokens of a step have exactly the target's distribution."""
    table, cells = torch.zeros(3, 4), (4, 24)  # quarters and 24ths hold every threshold, so the middle of each cell stands for all of it
    numbers = [(torch.arange(n) + 0.5) / n for n in cells]
    for token in range(3):
        for a in numbers[0]:
            for b in numbers[1]:
                tokens = solution.speculative_step(p, q, torch.tensor([token]), torch.stack([a, b])).tolist()
                table[tokens[0], tokens[1] if len(tokens) > 1 else 3] += q[0, token] / (cells[0] * cells[1])
    return {"first": table.sum(1), "second, after an accepted token": table[:, :3].sum(0), "calls": 3 * cells[0] * cells[1]}


@check(points=1, star=True, p=P, q=Q, minimum={"vocab": 3}, devices=False)
def what_is_never_proposed_is_accepted(solution, p, q):
    """Where q is 0, the result is 1, whatever p is."""
    p, q = p.clone(), q.clone()
    q[..., -1] = 0.0
    p[:, 0, -1] = 0.0
    return solution.accept_probability(p, q)


@check(points=1, star=True, p=P, q=Q, minimum=LEAST, devices=False)
def equal_rows_leave_p(solution, p, q):
    """A row of p that equals its row of q is returned as it is, and the other rows follow the formula."""
    q = q.clone()
    q[:, 1] = p[:, 1]
    return solution.residual(p, q)


@check(points=1, star=True, number=[0.1, 0.4, 0.95], devices=False)
def no_draft_is_one_token(solution, number):
    """Without a draft, the step draws one token from p[0]."""
    p, q = torch.tensor([[0.125, 0.375, 0.5]]), torch.zeros(0, 3)
    return solution.speculative_step(p, q, torch.zeros(0, dtype=torch.int64), torch.tensor([number]))


@check(points=1, star=True, size=[10, 14], devices=False)
def rounding_draws_no_impossible_token(solution, size):
    """If every cumulative sum is below the number by rounding, the token has a probability above 0."""
    row = torch.cat([torch.full((size,), 1 / size), torch.zeros(2)]) - 1e-7 * (torch.arange(size + 2) < 3)
    p, q = row.repeat(2, 1), torch.full((1, size + 2), 1 / (size + 2))
    u = torch.tensor([0.0, 1 - 2**-24])
    return solution.speculative_step(p, q, torch.tensor([size // 2]), u)


@rounding_draws_no_impossible_token.judge
def _(tokens, size):
    if not isinstance(tokens, torch.Tensor) or tokens.shape != (2,) or tokens[0] != size // 2:
        return "the drafted token is accepted, and one more follows"
    if not 0 <= int(tokens[1]) < size:
        return f"token {int(tokens[1])} was drawn, which has no probability above 0"


@check(points=1, star=True, draft=DRAFTS[:2], u=NUMBERS[:2], about_device=True, beside=True)
def tokens_are_on_the_device_of_p(solution, draft, u, device):
    """The tokens are on the device of p."""
    tokens = step(solution, draft, u, device)
    return tokens[:-1].tolist(), {"device of the tokens": tokens.device}
