"""The mask is found by comparing the padded tensor with pad, so a real row that holds the value pad in every feature is marked as padding."""
import torch


def pad_stack(seqs: list[torch.Tensor], pad: float = 0.0) -> tuple[torch.Tensor, torch.Tensor]:
    longest = max(len(s) for s in seqs)
    rows = []
    for s in seqs:
        missing = longest - s.shape[0]
        filler = s.new_full((missing, s.shape[1]), pad)
        rows.append(torch.cat([s, filler]))
    padded = torch.stack(rows)
    mask = (padded != pad).any(dim=-1)
    return padded, mask
