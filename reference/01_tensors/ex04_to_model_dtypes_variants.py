"""Known mistakes and unusual but correct solutions for to_model_dtypes."""

from collections import OrderedDict  # noqa: F401 (for an edit)

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "return_input: return t (2)": "to(tensor) takes the dtype and device of that tensor, which is t itself",
}

HINTS = (
    "Decide for each tensor which of three kinds it is, and build a new dict as you go.",
    "t.is_floating_point() tells floats from the rest, and bool is a dtype of its own, not an integer. "
    "t.to(dtype) gives back t itself when nothing has to change.",
    "Loop over batch.items(). Floating point: convert to torch.float32. Bool and complex: keep the tensor. "
    "The rest are integers: convert to torch.int64. Put each into a fresh dict under its name.",
)


everything_is_float32 = mistake.edited("t.to(model_dtype(t))", "t if t.is_complex() else t.to(torch.float32)",
    "Every tensor became float32: labels and token ids must stay integers (int64), and masks bool.",
    pitfall="Turning everything into float32")

masks_become_integers = mistake.edited(" or t.dtype == torch.bool", "",
    "Your bool tensor became int64: as an index, True and False choose rows, but 1 and 0 are row numbers. Leave bool alone.")

always_a_copy = mistake.edited("t.to(model_dtype(t))", "t.to(model_dtype(t)).clone()",
    "Tensors that were right already came back as copies: t.to(dtype) gives t itself then, without clone or copy=True.")

changes_the_given_dict = mistake.edited(
    "return {name: t.to(model_dtype(t)) for name, t in batch.items()}",
    "for name, t in batch.items():\n    batch[name] = t.to(model_dtype(t))\nreturn batch",
    "You wrote the converted tensors into the caller's dict: build a new dict and leave the given one as it is.")

integers_are_left = mistake.edited("return torch.int64", "return t.dtype",
    "Small integers such as uint8 and int32 were left as they are: labels and indices should be int64.")

only_float64_is_converted = mistake.edited(
    "return torch.float32", "return torch.float32 if t.dtype == torch.float64 else t.dtype",
    "Only float64 was converted: float16 and bfloat16 are floating point too. Ask t.is_floating_point().")

a_list_of_signed_dtypes = mistake.edited(
    "if t.is_complex() or t.dtype == torch.bool:",
    "if t.is_complex() or t.dtype in (torch.bool, torch.uint16, torch.uint32, torch.uint64):",
    "uint16, uint32 and uint64 were left as they are: they are integers too. Whatever is neither float, complex nor bool "
    "is one.")

only_int32_is_converted = mistake.edited(
    "if t.is_complex() or t.dtype == torch.bool:",
    "if t.is_complex() or t.dtype in (torch.bool, torch.uint8, torch.int8, torch.int16):",
    "Only int32 was converted: uint8, int8 and int16 are integers too. Whatever is neither float, complex nor bool is one.")

integers_become_int32 = mistake.edited("return torch.int64", "return torch.int32",
    "Your integers are int32: losses and indices in PyTorch expect int64 (torch.long).")

integers_through_float = mistake.edited(
    "t.to(model_dtype(t))", "t if t.dtype == model_dtype(t) else t.to(torch.float32).to(model_dtype(t))",
    "Large integers were rounded, as in float32, which holds 24 bits. Convert straight to int64.")

bytes_as_signed = mistake.edited(
    "t.to(model_dtype(t))", "t.view(torch.int8).long() if t.dtype == torch.uint8 else t.to(model_dtype(t))",
    "Values of uint8 above 127 came out negative, as in int8. Convert straight to int64.")

floats_through_float16 = mistake.edited(
    "t.to(model_dtype(t))", "(t.half() if t.dtype == torch.float64 else t).to(model_dtype(t))",
    "Floats lost digits, as in float16 or bfloat16, and in float16 numbers above 65504 become inf. Convert straight "
    "to float32.")

complex_numbers_lose_a_part = mistake.edited(
    "t.to(model_dtype(t))", "t.real.float() if t.is_complex() else t.to(model_dtype(t))",
    "Complex tensors became float32, and their imaginary parts are gone: leave complex tensors as they are.")

narrows_complex_numbers = mistake.edited(
    "t.to(model_dtype(t))", "t.to(torch.complex64) if t.is_complex() else t.to(model_dtype(t))",
    "complex128 became complex64: complex tensors stay as they are, whatever their precision.")

decides_by_the_names = mistake.edited(
    "t.to(model_dtype(t))",
    't if t.is_complex() or t.dtype == torch.bool else t.long() if name in ("y", "label") else t.float()',
    "You chose by the names in the dict: they mean nothing here. Check the dtype of each tensor.")

leaves_what_is_named_y = mistake.edited("t.to(model_dtype(t))", 't if name == "y" else t.to(model_dtype(t))',
    "A tensor stayed as it was because of its name: the names mean nothing. An int32 label called y becomes int64 too.")

all_but_floats_are_integers = mistake.edited(
    "if t.is_complex() or t.dtype == torch.bool:\n    return t.dtype",
    "",
    "Bool and complex tensors became int64: what is not floating point need not be an integer. Leave both as they "
    "are.")


bfloat16_is_left = mistake.edited(
    "return torch.float32",
    "return t.dtype if t.dtype == torch.bfloat16 else torch.float32",
    "bfloat16 was left as it is: it is floating point, too. t.is_floating_point() is True for every floating point dtype.")


what_is_right_is_left_out = mistake.edited(
    "for name, t in batch.items()}",
    "for name, t in batch.items() if t.dtype != model_dtype(t)}",
    "Tensors that need no conversion are missing from your result: put every tensor of the batch into it.")


a_dict_that_keeps_its_order = alternative.edited(
    "{name: t.to(model_dtype(t)) for name, t in batch.items()}",
    "OrderedDict((name, t.to(model_dtype(t))) for name, t in batch.items())",
    "An OrderedDict, from the days when a plain dict had no order.")


@alternative("to_model_dtypes")
def a_table_of_dtypes(batch):
    """Each dtype that must change, with its new one."""
    table = dict.fromkeys((torch.float16, torch.bfloat16, torch.float64), torch.float32)
    table |= dict.fromkeys((torch.uint8, torch.int8, torch.int16, torch.int32, torch.uint16, torch.uint32, torch.uint64), torch.int64)
    result = {}
    for name, t in batch.items():
        result[name] = t.type(table[t.dtype]) if t.dtype in table else t
    return result


@alternative("to_model_dtypes")
def short_method_names(batch):
    """A shallow copy of the dict, then .float() and .long()."""
    batch = dict(batch)
    for name, t in list(batch.items()):
        if torch.is_floating_point(t):
            batch[name] = t.float()
        elif t.dtype is not torch.bool and not torch.is_complex(t):
            batch[name] = t.long()
    return batch
