"""torch.full gets no dtype, so padded has the dtype of pad (float32 for 0.0), not that of the sequences: float64 and integer sequences are converted."""
import torch


def pad_stack(seqs: list[torch.Tensor], pad: float = 0.0) -> tuple[torch.Tensor, torch.Tensor]:
    lengths = [s.shape[0] for s in seqs]
    n_rows = max(lengths)
    n_features = seqs[0].shape[1]
    dev = seqs[0].device

    padded = torch.full((len(seqs), n_rows, n_features), pad, device=dev)
    mask = torch.zeros(len(seqs), n_rows, dtype=torch.bool, device=dev)
    for i, (s, n) in enumerate(zip(seqs, lengths)):
        padded[i, :n] = s
        mask[i, :n] = True
    return padded, mask
