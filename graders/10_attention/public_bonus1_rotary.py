"""Rotary positions in public code."""

import torch

from torchdojo.grading import Convention, Public


def halves(oracle):
    """The oracle for pairs of number i and number i + width / 2."""

    class same:
        def rotate(x, positions, base=10000.0):
            width = x.shape[-1]
            places = [n for pair in zip(range(width // 2), range(width // 2, width), strict=True) for n in pair]
            turned = oracle.rotate(x[..., places], positions, base)
            return turned[..., torch.tensor(places, device=x.device).argsort()]

    return same


PUBLIC = Public(
    called=("rope", "rotary", "rotary embedding", "rotary positions", "apply rotary emb"),
    takes={
        **dict.fromkeys(("q", "k", "t", "u", "tensor", "inputs", "input", "xq", "vec", "embeddings"), "x"),
        **dict.fromkeys(("pos", "position", "position_ids", "token_positions", "indices", "idx", "pos_ids", "input_pos"), "positions"),
        **dict.fromkeys(("theta", "rope_theta", "base_freq", "rope_base", "freq_base", "max_wavelength"), "base"),
        **dict.fromkeys(("dim", "d", "d_k", "head_dim", "head_size", "d_head", "rotary_dim", "width", "embed_dim"), "x.shape[-1]"),
        **dict.fromkeys(("max_seq_len", "max_len", "max_position_embeddings", "seq_len", "context_length", "end"), "2048"),
    },
    conventions={
        "halves": Convention("It pairs number i of a vector with number i + width / 2, not with its neighbor.", halves, ("neighbors_are_pairs",)),
    },
)
