import torch
from torch.nn.utils.rnn import pad_sequence


def collate_padded(samples, pad=0):
    tokens, labels = zip(*samples)
    lengths = torch.tensor([len(t) for t in tokens])
    padded = pad_sequence(tokens, batch_first=True, padding_value=pad)
    mask = torch.arange(padded.shape[1]) < lengths[:, None]
    return padded, mask, torch.tensor(labels)
