"""Two devices in one operation: what raises, with which error, and what is allowed. The same on every accelerator."""

import importlib.util
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

from torchdojo import sim


def ones(*shape: int, on: object) -> torch.Tensor:
    return torch.ones(*shape, device=on)


# What CUDA's generated kernels say, and what its TensorIterator says.
CHECKED = (
    r"Expected all tensors to be on the same device, but got {argument} is on cpu, different from other tensors on {device}:0"
    r" \(when checking argument in method wrapper_{DEVICE}_{method}\)"
)
ITERATED = r"Expected all tensors to be on the same device, but found at least two devices, {device}:0 and cpu!"

REFUSED = {
    "add": (lambda d: ones(3, on=d) + ones(3, on="cpu"), ITERATED),
    "add, the other way round": (lambda d: ones(3, on="cpu") + ones(3, on=d), ITERATED),
    "add in place": (lambda d: ones(3, on=d).add_(ones(3, on="cpu")), ITERATED),
    "add in place to the CPU": (lambda d: ones(3, on="cpu").add_(ones(3, on=d)), ITERATED),
    "0-dim of the device, vector of the CPU": (lambda d: ones(3, on="cpu") * torch.tensor(2.0, device=d), ITERATED),
    "comparison": (lambda d: ones(3, on=d) == ones(3, on="cpu"), ITERATED),
    "where": (lambda d: torch.where(ones(3, on=d) > 0, ones(3, on=d), ones(3, on="cpu")), ITERATED),
    "where with a mask of the CPU": (lambda d: torch.where(ones(3, on="cpu") > 0, ones(3, on=d), ones(3, on=d)), ITERATED),
    "mse_loss": (lambda d: F.mse_loss(ones(3, on=d), ones(3, on="cpu")), ITERATED),
    "addcmul": (lambda d: torch.addcmul(ones(3, on=d), ones(3, on="cpu"), ones(3, on=d)), ITERATED),
    "out of the CPU": (lambda d: torch.add(ones(3, on=d), 1, out=torch.zeros(3)), "device"),
    "matmul": (lambda d: ones(3, 3, on=d) @ ones(3, 3, on="cpu"), CHECKED.replace("{argument}", "mat2").replace("{method}", "mm")),
    "addmm": (
        lambda d: nn.Linear(3, 2, device=d)(ones(4, 3, on="cpu")),
        CHECKED.replace("{argument}", "mat1").replace("{method}", "addmm"),
    ),
    "bmm": (
        lambda d: torch.bmm(ones(1, 3, 3, on=d), ones(1, 3, 3, on="cpu")),
        CHECKED.replace("{argument}", "mat2").replace("{method}", "bmm"),
    ),
    "shapes that do not fit either": (lambda d: ones(3, 3, on=d) @ ones(4, 3, on="cpu"), "same device"),
    "gather": (
        lambda d: ones(3, 3, on=d).gather(1, torch.zeros(3, 1, dtype=torch.long)),
        CHECKED.replace("{argument}", "index").replace("{method}", "gather"),
    ),
    "index_select": (
        lambda d: ones(3, 3, on=d).index_select(0, torch.tensor([0])),
        CHECKED.replace("{argument}", "index").replace("{method}", "_index_select"),
    ),
    "embedding": (
        lambda d: nn.Embedding(4, 2, device=d)(torch.tensor([0, 1])),
        CHECKED.replace("{argument}", "index").replace("{method}", "_index_select"),
    ),
    "cross_entropy": (
        lambda d: F.cross_entropy(ones(3, 4, on=d), torch.tensor([0, 1, 2])),
        CHECKED.replace("{argument}", "target").replace("{method}", "nll_loss_forward"),
    ),
    "cross_entropy with weights of the CPU": (
        lambda d: F.cross_entropy(ones(3, 2, on=d), torch.tensor([0, 1, 1], device=d), weight=torch.ones(2)),
        CHECKED.replace("{argument}", "weight").replace("{method}", "nll_loss_forward"),
    ),
    "binary_cross_entropy": (lambda d: F.binary_cross_entropy_with_logits(ones(3, on=d), ones(3, on="cpu")), ITERATED),
    "cat": (lambda d: torch.cat([ones(3, on=d), ones(3, on="cpu")]), CHECKED.replace("{argument}", "tensors").replace("{method}", "cat")),
    "stack": (lambda d: torch.stack([ones(3, on=d), ones(3, on="cpu")]), "same device"),
    "clamp to a 0-dim tensor": (
        lambda d: ones(3, on=d).clamp(min=torch.tensor(0.0)),
        CHECKED.replace("{argument}", "min").replace("{method}", "clamp_Tensor"),
    ),
    "masked_fill": (
        lambda d: ones(3, on=d).masked_fill(torch.tensor([True, False, True]), 0.0),
        "expected self and mask to be on the same device, but got mask on cpu and self on {device}:0",
    ),
    "masked_fill with a 0-dim mask": (
        lambda d: ones(3, on=d).masked_fill(torch.tensor(True), 0.0),
        "expected self and mask to be on the same device, but got mask on cpu and self on {device}:0",
    ),
    "masked_select": (lambda d: ones(3, on=d).masked_select(torch.tensor([True, False, True])), "device"),
    "index of the device into the CPU": (
        lambda d: ones(3, on="cpu")[torch.tensor([0], device=d)],
        r"indices should be either on cpu or on the same device as the indexed tensor \(cpu\)",
    ),
    "conv2d, weights of the CPU": (
        lambda d: nn.Conv2d(1, 1, 3)(ones(1, 1, 5, 5, on=d)),
        r"Input type \(torch\.{device}\.FloatTensor\) and weight type \(torch\.FloatTensor\) should be the same",
    ),
    "conv2d, input of the CPU": (lambda d: nn.Conv2d(1, 1, 3, device=d)(ones(1, 1, 5, 5, on="cpu")), "Input type|same device"),
    "batch_norm": (lambda d: nn.BatchNorm1d(3, device=d)(ones(4, 3, on="cpu")), "same device"),
    "layer_norm": (lambda d: nn.LayerNorm(3, device=d)(ones(4, 3, on="cpu")), "same device"),
    "GRU, state of the CPU": (
        lambda d: nn.GRU(2, 3, device=d)(ones(4, 1, 2, on=d), ones(1, 1, 3, on="cpu")),
        "Input and hidden tensors are not at the same device, found input tensor at {device}:0 and hidden tensor at cpu",
    ),
    "LSTM, input of the CPU": (
        lambda d: nn.LSTM(2, 3, device=d)(ones(4, 1, 2, on="cpu")),
        "Input and (hidden|parameter) tensors are not at the same device",
    ),
    "attention": (
        lambda d: F.scaled_dot_product_attention(ones(1, 1, 2, 2, on=d), ones(1, 1, 2, 2, on="cpu"), ones(1, 1, 2, 2, on=d)),
        "same device|Expected query, key, and value to have the same device type",
    ),
    "equal": (lambda d: torch.equal(ones(2, on=d), ones(2, on="cpu")), "device"),
    "allclose": (lambda d: torch.allclose(ones(2, on=d), ones(2, on="cpu")), "same device"),
    "dot": (lambda d: ones(3, on=d).dot(ones(3, on="cpu")), "same device"),
    "scatter_add": (lambda d: ones(3, on=d).scatter_add(0, torch.tensor([0]), ones(1, on=d)), "same device"),
    "lerp": (lambda d: ones(3, on=d).lerp(ones(3, on="cpu"), 0.5), ITERATED),
    "embedding, 0-dim index of the CPU": (lambda d: F.embedding(torch.tensor(1), ones(3, 2, on=d)), "same device"),
    "a CPU generator": (
        lambda d: torch.randn(3, generator=torch.Generator(), device=d),
        "Expected a '{device}' device type for generator but found 'cpu'",
    ),
    "the device's generator for the CPU": (
        lambda d: torch.randn(3, generator=torch.Generator(device=d)),
        "Expected a 'cpu' device type for generator but found '{device}'",
    ),
    "the device's generator for a shuffle": (
        lambda d: torch.randperm(3, generator=torch.Generator(device=d)),
        r"Expected a 'cpu' (generator device|device type for generator) but found '{device}(:0)?'",  # the words of two versions
    ),
    "the device's generator in a loader": (
        lambda d: list(DataLoader(range(3), shuffle=True, generator=torch.Generator(device=d))),
        "Expected a 'cpu' (device type for generator|generator device) but found '{device}",
    ),
    "a mask of the device into the CPU": (
        lambda d: ones(3, on="cpu")[torch.tensor([True, False, True], device=d)],
        r"indices should be either on cpu or on the same device as the indexed tensor \(cpu\)",
    ),
    "values of the device written into the CPU": (
        lambda d: ones(3, on="cpu").__setitem__(torch.tensor([0, 1]), ones(2, on=d)),
        "same device|found at least two devices",
    ),
    "the gradient of another device": (
        lambda d: setattr(torch.ones(3, device=d, requires_grad=True), "grad", torch.ones(3)),
        "assigned grad has data located on a different device|same device",
    ),
}


@pytest.mark.parametrize(("call", "words"), REFUSED.values(), ids=REFUSED)
def test_mixing_is_refused_in_cudas_words(call, words, device):
    """The error type, the devices, and the argument that it names."""
    wanted = words.replace("{device}", device.type).replace("{DEVICE}", device.type.upper())

    with pytest.raises(RuntimeError, match=wanted):
        call(device)


ALLOWED = {
    "vector times 0-dim": lambda d: ones(3, on=d) * torch.tensor(2.0),
    "0-dim times vector": lambda d: torch.tensor(2.0) * ones(3, on=d),
    "0-dim plus 0-dim": lambda d: torch.tensor(2.0) + torch.tensor(1.0, device=d),
    "add_ of a 0-dim": lambda d: ones(3, on=d).add_(torch.tensor(2.0)),
    "where with a 0-dim": lambda d: torch.where(ones(3, on=d) > 0, ones(3, on=d), torch.tensor(2.0)),
    "minimum": lambda d: torch.minimum(ones(3, on=d), torch.tensor(0.5)),
    "masked_fill with a 0-dim value": lambda d: ones(3, on=d).masked_fill(ones(3, on=d) > 0, torch.tensor(0.5)),
    "lerp to a 0-dim weight": lambda d: ones(3, on=d).lerp(ones(3, on=d), torch.tensor(0.5)),
    "Python numbers": lambda d: 2 ** (ones(3, on=d) * 2 + 1 - 0.5),
    "a remainder": lambda d: torch.arange(5.0, device=d) % 2,
    "fill_ with a 0-dim": lambda d: ones(3, on=d).fill_(torch.tensor(4.0)),
    "shape of another": lambda d: ones(6, on=d).view_as(ones(2, 3, on="cpu")),
    "a part that is copied": lambda d: ones(3, 2, on=d).select_scatter(ones(2, on="cpu") * 5, 0, 1),
    "a slice that is copied": lambda d: ones(3, 2, on=d).slice_scatter(ones(1, 2, on="cpu") * 5, 0, 1, 2),
    "lengths of sequences": lambda d: nn.utils.rnn.pack_padded_sequence(ones(4, 2, 3, on=d), torch.tensor([4, 2])).data,
}


@pytest.mark.parametrize("call", ALLOWED.values(), ids=ALLOWED)
def test_scalars_and_what_only_tells_a_shape_may_stay(call, device):
    """0-dim CPU tensors are numbers: the result is on the accelerator, and correct."""
    got = call(device)

    assert got.device.type == device.type
    torch.testing.assert_close(got.cpu(), call("cpu"))


WRITTEN = {
    "indices": lambda d: (torch.tensor([0, 2], device=d), 5.0),
    "a mask": lambda d: (torch.tensor([True, False, True], device=d), 5.0),
    "a mask, values of the CPU": lambda d: (torch.tensor([True, False, True], device=d), torch.tensor([5.0, 6.0])),
    "a 0-dim value": lambda d: (torch.tensor([0, 2]), torch.tensor(5.0, device=d)),
}


@pytest.mark.parametrize("made", WRITTEN.values(), ids=WRITTEN)
def test_indices_are_carried_to_the_tensor_that_is_written_to(made, device):
    """PyTorch moves them, and a 0-dim value, to the CPU too; reading is stricter."""
    got, want = torch.zeros(3), torch.zeros(3)
    for x, (index, value) in ((got, made(device)), (want, made("cpu"))):
        x[index] = value

    assert torch.equal(got, want)


def test_fill_reads_a_number_from_anywhere(device):
    """A 0-dim tensor on the accelerator can be written to the CPU."""
    x = torch.ones(3).fill_(torch.tensor(4.0, device=device))

    assert x.device.type == "cpu" and x.tolist() == [4.0] * 3


def test_ctc_loss_fetches_its_targets(device):
    """PyTorch moves the targets "as a service for the user"."""
    scores = torch.randn(6, 2, 4).log_softmax(2)
    call = (torch.ones(2, 3, dtype=torch.long), torch.tensor([6, 6]), torch.tensor([3, 2]))

    torch.testing.assert_close(F.ctc_loss(scores.to(device), *call).cpu(), F.ctc_loss(scores, *call))


def test_hard_coded_cuda_fails_where_there_is_none():
    """The simulated device responds only to its own name."""
    if sim.why_not() is not None or torch.cuda.is_available():
        pytest.skip("for machines without CUDA")
    x = torch.ones(2, device="sim")

    assert not torch.cuda.is_available()
    for call in (x.cuda, lambda: nn.Linear(2, 2).to("cuda"), lambda: torch.zeros(1, device="cuda")):
        with pytest.raises((AssertionError, RuntimeError)):
            call()


CUDA_ONLY = ("_use_", "_cudnn", "miopen", "_nested", "_flash", "_efficient", "_scaled_dot_product_", "_validate_compressed")


def test_the_rules_are_those_that_pytorch_declares():
    """The list of operations that compare devices themselves, against native_functions.yaml."""
    yaml, gen = importlib.util.find_spec("yaml"), importlib.util.find_spec("torchgen")
    if yaml is None or gen is None or gen.origin is None:
        pytest.skip("needs pyyaml, and PyTorch's declarations")
    import yaml

    from torchdojo.sim import mixing

    declared = yaml.safe_load(Path(gen.origin).with_name("packaged").joinpath("ATen/native/native_functions.yaml").read_text())
    entries = {entry["func"].partition("(")[0]: entry for entry in declared}
    wrong = []
    for full, entry in entries.items():
        base = entries[entry["structured_delegate"]] if "structured_delegate" in entry else entry
        keys = {key.strip() for keys in base.get("dispatch", {}) for key in keys.split(",")}
        packet, _, overload = full.partition(".")
        several = entry["func"].partition("->")[0].count("Tensor") > 1
        if "CUDA" not in keys or not several or packet.startswith(CUDA_ONLY):
            continue
        op = getattr(getattr(torch.ops.aten, packet), overload or "default")
        if any(argument.is_out for argument in op._schema.arguments):
            continue
        lets_through = entry.get("device_check") == "NoCheck"
        if mixing.Rule(op).iterated != lets_through:
            wrong.append((full, lets_through))

    assert not wrong, wrong
