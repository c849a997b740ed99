"""Tensors on an accelerator: where they are created, how they move, what the host may read, views and indices."""

import numpy as np
import pytest
import torch

from torchdojo import sim


def same(got: torch.Tensor, want: torch.Tensor) -> None:
    """The numbers are equal, wherever they are."""
    torch.testing.assert_close(got.detach().cpu(), want.detach().cpu())


# ------------------------------------------------------------------ made there
FACTORIES = {
    "zeros": lambda d: torch.zeros(3, device=d),
    "ones": lambda d: torch.ones(2, 3, device=d),
    "full": lambda d: torch.full((2,), 3.0, device=d),
    "arange": lambda d: torch.arange(4, device=d),
    "linspace": lambda d: torch.linspace(0, 1, 3, device=d),
    "eye": lambda d: torch.eye(2, device=d),
    "tensor of numbers": lambda d: torch.tensor([1.0, 2.0], device=d),
    "tensor of one number": lambda d: torch.tensor(3, device=d),
    "tensor of an array": lambda d: torch.as_tensor(np.ones(2), device=d),
    "tril_indices": lambda d: torch.tril_indices(3, 3, device=d),
    "empty then filled": lambda d: torch.empty(3, device=d).fill_(7),
}


@pytest.mark.parametrize("make", FACTORIES.values(), ids=FACTORIES)
def test_factories_make_what_they_make_on_the_cpu(make, device):
    """device= decides only where."""
    assert make(device).device.type == device.type
    same(make(device), make("cpu"))


LIKE = {
    "zeros_like": torch.zeros_like,
    "full_like": lambda x: torch.full_like(x, 2.0),
    "rand_like": torch.rand_like,
    "empty_like": torch.empty_like,
    "new_zeros": lambda x: x.new_zeros(3),
    "new_tensor": lambda x: x.new_tensor([1.0]),
    "new_full": lambda x: x.new_full((2,), 1.0),
    "new_empty": lambda x: x.new_empty(2),
    "clone": torch.clone,
}


@pytest.mark.parametrize("make", LIKE.values(), ids=LIKE)
def test_what_is_made_like_a_tensor_is_made_beside_it(make, device):
    """*_like and new_* follow the tensor."""
    assert make(torch.ones(2, 3, device=device)).device.type == device.type


RANDOM = {
    "rand": lambda d: torch.rand(200, device=d),
    "randn": lambda d: torch.randn(200, device=d),
    "randint": lambda d: torch.randint(0, 50, (200,), device=d),
    "randperm": lambda d: torch.randperm(200, device=d),
    "normal": lambda d: torch.normal(0.0, 1.0, (200,), device=d),
    "bernoulli": lambda d: torch.bernoulli(torch.full((200,), 0.5, device=d)),
    "multinomial": lambda d: torch.multinomial(torch.ones(300, device=d), 200),
    "dropout": lambda d: torch.nn.functional.dropout(torch.ones(200, device=d)),
}


@pytest.mark.parametrize("draw", RANDOM.values(), ids=RANDOM)
def test_random_numbers_are_there_repeat_and_are_not_the_cpus(draw, device):
    """The same seed gives the same numbers on the device again and others on the CPU, whose generator is not changed."""
    torch.manual_seed(3)
    first, state = draw(device), torch.get_rng_state()
    torch.manual_seed(3)
    again, on_cpu = draw(device), draw("cpu")
    torch.manual_seed(3)

    assert first.device.type == device.type
    same(again, first)
    assert not torch.equal(first.cpu(), on_cpu)
    assert torch.equal(state, torch.get_rng_state())


def test_text_and_index_name_the_device(device):
    """'sim', 'sim:0' and torch.device are the same device."""
    for name in (device.type, f"{device.type}:0", torch.device(device.type, 0)):
        assert torch.zeros(2, device=name).device == torch.device(device.type, 0)


def test_a_leaf_can_be_made_there(device):
    """requires_grad=True makes a leaf."""
    w = torch.zeros(3, device=device, requires_grad=True)
    (w * 2).sum().backward()

    assert w.is_leaf
    same(w.grad, torch.full((3,), 2.0))


# ------------------------------------------------------------------ moved
def test_a_round_trip_keeps_the_numbers(device):
    """To the device and back."""
    x = torch.arange(6.0).reshape(2, 3)
    there = x.to(device)

    assert there.device.type == device.type and not there.is_cpu and there.device.index == 0
    assert there.cpu().is_cpu
    same(there.cpu(), x)


def test_moving_nowhere_gives_the_same_object(device):
    """Like x.to(x.device) is x."""
    x = torch.ones(2).to(device)

    assert x.to(device) is x and x.to(x) is x


def test_a_copy_is_independent_both_ways(device):
    """The moved tensor shares no memory with the original."""
    x = torch.ones(2)
    there = x.to(device)
    there.add_(1)
    back = there.cpu()
    back.zero_()

    same(x, torch.ones(2))
    same(there, torch.full((2,), 2.0))


def test_dtype_and_device_change_together(device):
    """In one call, in two, without blocking."""
    x = torch.ones(2).to(device, torch.float64, non_blocking=True)

    assert (x.device.type, x.dtype) == (device.type, torch.float64)
    assert torch.ones(2).to(device=device, dtype=torch.float16).dtype == torch.float16
    assert x.float().long().device.type == device.type


def test_a_tensor_there_is_a_plain_tensor(device):
    """No subclass: type(x) is torch.Tensor."""
    assert type(torch.ones(2, device=device)) is torch.Tensor


def test_a_device_that_does_not_exist_is_refused(device):
    """There aren't a hundred of them."""
    with pytest.raises(RuntimeError, match="invalid device ordinal"):
        torch.ones(1).to(f"{device.type}:99")


def test_copy_writes_across(device):
    """copy_ and assignment to a slice accept tensors from any device."""
    there, here = torch.zeros(3, device=device), torch.zeros(3)
    there.copy_(torch.ones(3))
    here.copy_(there)
    there[:2] = torch.tensor([5.0, 6.0])

    same(here, torch.ones(3))
    same(there, torch.tensor([5.0, 6.0, 1.0]))


def test_channels_last_survives_the_trip(device):
    """Strides are preserved."""
    x = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)

    assert x.to(device).stride() == x.stride()


def test_conjugates_arrive_as_numbers(device):
    """Lazy conjugation and negation are resolved on the way."""
    x = torch.tensor([1 + 2j, 3 - 1j])

    same(x.conj().to(device), x.conj())
    same(x.to(device).conj().imag, x.conj().imag)


# ------------------------------------------------------------------ read by the host
REFUSED = {
    "numpy()": lambda x: x.numpy(),
    "np.asarray": np.asarray,
    "np.array": np.array,
    "np.concatenate": lambda x: np.concatenate([x]),
    "detach().numpy()": lambda x: x.detach().numpy(),
}


@pytest.mark.parametrize("read", REFUSED.values(), ids=REFUSED)
def test_numpy_cannot_read_it(read, device):
    """With the sentence that names the remedy."""
    with pytest.raises(TypeError, match=rf"can't convert {device.type}:0 device type tensor to numpy. Use Tensor.cpu\(\)"):
        read(torch.ones(2, device=device))


def test_numpy_reads_what_was_brought_back(device):
    """cpu() is enough; a tensor with a graph is refused because of the graph."""
    assert torch.ones(2, device=device).cpu().numpy().sum() == 2.0
    with pytest.raises(RuntimeError, match="requires grad"):
        torch.ones(2, device=device, requires_grad=True).cpu().numpy()


def test_single_numbers_can_be_read(device):
    """item, float, int, bool, comparison, formatting, tolist, iteration, in."""
    x = torch.tensor(2.5, device=device)

    assert (x.item(), float(x), int(x), bool(x > 1), f"{x:.2f}") == (2.5, 2.5, 2, True, "2.50")
    assert torch.arange(3, device=device).tolist() == [int(v) for v in torch.arange(3, device=device)] == [0, 1, 2]
    assert 2.0 in torch.tensor([1.0, 2.0], device=device)
    assert len(torch.ones(4, device=device)) == 4


def test_printing_shows_numbers_and_device(device):
    """Of tensors and parameters."""
    shown = repr(torch.arange(3.0, device=device))

    assert "0., 1., 2." in shown and f"device='{device.type}:0'" in shown
    assert repr(torch.nn.Parameter(torch.ones(2, device=device))).startswith("Parameter containing:")


# ------------------------------------------------------------------ views, in-place, indices
def edited(x: torch.Tensor) -> torch.Tensor:
    """Writes through views of many kinds."""
    x[0].fill_(1)
    x[:, 1].add_(1)
    x.t()[3].fill_(7)
    x.view(-1)[5] = 9
    x.reshape(4, 3)[3, 2] = -1
    x.unsqueeze(0).squeeze(0).transpose(0, 1)[2, 0] += 4
    x.diagonal().mul_(2)
    x.unfold(1, 2, 1)[1, 0, 0] = 5
    return x


def in_place(t: torch.Tensor) -> torch.Tensor:
    """In-place operations, those that change the shape among them."""
    t.mul_(2).add_(1).clamp_(max=9)
    t[0, 0] = 5
    t[:, 1] += 1
    t[t > 6] = 0
    t.index_add_(0, torch.tensor([0], device=t.device), torch.ones(1, 3, device=t.device))
    t.scatter_(1, torch.zeros(2, 1, dtype=torch.long, device=t.device), 3.0)
    t.unsqueeze_(0).squeeze_(0).transpose_(0, 1).masked_fill_(t == 3, -3)
    t.resize_(3, 2).t_().sub_(t.mean())
    return t


def test_writing_through_views_changes_the_base(device):
    """Views share memory."""
    same(edited(torch.zeros(3, 4, device=device)), edited(torch.zeros(3, 4)))


def test_in_place_operations_agree_with_the_cpu(device):
    """Values and shapes."""
    same(in_place(torch.arange(6.0, device=device).reshape(2, 3)), in_place(torch.arange(6.0).reshape(2, 3)))


def test_views_know_their_base_and_strides(device):
    """Offsets, strides, storage, contiguity."""
    x = torch.zeros(3, 4, device=device)
    part = x[1:]

    assert part._base is x and part.storage_offset() == 4
    assert part.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
    assert x.t().stride() == (1, 4) and not x.t().is_contiguous()
    assert x[:, None].expand(3, 2, 4).stride() == (4, 0, 1)


def test_out_tensors_are_filled_and_resized(device):
    """out= keeps the object."""
    out = torch.empty(0, device=device)
    torch.add(torch.ones(3, device=device), 1, out=out)

    same(out, torch.full((3,), 2.0))


INDICES = {
    "tensor": lambda t: t[torch.tensor([2, 0], device=t.device)],
    "list": lambda t: t[[0, 2]],
    "array": lambda t: t[np.array([0, 2])],
    "ellipsis": lambda t: t[..., 1],
    "none and slices": lambda t: t[None, 1:, ::2],
    "mask": lambda t: t[t > 3],
    "two tensors": lambda t: t[torch.arange(3, device=t.device), torch.tensor([0, 1, 2], device=t.device)],
    "numbers": lambda t: t[1, 2],
    "take": lambda t: t.take(torch.tensor([0, 5], device=t.device)),
    "index of the CPU": lambda t: t[torch.tensor([2, 0])],
    "mask of the CPU": lambda t: t[torch.tensor([True, False, True])],
}


@pytest.mark.parametrize("index", INDICES.values(), ids=INDICES)
def test_indexing_agrees_with_the_cpu(index, device):
    """Indices and masks may stay on the CPU: CUDA accepts them."""
    x = torch.arange(12.0).reshape(3, 4)

    assert index(x.to(device)).device.type == device.type
    same(index(x.to(device)), index(x))


def test_cpu_indices_serve_for_writing_too(device):
    """Indices may stay on the CPU, values must be moved."""
    x = torch.zeros(4, device=device)
    x[torch.tensor([0, 1])] = 1.0
    x[torch.tensor([True, False, False, True])] = torch.tensor(5.0)

    same(x, torch.tensor([5.0, 1.0, 0.0, 5.0]))
    with pytest.raises(RuntimeError, match="device"):
        x[torch.tensor([0, 1], device=device)] = torch.ones(2)


def test_storages_can_be_made_there(device):
    """torch.UntypedStorage(n, device=...)."""
    assert torch.UntypedStorage(4, device=device).device.type == device.type
    assert torch.UntypedStorage(4).device.type == "cpu"


@pytest.mark.skipif(sim.why_not() is not None, reason="there is no simulated device")
def test_results_are_new_memory_unless_they_are_views():
    """A result on the simulated device doesn't alias an input."""
    x = torch.ones(3, device="sim")

    assert (x + 0).data_ptr() != x.data_ptr()
    assert x.contiguous() is x
