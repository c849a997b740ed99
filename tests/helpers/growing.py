"""Frames that expand: one small value repeated many times in a container. If the time grows faster than linearly, reading is too slow.

A few bytes decide what a frame contains, so a fuzzer finds frames that it would never write out, such as thousands of keys with one hash.
"""

import gc
import json
import struct
import time

LEAST = 0.03  # seconds of processor time; what takes less is not measured
POWERS = [2.0 ** (61 * k) for k in range(-17, 17)]  # all of one hash, as are tuples of them
ELEMENTS = {
    "float": lambda k: 0.5 + k,
    "power": lambda k: POWERS[k % 34],
    "pair of powers": lambda k: {"t": [POWERS[k % 34], POWERS[k // 34 % 34]]},
    "three powers": lambda k: {"t": [POWERS[k % 34], POWERS[k // 34 % 34], POWERS[k // 34**2 % 34]]},
    "nested powers": lambda k: {"t": [POWERS[k % 34], {"t": [POWERS[k // 34 % 34], {"t": [POWERS[k // 34**2 % 34]]}]}]},
    "int": lambda k: k,
    "large int": lambda k: ((k % 4) * ((1 << 61) - 1)) + k // 4,
    "text": lambda k: f"key {k}",
    "long text": lambda k: f"{k} " + "x" * 50,
    "escaped text": lambda k: "\u2028\x00" * 9 + str(k),
    "tensor": lambda k: {"x": "int8 0"},
    "wide tensor": lambda k: {"x": "int8 0" + " 1" * 31},
    "large empty tensor": lambda k: {"x": f"int8 0 {1 << 39}"},
    "foreign": lambda k: {"?": ["kind", f"text {k}"]},
    "size": lambda k: {"size": [k, 1 << 40]},
    "complex": lambda k: {"c": [k, 1e300]},
    "empty": lambda k: [],
    "none": lambda k: None,
    "bool": lambda k: k % 2 == 0,
    "dtype": lambda k: {"dtype": f"float{k}"},
    "device": lambda k: {"device": f"cuda:{k}"},
}
CONTAINERS = {
    "list": lambda parts: parts,
    "tuple": lambda parts: {"t": parts},
    "text keys": lambda parts: {"m": {f"{n}": part for n, part in enumerate(parts)}},
    "keys": lambda parts: {"d": [[part, 0] for part in parts]},
    "values": lambda parts: {"d": [[n, part] for n, part in enumerate(parts)]},
    "both": lambda parts: {"d": [[part, part] for part in parts]},
    "list of dicts": lambda parts: [{"d": [[part, 0]]} for part in parts],
    "key of a dict": lambda parts: {"d": [[{"t": parts}, 0]]},
    "list in a list": lambda parts: [[parts]],
    "outcome": lambda parts: {"m": {"value": parts}},
    "names": lambda parts: {"m": {"value": 0, "warned": parts, "state": parts}},
    "size": lambda parts: {"size": parts},
}


def grown(container, element, count) -> bytes:
    """The body of a frame."""
    text = json.dumps(CONTAINERS[container]([ELEMENTS[element](k) for k in range(count)])).encode()
    return struct.pack("<I", len(text)) + text


def chosen(data: bytes) -> tuple[str, str, int]:
    """Container, element and count, by three bytes."""
    first, second, third = (data + b"\0\0\0")[:3]
    return list(CONTAINERS)[first % len(CONTAINERS)], list(ELEMENTS)[second % len(ELEMENTS)], 1 << third % 13


def seconds(function, *arguments, errors=()) -> float:
    """The processor time of a call, whether it ends in an error or not, without that of the garbage collector."""
    gc.disable()
    start = time.process_time()
    try:
        function(*arguments)
    except errors:
        pass
    finally:
        gc.enable()
    return time.process_time() - start


def out_of_proportion(function, large, small, times, errors=()) -> bool:
    """Does function(large), which holds so many times as much, take more than twice as long as in proportion, each time?"""
    for _ in range(4):
        took = seconds(function, large, errors=errors)
        if took < LEAST or took < 2 * times * seconds(function, small, errors=errors):
            return False
    return True
