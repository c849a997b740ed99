"""Known mistakes and unusual but correct solutions for window_mask and RingCache."""

import torch
from bonus1_sliding_window import window_mask
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "wrong_name: positions = torch.arange(self.seen, self.seen + values.shape[2], device=self.positions.device)[-window:]": "there are as many values as keys",
    "wrong_device: positions = torch.arange(self.seen, self.seen + keys.shape[2])[-window:]": "indices may be on the CPU; the stub says nothing about these",
    'wrong_device: positions = torch.arange(self.seen, self.seen + keys.shape[2], device="cpu")[-window:]': "indices may be on the CPU; the stub says nothing about these",
    "swap_statements: self.seen += keys.shape[2]": "the positions were computed before",
}

HINTS = (
    "Write down the slots for a window of 3 after the positions 0 to 4. Which position is in which slot, and which of them may position 5 read?",
    "The order of the keys doesn't matter to attention, so nothing has to be moved: compare the positions that are in the slots with those of the queries. The slot of "
    "a position is its remainder.",
    "A key may be read if query - key is from 0 to window - 1 and the key isn't -1. Attend to the cached keys and the new ones, concatenated, with that mask; then "
    "write the new ones, of several only the last `window`.",
)


window_without_itself = mistake.edited("(distance < window)", "(distance <= window)",
    "A query reads one position too many: the window counts its own position.",
    common=True)

window_one_too_small = mistake.edited("(distance < window)", "(distance < window - 1)",
    "A query reads one position too few: its own and window - 1 before it.")

reads_later_positions = mistake.edited("(distance >= 0) & (distance < window)", "(distance.abs() < window)",
    "A query reads positions after its own: the window is on one side only.",
    common=True)

all_before = mistake.edited(" & (distance < window)", "",
    "A query reads all positions before it: the window has an end.",
    common=True)

not_itself = mistake.edited("(distance >= 0)", "(distance > 0)",
    "A query doesn't read its own position: it is in the window.")

reads_empty_slots = mistake.edited(" & (keys >= 0)", "",
    "Slots that are empty are read: their keys of zeros get weights. Their position is -1.",
    common=True)

position_zero_is_empty = mistake.edited("(keys >= 0)", "(keys > 0)",
    "Position 0 is treated as an empty slot: empty is -1.")

mask_is_inverted = mistake.edited("return (distance >= 0) & (distance < window) & (keys >= 0)", "return ~((distance >= 0) & (distance < window) & (keys >= 0))",
    "The mask is True where a key may not be read: True means that it may.",
    common=True)

mask_is_transposed = mistake.edited("distance = queries[:, None] - keys", "distance = queries - keys[:, None]",
    "Rows and columns of the mask are exchanged: a row belongs to a query.",
    also=[("& (keys >= 0)", "& (keys >= 0)[:, None]")], common=True)

writes_behind_the_end = mistake.edited("slots = positions % window", "slots = positions.clamp(max=window - 1)",
    "Once the cache is full, each position goes into the last slot: position p is in slot p % window.",
    common=True)

moves_everything = mistake.edited(
    """
    self.keys[:, :, slots] = keys[:, :, -window:]
    self.values[:, :, slots] = values[:, :, -window:]
    self.positions[slots] = positions
    """,
    """
    self.keys.copy_(torch.cat([self.keys, keys], 2)[:, :, -window:])
    self.values.copy_(torch.cat([self.values, values], 2)[:, :, -window:])
    self.positions.copy_(torch.cat([self.positions, positions])[-window:])
    """,
    "All positions move by one slot each time: position p stays in slot p % window until it is replaced.",
    common=True)

allocates_again = mistake.edited(
    "self.keys[:, :, slots] = keys[:, :, -window:]\nself.values[:, :, slots] = values[:, :, -window:]",
    "self.keys, self.values = self.keys.clone(), self.values.clone()\nself.keys[:, :, slots] = keys[:, :, -window:]\nself.values[:, :, slots] = values[:, :, -window:]",
    "The cache gets new tensors: write into those that it has.",
    about="the_cache_does_not_grow")

positions_stay = mistake.edited("self.positions[slots] = positions", "",
    "The positions in the slots are not updated: the mask needs them.")

seen_stays = mistake.edited("self.seen += keys.shape[2]", "",
    "seen doesn't grow, so each position is taken for the first one.",
    common=True)

seen_stops_at_the_window = mistake.edited("self.seen += keys.shape[2]", "self.seen = min(self.seen + keys.shape[2], window)",
    "seen stops at the size of the window: it counts all positions.")

positions_are_slots = mistake.edited("self.positions[slots] = positions", "self.positions[slots] = slots",
    "The positions in the slots are the numbers of the slots: write the positions.")

values_are_the_keys = mistake.edited("= values[:, :, -window:]", "= keys[:, :, -window:]",
    "The values are those of the keys: each of the two tensors gets its own numbers.")

reads_the_oldest = mistake.edited("window_mask(queries, torch.cat([self.positions, queries]), len(self.positions))",
    "window_mask(queries, torch.cat([self.positions, queries]), len(self.positions) + 1)",
    "The position that is just out of the window is read, too: a full cache and a new position are window + 1.",
    common=True, pitfall="the oldest may not be read any more")

reads_the_cache_alone = mistake.edited(
    "torch.cat([self.positions, queries]), len(self.positions))",
    "self.positions, len(self.positions))",
    "A new position doesn't read its own key, and the first one reads nothing: the new keys belong to those that are read.",
    also=[("torch.cat([self.keys, k], 2), torch.cat([self.values, v], 2)", "self.keys, self.values")])

attends_without_a_mask = mistake.edited(", attn_mask=mask)", ")",
    "Everything in the cache is read, the empty slots and the oldest position, too: use the mask.",
    common=True)

forgets_to_write = mistake.edited("self.write(k, v)", "",
    "The new keys and values are not in the cache afterwards: the next positions read them.",
    common=True)

writes_first = mistake.edited(
    """
    mask = window_mask(queries, torch.cat([self.positions, queries]), len(self.positions))
    result = F.scaled_dot_product_attention(q, torch.cat([self.keys, k], 2), torch.cat([self.values, v], 2), attn_mask=mask)
    self.write(k, v)
    return result
    """,
    """
    self.write(k, v)
    mask = window_mask(queries, self.positions, len(self.positions))
    return F.scaled_dot_product_attention(q, self.keys, self.values, attn_mask=mask)
    """,
    "With several new positions at once, later ones have replaced keys that earlier ones still had to read: attend first, then write.",
    about="several_positions_at_once", common=True)

first_of_a_long_piece = mistake.edited("device=self.positions.device)[-window:]", "device=self.positions.device)[:window]",
    "Of a piece that is longer than the window, the first positions were kept: the last ones stay.",
    also=[("keys[:, :, -window:]", "keys[:, :, :window]"), ("values[:, :, -window:]", "values[:, :, :window]")],
    about="several_positions_at_once")

only_one_at_a_time = mistake.edited("slots = positions % window", "slots = positions[:1] % window",
    "Of several new positions only one is written.",
    also=[("keys[:, :, -window:]", "keys[:, :, :1]"), ("values[:, :, -window:]", "values[:, :, :1]"), ("self.positions[slots] = positions", "self.positions[slots] = positions[:1]")],
    about="several_positions_at_once")

queries_on_the_cpu = mistake.edited("self.seen + q.shape[2], device=q.device)", "self.seen + q.shape[2])",
    "A tensor that your code creates, such as the positions of the queries, is on the CPU although q isn't: make it on the device of q.",
    about="results_are_on_the_device")


@alternative("window_mask")
def with_bounds(queries, keys, window):
    """The first position of each window, and comparisons."""
    first = (queries - window + 1).clamp(min=0)
    return (keys.unsqueeze(0) >= first.unsqueeze(1)).logical_and(keys.unsqueeze(0) <= queries.unsqueeze(1))


class StepByStep:
    """Each position is written, then attends to the slots that are in use, of which all are in its window."""

    def __init__(self, batch, heads, window, width, dtype=None, device=None):
        self.keys = torch.zeros(batch, heads, window, width, dtype=dtype, device=device)
        self.values = torch.zeros_like(self.keys)
        self.positions = torch.full((window,), -1, device=device)
        self.seen = 0

    def write(self, keys, values):
        for t in range(keys.shape[2]):
            slot = self.seen % self.keys.shape[2]
            self.keys[:, :, slot] = keys[:, :, t]
            self.values[:, :, slot] = values[:, :, t]
            self.positions[slot] = self.seen
            self.seen += 1

    def attend(self, q, k, v):
        results = []
        for t in range(q.shape[2]):
            self.write(k[:, :, t : t + 1], v[:, :, t : t + 1])
            used = min(self.seen, self.keys.shape[2])
            results.append(F.scaled_dot_product_attention(q[:, :, t : t + 1], self.keys[:, :, :used], self.values[:, :, :used]))
        return torch.cat(results, dim=2)


@alternative()
def step_by_step():
    """No mask at all: after a write, what is in use is the window."""
    return {"RingCache": StepByStep}


class InOrder(StepByStep):
    """The slots in the order of their positions, by roll and narrow, and a softmax by hand."""

    def write(self, keys, values):
        window = self.keys.size(2)
        for whole, new in ((self.keys, keys), (self.values, values)):
            last = new[:, :, -window:]
            where = (self.seen + new.size(2) - last.size(2) + torch.arange(last.size(2), device=whole.device)).remainder(window)
            whole.index_copy_(2, where, last)
        self.seen += keys.size(2)
        slots = torch.arange(window, device=self.positions.device)
        self.positions = torch.where(slots < self.seen, self.seen - 1 - (self.seen - 1 - slots) % window, -1)

    def attend(self, q, k, v):
        order = self.positions.argsort()[(self.positions < 0).sum() :]
        keys, values = torch.cat([self.keys[:, :, order], k], 2), torch.cat([self.values[:, :, order], v], 2)
        positions = torch.arange(self.seen - len(order), self.seen + q.size(2), device=q.device)
        mask = window_mask(positions[len(order) :], positions, self.keys.size(2))
        self.write(k, v)
        scores = (q @ keys.mT / q.size(-1) ** 0.5).masked_fill(~mask, -torch.inf)
        return scores.softmax(-1) @ values


@alternative()
def in_order():
    """Sorted slots, and positions that are computed from seen."""
    return {"RingCache": InOrder}
