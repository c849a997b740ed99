"""Hidden checks for the batched cache: what is written where, positions, masks, and the logits of each text alone."""

import torch
from torch import nn

from torchdojo.grading import built, check, raises, shares_memory, tensor

CONCEPTS = ("L20",)

KEPT = {
    "padding_and_cache_change_no_logit": "what the three are for, with the model of the task",
    "masks_and_positions_on_the_device": "a slip that shows on another device costs this check alone",
}


class oracle:
    """Column by column; the model computes each text alone, position by position."""

    class StaticCache:
        def __init__(self, batch, heads, longest, width, dtype=None, device=None):
            self.keys, self.values = torch.zeros(2, batch, heads, longest, width, dtype=dtype, device=device)
            self.length = 0

        def append(self, keys, values):
            if self.length + len(keys[0, 0]) > len(self.keys[0, 0]):
                raise ValueError
            for key, value in zip(keys.unbind(2), values.unbind(2), strict=True):
                self.keys[:, :, self.length], self.values[:, :, self.length] = key, value
                self.length += 1
            return self.keys[:, :, : self.length], self.values[:, :, : self.length]

    def token_positions(real):
        rows = [[max(sum(row[: column + 1]) - 1, 0) for column in range(len(row))] for row in real.tolist()]
        return torch.tensor(rows, device=real.device)

    def allowed_keys(real, new):
        columns = range(real.shape[1])
        rows = [[[[row[key] and key <= query for key in columns] for query in columns[-new:]]] for row in real.tolist()]
        return torch.tensor(rows, device=real.device)

    class PaddedModel(nn.Module):
        def __init__(self, vocab, longest, width, heads):
            super().__init__()
            self.heads, self.seen = heads, []
            self.tokens, self.positions = nn.Embedding(vocab, width), nn.Embedding(longest, width)
            self.qkv, self.head = nn.Linear(width, 3 * width), nn.Linear(width, vocab)

        def forward(self, tokens, real, cache=None):
            self.seen.append(tokens)
            return torch.stack([self.alone(text[here])[-tokens.shape[1] :] for text, here in zip(torch.cat(self.seen, 1), real, strict=True)])

        def alone(self, text):
            x = self.tokens.weight[text] + self.positions.weight[: len(text)]
            q, k, v = (part.reshape(len(text), self.heads, -1) for part in self.qkv(x).chunk(3, -1))
            rows = []
            for t in range(len(text)):
                weights = ((q[t] * k[: t + 1]).sum(-1) / q.shape[-1] ** 0.5).softmax(0)
                rows.append((weights[..., None] * v[: t + 1]).sum(0).flatten())
            logits = self.head(torch.stack(rows))
            return torch.cat([logits.new_zeros(9, logits.shape[1]), logits])


def cache_of(solution, x, longest):
    return solution.StaticCache(x.shape[0], x.shape[1], longest, x.shape[3], dtype=x.dtype, device=x.device)


def left_padded(case):
    """Columns of padding in front of each row but the last, and at least one real token."""
    time = case.size("time")
    pads = [case.rng.randint(1, time - 1) for _ in range(case.size("batch") - 1)] + [0]
    return torch.tensor([[column >= pad for column in range(time)] for pad in pads])


KEYS, VALUES = tensor("batch heads time width"), tensor("batch heads time width")
REAL = built(left_padded, axes="batch time")
LEAST = {"batch": 1, "heads": 1, "time": 3, "width": 1}
ROWS = {"batch": 2, "time": 3}


@check(points=2, keys=KEYS, values=VALUES, minimum=LEAST, devices=False)
def new_positions_follow_the_others(solution, keys, values):
    """After each of three calls, the keys and values so far are returned, in their order."""
    cache, sizes = cache_of(solution, keys, keys.shape[2] + 2), [1, keys.shape[2] - 2, 1]
    results = [cache.append(*new) for new in zip(keys.split(sizes, 2), values.split(sizes, 2), strict=True)]
    return {"keys": [k.clone() for k, _ in results], "values": [v.clone() for _, v in results], "length": cache.length}


@check(points=1, keys=KEYS, values=VALUES, minimum=LEAST, devices=False, beside=True)
def nothing_is_allocated_again(solution, keys, values):
    """The cache keeps its two tensors, and what is returned is a part of them."""
    cache = cache_of(solution, keys, keys.shape[2])
    before = cache.keys, cache.values
    first = cache.append(keys[:, :, :1], values[:, :, :1])
    k, v = cache.append(keys[:, :, 1:], values[:, :, 1:])
    return (k.clone(), v.clone()), {
        "self.keys and self.values have the memory of the beginning": shares_memory(cache.keys, before[0]) and shares_memory(cache.values, before[1]),
        "what is returned shares memory with them": [any(shares_memory(part, own) for own in before) for part in (*first, k, v)],
    }


@check(points=3, real=REAL, minimum=ROWS, devices=False)
def positions_count_the_tokens_of_a_text(solution, real):
    """The first token of each text has position 0, the next one 1; padding has a position that exists."""
    positions = solution.token_positions(real)
    padding = (0 <= positions) & (positions < real.shape[1])
    return {"positions": positions.masked_fill(~real, 0), "padding has positions from 0 to time - 1": bool(padding.all())}


@check(points=2, real=REAL, minimum=ROWS, devices=False)
def a_prompt_reads_no_padding(solution, real):
    """In a whole prompt, each column reads the real ones up to its own."""
    return solution.allowed_keys(real, real.shape[1])


@check(points=2, size=[(2, 4, 1), (1, 5, 2), (3, 6, 4)], devices=False)
def new_columns_read_the_cache(solution, size):
    """Without padding, the last columns read all of those before, and their own."""
    batch, time, new = size
    return solution.allowed_keys(torch.ones(batch, time, dtype=torch.bool), new)


@check(points=2, lengths=[[3, 1], [2, 4, 1], [1, 2]], heads=[2, 1], devices=False)
def padding_and_cache_change_no_logit(solution, lengths, heads):
    """A padded prompt, then one token at a time: each text has the logits that it has alone."""
    model, longest = solution.PaddedModel(5, 9, 4, heads), max(lengths) + 3
    columns = torch.arange(longest).expand(len(lengths), longest)
    real = columns >= max(lengths) - torch.tensor(lengths)[:, None]
    tokens = (columns * 3 + torch.arange(len(lengths))[:, None] * 2) % 5
    cache, logits = solution.StaticCache(len(lengths), heads, longest, 4 // heads), []
    with torch.no_grad():
        for p in model.parameters():
            p.copy_((torch.arange(p.numel()) * 7 % 11 - 5).reshape(p.shape) / 8)
        for new in tokens.split([max(lengths), 1, 1, 1], dim=1):
            so_far = real[:, : sum(part.shape[1] for part in logits) + new.shape[1]]
            logits.append(model(new, so_far, cache))
    prompt, *steps = logits
    return {"logits of the prompt": prompt[real[:, : max(lengths)]], "logits of the steps": steps}


@check(points=1, star=True, stored=[3, 1, 4], new=[2, 1], devices=False)
def what_does_not_fit_is_refused(solution, stored, new):
    """New positions that don't fit raise a ValueError, and the cache is as before."""
    cache = solution.StaticCache(2, 1, stored + new - 1, 3)
    numbers = torch.arange(1.0, 6 * (stored + new) + 1).reshape(2, 1, stored + new, 3)
    cache.append(numbers[:, :, :stored], -numbers[:, :, :stored])
    error = raises(lambda: cache.append(numbers[:, :, stored:], -numbers[:, :, stored:]), ValueError)
    return {"error": error, "keys afterwards": cache.keys, "values afterwards": cache.values, "length afterwards": cache.length}


@check(points=1, star=True, real=REAL, minimum=ROWS, about_device=True, beside=True)
def masks_and_positions_on_the_device(solution, real):
    """The mask and the positions are on the device of real."""
    positions = solution.token_positions(real)
    return positions.masked_fill(~real, 0), {"device of the positions": positions.device, "device of the mask": solution.allowed_keys(real, 2).device}
