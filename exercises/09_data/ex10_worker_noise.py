"""Data 10 of 10: two workers that make the same noise.

Difficulty 3 of 5, about 12 minutes.

Symptom. Noise is added to signals, new noise each time. `torchdojo symptom ex10_worker_noise` runs this program

    from torch.utils.data import DataLoader

    data = NoisySignals(torch.zeros(4, 1), noise=1.0)
    loader = DataLoader(data, batch_size=2, num_workers=2, worker_init_fn=seed_worker)
    for epoch in range(2):
        print([[round(x, 2) for x in batch.flatten().tolist()] for batch in loader])

and prints

    [[1.54, -0.29], [1.54, -0.29]]
    [[1.54, -0.29], [1.54, -0.29]]

There should be eight different numbers. Without workers there are. Repair the code below; change as little as you can.
"""

import random

import numpy as np
import torch
from torch.utils.data import Dataset

REPAIRED = False  # set to True when you have repaired the code below


class NoisySignals(Dataset):
    """Return signals, each with new noise.

    Shapes:
        signals  (samples, time), floating point
        noise    the standard deviation of the noise, a number of at least 0
        data[i]  (time,), dtype of signals: signal i plus noise * (random numbers of a standard normal distribution)

    Each request draws new random numbers, one for each element. Two workers of a DataLoader draw different numbers, and so
    do two epochs of one worker, whether the workers are persistent or not. signals is not changed.

    Example:
        >>> data = NoisySignals(torch.tensor([[1.0, 2.0]]), noise=0.0)
        >>> data[0]
        tensor([1., 2.])

    Pitfall:
        A generator in the dataset is copied into each worker, whatever its seed is.

    For full marks:
        * after the same torch.manual_seed the same requests give the same items
    """

    def __init__(self, signals: torch.Tensor, noise: float):
        self.signals = signals
        self.noise = noise
        self.generator = torch.Generator().manual_seed(0)

    def __len__(self) -> int:
        """Return the number of signals."""
        return len(self.signals)

    def __getitem__(self, i: int) -> torch.Tensor:
        """Return signal i with new noise."""
        signal = self.signals[i]
        return signal + self.noise * torch.randn(signal.shape, generator=self.generator, dtype=signal.dtype)


def seed_worker(worker_id: int) -> None:
    """Prepare the global generators of a worker; a loader calls this as its worker_init_fn.

    When the loader calls it, torch's generator has a seed of its own in each worker and each epoch, which torch.initial_seed()
    returns. It may be larger than 2**32. Afterwards the global generators of Python and NumPy, too, draw other numbers in
    each worker and each epoch, and the numbers of torch still differ. All seeds follow from torch.initial_seed(), so that a
    run can be repeated.

    Pitfall:
        A seed that depends only on worker_id is the same in every epoch.
    """
    random.seed(worker_id)
    np.random.seed(worker_id)
    torch.manual_seed(worker_id)
