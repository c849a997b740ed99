"""What is sent arrives unchanged; data that break the format are refused, whatever they are."""

import contextlib
import json
import math
import struct
import tracemalloc
from collections import Counter, OrderedDict, namedtuple

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from torchdojo.limits import FRAME_DEPTH
from torchdojo.wire import strict as wire
from torchdojo.wire import values
from torchdojo.wire.strict import BadFrame, Foreign, SeenTensor, decode, encode

DTYPES = sorted(values.NAMES, key=str)
quick = settings(max_examples=150, deadline=None, derandomize=True, database=None)


def round_trip(value):
    return decode(encode(value))


def frame(head, blobs=b"") -> bytes:
    """A frame body with a header of our own making."""
    text = head if isinstance(head, bytes) else json.dumps(head).encode()
    return struct.pack("<I", len(text)) + text + blobs


# ------------------------------------------------------------------ round trips
keys = st.one_of(st.text(max_size=5), st.integers(-9, 9), st.booleans(), st.none())
plain = st.one_of(
    *(st.none(), st.booleans(), st.integers(-(1 << 63), (1 << 63) - 1), st.floats(allow_nan=False), st.text(max_size=20)),
    *(st.binary(max_size=20), st.complex_numbers(allow_nan=False)),
)
nested = st.recursive(
    plain,
    lambda inner: st.one_of(
        *(st.lists(inner, max_size=4), st.lists(inner, max_size=4).map(tuple), st.dictionaries(keys, inner, max_size=4))
    ),
    max_leaves=20,
)


def typed(value):
    """A value with the types of all its parts, since True == 1 and (1,) is a tuple."""
    if isinstance(value, (list, tuple)):
        return type(value), [typed(v) for v in value]
    if isinstance(value, dict):
        return dict, [(typed(k), typed(v)) for k, v in value.items()]
    return type(value), value


@pytest.mark.slow
@quick
@given(nested)
def test_plain_data_arrives_unchanged(value):
    """Numbers, text, bytes, and lists, tuples and dicts of them keep their value, type and order."""
    assert typed(round_trip(value)) == typed(value)


@pytest.mark.parametrize("value", [math.inf, -math.inf, -0.0, 5e-324])
def test_special_floats_arrive_bit_by_bit(value):
    """Infinities, negative zero and the smallest number survive."""
    assert struct.pack("<d", round_trip(value)) == struct.pack("<d", value)


def test_nan_arrives():
    """nan is a number like any other here."""
    assert math.isnan(round_trip(math.nan))


@st.composite
def tensors(draw):
    """Tensors of every dtype, from random bits, behind every kind of stride."""
    dtype = draw(st.sampled_from(DTYPES))
    shape = draw(st.lists(st.integers(0, 4), max_size=4))
    if dtype is torch.bool:
        base = torch.randint(0, 2, shape) == 1
    elif dtype.is_floating_point or dtype.is_complex:
        base = torch.randn(shape, dtype=torch.complex128 if dtype.is_complex else torch.float64).to(dtype)
    else:
        base = torch.randint(0, 100, shape).to(dtype)
    view = draw(st.sampled_from(["contiguous", "permuted", "sliced", "expanded", "conjugated"]))
    if view == "permuted" and base.dim():
        return base.permute(*reversed(range(base.dim())))
    if view == "sliced" and base.dim():
        return base[..., ::2]
    if view == "expanded":
        return base.expand(3, *base.shape)
    if view == "conjugated" and dtype.is_complex:
        return base.conj()
    return base


@quick
@given(tensors())
def test_tensors_arrive_with_shape_dtype_and_values(tensor):
    """Every dtype and layout, 0-dim, empty and conjugated tensors included."""
    seen = round_trip(tensor)
    assert (type(seen), seen.device, seen.type_name) == (SeenTensor, "cpu", "Tensor")
    assert seen.data.dtype == tensor.dtype and seen.data.shape == tensor.shape
    assert torch.equal(seen.data, tensor)


@quick
@given(tensors())
def test_views_keep_their_strides_on_the_way_to_the_worker(tensor):
    """An expanded, sliced or transposed argument is the same in the worker."""
    found = decode(encode(tensor, views=True), views=True)
    assert type(found) is torch.Tensor and torch.equal(found, tensor)
    if tensor.numel():
        assert steps(found) == steps(tensor)


def steps(tensor):
    """The strides that lead anywhere: that of an axis of size 1 says nothing."""
    return [stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True) if size > 1]


def test_observations_carry_no_strides():
    """Strides of the tensor itself are never judged; a frame with strides could claim more than it holds."""
    assert b'"v"' not in encode(torch.ones(3, 1).expand(3, 4)) and b'"v"' not in encode(torch.ones(4, 3).T)


def test_an_expanded_observation_arrives_whole():
    """One number expanded to twelve positions arrives as twelve numbers."""
    assert torch.equal(round_trip(torch.tensor(2.0).expand(3, 4)).data, torch.full((3, 4), 2.0))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_an_unaligned_tensor_is_read(dtype):
    """A tensor after an odd number of bytes is read correctly."""
    tensor = torch.ones(3, dtype=dtype)
    assert torch.equal(round_trip([b"x", tensor])[1].data, tensor)


@pytest.mark.parametrize("value", [torch.Size([2, 0]), torch.Size([-1, 2**62]), torch.float32, torch.bool], ids=str)
def test_shapes_and_dtypes_arrive_as_themselves(value):
    """A torch.Size stays a torch.Size, and a dtype a dtype."""
    assert (type(round_trip(value)), round_trip(value)) == (type(value), value)


def test_a_device_arrives_as_its_name():
    """A device of the worker need not exist on the trusted side."""
    assert round_trip(torch.device("cuda:1")) == Foreign("torch.device", "cuda:1")
    assert decode(encode(torch.device("cpu")), views=True) == torch.device("cpu")


class Odd:
    """An object of the learner's own."""

    def __repr__(self):
        raise SystemExit


@pytest.mark.parametrize(
    ("value", "foreign"),
    [
        (Odd(), Foreign(f"{__name__}.Odd", f"{__name__}.Odd")),
        (object(), Foreign("object", "object")),
        ({1}, Foreign("set", "{1}")),
        (10**30, Foreign("int", "100 bits")),
        (torch.ones(1, dtype=torch.float8_e5m2), Foreign("torch.Tensor", "<float8_e5m2 tensor of shape (1,) on cpu>", "float8_e5m2", "strided", "cpu")),
        (torch.ones(2).to_sparse(), Foreign("torch.Tensor", "<sparse_coo float32 tensor of shape (2,) on cpu>", "float32", "sparse_coo", "cpu")),
        (torch.ones(2, device="meta"), Foreign("torch.Tensor", "<float32 tensor of shape (2,) on meta>", "float32", "strided", "meta")),
    ],
    ids=lambda v: type(v).__name__,
)
def test_everything_else_arrives_as_its_type_and_text(value, foreign):
    """Anything but plain data is described, never rebuilt."""
    assert round_trip(value) == foreign


def test_subclasses_are_named_and_sent_by_their_true_content():
    """A parameter is a tensor; a subclass that overrides methods can't change what is read from its memory."""

    class Liar(torch.Tensor):
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            return torch.full((2,), 42.0)

    seen = round_trip(torch.zeros(2).as_subclass(Liar))
    assert torch.equal(seen.data, torch.zeros(2)) and seen.type_name.endswith("Liar")
    assert round_trip(torch.nn.Parameter(torch.ones(1))).type_name == "torch.nn.parameter.Parameter"


def test_named_tuples_and_ordered_dicts_travel_as_what_they_are_made_of():
    """They are tuples and dicts, and right where one of these is expected."""
    pair = round_trip(namedtuple("Pair", "low high")(1, [torch.ones(2)]))
    assert type(pair) is tuple and pair[0] == 1 and torch.equal(pair[1][0].data, torch.ones(2))
    assert round_trip(OrderedDict(b=1, a=Counter("xx"))) == {"b": 1, "a": {"x": 2}}


def test_what_a_reduction_gives_is_described():
    """The values and indices of max are named, so that the message can say that .values is missing."""
    assert round_trip(torch.ones(2, 2).max(0)).type_name == "torch.return_types.max"


@pytest.mark.parametrize("shape", [(), (1,), (2, 0)])
def test_an_array_keeps_its_shape(shape):
    """A scalar has no axis, whatever NumPy makes of it on the way."""
    assert round_trip(np.ones(shape)).data.shape == shape


def test_a_dict_of_many_keys_is_described_by_the_sender():
    """The reader would refuse the whole answer, and the learner would not know why."""
    few, many = ({str(n): n for n in range(count)} for count in (1000, 1001))
    assert round_trip(few) == few and round_trip(many) == wire.Foreign("dict", "a dict of 1001 keys")


def test_deep_nesting_is_cut_by_the_sender():
    """A list in a list in a list ... arrives up to a depth, and below it as a description."""
    deep: list = []
    for _ in range(100):
        deep = [deep]
    found = round_trip(deep)
    for _ in range(FRAME_DEPTH):
        (found,) = found
    assert found == Foreign("list", "nested too deep")


# ------------------------------------------------------------------ strict reading
BIG = 1 << 39
REFUSED = {
    "empty": (b"", "shorter than its own header"),
    "three bytes": (b"abc", "shorter than its own header"),
    "header longer than frame": (struct.pack("<I", 9) + b"null", "header longer than the frame"),
    "not JSON": (frame(b"nul"), "JSONDecodeError: Expecting value: line 1 column 1 (char 0)"),
    "bytes left over": (frame(None, b"x"), "bytes left over"),
    "unknown tag": (frame({"pickle": "gASV"}), "unknown value"),
    "no tag": (frame({}), "unknown value"),
    "two tags": (frame({"t": [], "d": []}), "unknown value"),
    "bad dtype": (frame({"x": "float8 1"}, b"x"), "not the form of a tensor"),
    "no dtype": (frame({"x": ""}, b"x"), "not the form of a tensor"),
    "dtype that is a list": (frame({"x": []}, b"x"), "TypeError: unhashable type: 'list'"),
    "dtype that is a number": (frame({"x": 8}, b"x"), "not the form of a tensor"),
    "negative size": (frame({"x": "int8 -1"}), "not the form of a tensor"),
    "two negative sizes": (frame({"x": "int8 -1 -1"}, b"x"), "not the form of a tensor"),
    "fractional size": (frame({"x": "int8 1.0"}, b"x"), "not the form of a tensor"),
    "nan for a size": (frame({"x": "int8 NaN"}, b"x"), "not the form of a tensor"),
    "size in Arabic digits": (frame({"x": "int8 \u0661"}, b"x"), "not the form of a tensor"),
    "two spaces": (frame({"x": "int8  1"}, b"x"), "not the form of a tensor"),
    "underscore in a size": (frame({"x": "int8 1_0"}, b"x" * 10), "not the form of a tensor"),
    "huge size": (frame({"x": f"int8 {1 << 62}"}, b"x"), "not a size"),
    "size of 400 digits": (frame({"x": "int8 " + "9" * 400}, b"x"), "not a size"),
    "size of 5,000 digits": (frame({"x": "int8 " + "9" * 5000}, b"x"), "not the form of a tensor"),
    "overflowing product": (frame({"x": f"int8 {BIG} {BIG}"}, b"x"), "shorter than it claims"),
    "short tensor": (frame({"x": "float32 2"}, b"x" * 7), "shorter than it claims"),
    "long tensor": (frame({"x": "float32 1"}, b"x" * 5), "bytes left over"),
    "second tensor lacks bytes": (frame([{"x": "int8 1"}] * 2, b"x"), "shorter than it claims"),
    "too many axes": (frame({"x": "int8" + " 1" * 33}, b"x"), "not the form of a tensor"),
    "tensor with more to say": (frame({"x": "int8 1", "pickle": 1}, b"x"), "unknown value"),
    "device that is a list": (frame({"x": "int8 1", "at": ["cpu"]}, b"x"), "not a text"),
    "two headers": (frame(b"null null"), "more than one header"),
    "bytes that are not there": (frame({"b": 60 << 20}), "shorter than it claims"),
    "negative bytes": (frame({"b": -1}), "not a size"),
    "expanded beyond the frame": (frame({"x": f"int8 {1 << 35}", "v": [0], "n": 1}, b"x"), "unknown value"),
    "pairs that are triples": (frame({"d": [[1, 2, 3]]}), "ValueError: too many values to unpack (expected 2)"),
    "pairs that are numbers": (frame({"d": [1]}), "TypeError: cannot unpack non-iterable int object"),
    "dict of nothing": (frame({"d": 1}), "TypeError: object of type 'int' has no len()"),
    "unhashable key": (frame({"d": [[{"t": [[1]]}, 1]]}), "a key that is no text"),
    "tuple of nothing": (frame({"t": None}), "TypeError: 'NoneType' object is not iterable"),
    "shape of text": (frame({"size": ["1"]}), "not a size"),
    "half a complex number": (frame({"c": [1]}), "IndexError: list index out of range"),
    "half a description": (frame({"?": ["x"]}), "IndexError: list index out of range"),
    "200,000 brackets": (frame(b"[" * 200_000 + b"]" * 200_000), "nested too deep"),
    "37 brackets": (frame(b"[" * 38 + b"]" * 38), "nested too deep"),
    "integer of 5,000 digits": (frame(b"9" * 5000), "an integer of more than 64 bits"),
    "integer of 65 bits": (frame(1 << 63), "an integer of more than 64 bits"),
    "nan in bytes": (frame({"b": math.nan}), "not a size"),
    "3 million values": (frame(b"[" + b"0," * 3_000_000 + b"0]"), "too many values"),
    "3 million empty lists": (frame(b"[" + b"[]," * 3_000_000 + b"[]]"), "too many values"),
    "20,001 tensors": (frame([{"x": "int8 0"}] * 20_001), "too many tensors"),
    "not UTF-8": (frame(b'"\xff"'), "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 1: invalid start byte"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_frame_that_breaks_the_format_is_refused(name):
    """The reason is given, and the error is BadFrame."""
    body, reason = REFUSED[name]
    with pytest.raises(BadFrame) as caught:
        decode(body)
    assert str(caught.value) == reason


def test_every_cut_of_a_valid_frame_is_refused():
    """No prefix of a frame is a frame."""
    body = encode({"x": torch.arange(6.0).reshape(2, 3), "n": [1, (2, None)]})
    for end in range(len(body)):
        with pytest.raises(BadFrame):
            decode(body[:end])


def test_strides_beyond_the_data_are_refused_in_the_worker_too():
    """Where strides are read, they stay within the received bytes."""
    for strides, held in (([4], 1), ([1, 1], 4), ([-1], 4), ([1], 3)):
        with pytest.raises(BadFrame):
            decode(frame({"x": "int8 4", "v": strides, "n": held}, b"abcd"[:held]), views=True)


def test_bytes_of_a_bool_tensor_become_true_or_false():
    """A byte of 7 in a bool tensor would be undefined behaviour: read as a bool it looks right, so its bytes are read."""
    assert decode(frame({"x": "bool 3"}, b"\x00\x07\xff")).data.view(torch.uint8).tolist() == [0, 1, 1]


def test_a_decoded_tensor_is_contiguous_and_the_readers_own():
    """The sender can't change it later through its own buffer."""
    body = bytearray(encode(torch.arange(4)))
    found = decode(bytes(body)).data
    body[-8:] = b"\xff" * 8
    assert found.tolist() == [0, 1, 2, 3] and found.is_contiguous()


# ------------------------------------------------------------------ fuzz
def only_badframe(body: bytes) -> None:
    for views in (False, True):
        with contextlib.suppress(BadFrame):
            decode(body, views=views)


@settings(quick, max_examples=400)
@given(st.binary(max_size=200))
@example(frame({"device": "no-such-device"}))
@example(frame({"device": []}))
@example(frame({"x": f"int8 0 {BIG} {BIG}"}))
def test_random_bytes_raise_nothing_but_badframe(body):
    """Not as a whole frame, and not as a header."""
    only_badframe(body)
    only_badframe(frame(body))


@pytest.mark.slow
@settings(quick, max_examples=400)
@given(nested.map(lambda v: [v, torch.ones(2, 3), torch.Size([1]), torch.float32, object()]), st.data())
def test_mutated_frames_raise_nothing_but_badframe(value, data):
    """Some bytes of a valid frame are replaced, removed or doubled."""
    body = bytearray(encode(value, views=data.draw(st.booleans())))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(body) - 1))
        how = data.draw(st.integers(0, 3))
        if how == 0:
            body[at] = data.draw(st.integers(0, 255))
        elif how == 1:
            body[at : at + 1] = data.draw(st.sampled_from([b"[", b"]", b"-", b"9", b"1e99", b"NaN", b"{}", b'"', b"null"]))
        elif how == 2:
            del body[at : at + data.draw(st.integers(1, 5))]
        else:
            body[at:at] = body[at : at + data.draw(st.integers(1, 20))]
        if not body:
            break
    size = struct.unpack_from("<I", body)[0] if len(body) >= 4 else 0
    only_badframe(bytes(body))
    only_badframe(struct.pack("<I", min(size, len(body))) + bytes(body[4:]))


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 1 << 66), st.floats(), st.text(max_size=6), st.sampled_from(["int8", "int8 2", "bool 0 3", "cpu"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["x", "v", "n", "at", "as", "t", "d", "m", "b", "c", "?", "size", "dtype", "device"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.slow
@settings(quick, max_examples=500)
@given(json_values, st.binary(max_size=40))
def test_headers_of_any_json_raise_nothing_but_badframe(head, blobs):
    """Any JSON under any of our tags."""
    only_badframe(frame(head, blobs))


def test_hostile_frames_cost_no_more_memory_than_a_few_times_their_size():
    """Claims are checked before anything is built: 8 MiB of brackets don't become a gigabyte of lists."""
    for unit in (b"[],", b'{"t":[]},', b"{},", b'"a",', b"1.5,"):
        body = frame(b"[" + unit * ((8 << 20) // len(unit)) + b"0]")
        tracemalloc.start()
        with pytest.raises(BadFrame):
            decode(body)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 5 * len(body), unit


def test_what_did_not_travel_reads_as_words():
    """Judges use it in their sentences, and a learner doesn't know our internal names."""
    there = [wire.Foreign("function", "function"), wire.Foreign("Net", "Net(2, 3)"), wire.Foreign("generator", "")]
    assert f"{there!r}" == "[a function, Net(2, 3), a generator]"
