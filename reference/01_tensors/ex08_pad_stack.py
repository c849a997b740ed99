"""Reference solution for pad_stack."""

import torch


def pad_stack(seqs: list[torch.Tensor], pad: float = 0.0) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the sequences as one tensor, padded at the end, and a mask of what is real."""
    lengths = [len(seq) for seq in seqs]
    longest = max(lengths)
    padded = torch.stack(
        [torch.cat([seq, seq.new_full((longest - len(seq), seq.shape[1]), pad)]) for seq in seqs]
    )
    device = padded.device
    mask = torch.arange(longest, device=device) < torch.tensor(lengths, device=device).unsqueeze(1)
    return padded, mask
