"""The mask is made from lengths and arange without a device, so it is on the default device (CPU) wherever the sequences are; with sequences on "meta" padded is on meta and mask on the CPU."""
import torch


def pad_stack(seqs: list[torch.Tensor], pad: float = 0.0) -> tuple[torch.Tensor, torch.Tensor]:
    longest = max(len(s) for s in seqs)
    rows = []
    for s in seqs:
        filler = s.new_full((longest - len(s), s.shape[1]), pad)
        rows.append(torch.cat([s, filler]))
    padded = torch.stack(rows)

    lengths = torch.tensor([len(s) for s in seqs])
    mask = torch.arange(longest) < lengths.unsqueeze(1)
    return padded, mask
