"""Language models 8 of 12: a mixture of experts.

Difficulty 4 of 5, about 25 minutes.
"""

import torch


def route(logits: torch.Tensor, k: int, capacity: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the weights of each token's k experts, and which experts these are.

    The experts of a token are its k largest logits, the largest first. Their weights are their probabilities (a softmax over
    all experts), divided by the sum of the k, so that the router learns through them.

    An expert accepts at most `capacity` choices: first the first choices of all tokens, in the order of the tokens, then
    their second choices, and so on. All further choices are dropped: their weight is 0, and the other weights stay as they
    are.

    Shapes:
        logits   (tokens, experts); no two logits of a token are equal
        k        from 1 to experts
        weights  (tokens, k), dtype and device of logits
        chosen   (tokens, k), int64

    Example:
        >>> logits = torch.tensor([[0.1, 0.3, 0.6], [0.5, 0.1, 0.4], [0.2, 0.2, 0.6]]).log()
        >>> route(logits, k=2, capacity=2)[0]  # twice the first choice is expert 2: it is full
        tensor([[0.6667, 0.3333],
                [0.5556, 0.0000],
                [0.7500, 0.2500]])

    Pitfall:
        If you go token by token, the second choice of an early token takes the place of the first choice of a later one.

    For full marks:
        * k = 1: the weight is the probability itself, because p / p has no gradient
        * without tokens the results have the shape (0, k)
    """
    raise NotImplementedError("11_language_models/ex08_experts: write route()")


def balance_loss(logits: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
    """Return the loss that keeps experts equally busy.

    It is experts * the sum of share * p over all experts. share is an expert's share of all choices, dropped ones included.
    p is the mean of its probability over all tokens. The gradient comes from p.

    Shapes:
        logits  (tokens, experts), at least one token
        chosen  (tokens, k), int64: the k largest logits of each token
        result  a scalar (0-dim tensor), dtype of logits

    Example:
        >>> logits = torch.tensor([[0.75, 0.25], [0.25, 0.75]]).log()
        >>> balance_loss(logits, torch.tensor([[0], [1]]))  # 2 * (1/2 * 1/2 + 1/2 * 1/2)
        tensor(1.)
    """
    raise NotImplementedError("11_language_models/ex08_experts: write balance_loss()")


def mix_experts(x: torch.Tensor, weights: torch.Tensor, chosen: torch.Tensor, experts: list) -> torch.Tensor:
    """Return the sum of each token's experts, multiplied by their weights.

    Arguments:
        experts  functions or modules that map (n, width) to (n, width), row by row

    Each expert is called at most once, with the tokens alone that chose it with a weight above 0. Gradients reach x, the
    weights and the experts.

    Shapes:
        x                (tokens, width)
        weights, chosen  (tokens, k), as route returns them; a token's experts differ
        result           (tokens, width), dtype of x

    Example:
        >>> experts = [lambda x: x + 1, lambda x: x * 10]
        >>> weights, chosen = torch.tensor([[0.75, 0.25], [0.5, 0.0]]), torch.tensor([[0, 1], [1, 0]])
        >>> mix_experts(torch.tensor([[1.0], [2.0]]), weights, chosen, experts)
        tensor([[ 4.],
                [10.]])

    For full marks:
        * without tokens the result has the shape (0, width)
    """
    raise NotImplementedError("11_language_models/ex08_experts: write mix_experts()")
