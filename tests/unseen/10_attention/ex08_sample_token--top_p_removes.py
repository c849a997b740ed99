"""top_p removes every token at which the running sum exceeds p, also the one that reaches p: the kept set adds up to less than top_p. (The sum before the token has to be compared.)."""
import torch


def _keep_top_k(logits, k):
    smallest_kept = logits.topk(k, dim=-1).values[..., -1:]
    return logits.masked_fill(logits < smallest_kept, float("-inf"))


def _keep_nucleus(logits, p):
    ordered, where = logits.sort(dim=-1, descending=True)
    cumulative = ordered.softmax(dim=-1).cumsum(dim=-1)
    remove = cumulative > p
    remove[..., 0] = False  # always keep the best one
    return logits.masked_fill(torch.zeros_like(remove).scatter(-1, where, remove), float("-inf"))


def token_probabilities(
    logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> torch.Tensor:
    """Return the probabilities from which the next token is drawn.

    Shapes:
        logits  (batch, vocab), floating point; no two logits of a row are equal
        result  (batch, vocab), dtype and device of logits; each row sums to 1

    In this order:
        * the logits are divided by the temperature. Temperature 0 is greedy: the largest logit has probability 1.
        * top_k keeps the top_k largest logits of each row
        * top_p keeps the smallest set of most likely tokens whose probabilities add up to top_p or more. The
          probabilities are those after the steps above.
        * what isn't kept has probability 0, and the rest sums to 1 again

    Example:
        >>> logits = torch.tensor([[0.5, 0.25, 0.125, 0.125001]]).log()
        >>> token_probabilities(logits, top_k=2)
        tensor([[0.6667, 0.3333, 0.0000, 0.0000]])
        >>> token_probabilities(logits, top_p=0.6)
        tensor([[0.6667, 0.3333, 0.0000, 0.0000]])

    Pitfall:
        A logit of 0 is not a probability of 0. What is left out gets the logit -inf.

    For full marks:
        * top_k larger than vocab keeps all tokens
        * a logit of -inf has probability 0, whatever the other arguments are
    """
    if temperature == 0:
        best = logits.argmax(dim=-1, keepdim=True)
        return torch.zeros_like(logits).scatter(-1, best, 1.0)
    scaled = logits / temperature
    if top_k is not None:
        scaled = _keep_top_k(scaled, min(top_k, scaled.shape[-1]))
    if top_p is not None:
        scaled = _keep_nucleus(scaled, top_p)
    return scaled.softmax(dim=-1)


def draw(probabilities: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    """Return a random token for each row, drawn with its probabilities.

    Shapes:
        probabilities  (batch, vocab)
        result         (batch,), int64

    The random numbers come from `generator`; None: PyTorch's global one. Each row is drawn independently.

    Example:
        >>> draw(torch.tensor([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]))
        tensor([1, 0])
    """
    return torch.multinomial(probabilities, 1, generator=generator)[:, 0]
