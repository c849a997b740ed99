"""Visible tests for the devices: pytest exercises/07_training -k intro2"""

from unittest import mock

import torch

from intro2_devices import best_device, gpu_names, sum_on
from torchdojo import assert_same


def test_cuda_comes_first():
    """Where CUDA is available, it is the device."""
    there = mock.patch.multiple(torch.cuda, is_available=lambda: True, device_count=lambda: 1)
    with there, mock.patch("torch.accelerator.current_accelerator", lambda *a, **k: torch.device("cuda")):
        assert_same(best_device(), torch.device("cuda"))


def test_the_cpu_is_always_there():
    """Without CUDA and MPS the device is the CPU."""
    no_cuda = mock.patch.multiple(torch.cuda, is_available=lambda: False, device_count=lambda: 0)
    no_mps = mock.patch("torch.backends.mps.is_available", lambda: False)
    with no_cuda, no_mps, mock.patch("torch.accelerator.current_accelerator", lambda *a, **k: None):
        assert_same(best_device(), torch.device("cpu"))


def test_each_gpu_has_a_name():
    """Two GPUs have two names, number 0 first."""
    with mock.patch.multiple(torch.cuda, device_count=lambda: 2, get_device_name=lambda n=0: f"GPU {n}", is_available=lambda: True):
        assert_same(gpu_names(), ["GPU 0", "GPU 1"])


def test_a_sum_on_the_cpu():
    """1 and 2 make 3."""
    assert_same(sum_on(torch.tensor([1.0]), torch.tensor([2.0]), "cpu"), torch.tensor([3.0]))


def test_a_sum_on_another_device():
    """Tensors on "meta" have a device and no values; one of these two is there."""
    result = sum_on(torch.ones(2), torch.ones(2, device="meta"), "meta")

    assert_same(result.device, torch.device("meta"))
