"""Names that raise a doubt about a file, and names that raise none: what `suspicion` looks for in a source."""

from __future__ import annotations

from torchdojo.judge.recheck.shared_modules import MODULES


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# names that reach beyond a file's own objects, or leave something running or switched on. As the name of a variable only
# those count that are built in: `classes` is a number like any other, `torch.classes` and `from torch import classes` are not
REACHING = _words(
    "eval exec compile open input globals locals vars setattr delattr getattr hasattr breakpoint exit quit type memoryview help"
    " os sys builtins inspect ctypes importlib threading multiprocessing subprocess gc types warnings pickle io shutil socket"
    " signal library overrides ops jit hub load save from_file package export cpp_extension distributed futures classes fx"
    " testing profiler fork mro update_wrapper wraps weakref copyreg attrgetter methodcaller"
    " gi_frame cr_frame ag_frame tb_frame f_back f_globals f_locals f_builtins"  # a frame gives access to everything
    " fields get_type_hints registry obj gen"  # give out classes that nobody named, or what only a `with` should enter
)
SWITCHES = _words("__enter__ __exit__ enter_dual_level exit_dual_level")  # switch on what only `with` reliably switches off
METHODS = _words("eval type")  # of modules, tensors and devices; built in, too, but not as an attribute of an object
PUT_BACK = _words("set_grad_enabled set_default_dtype set_default_device set_detect_anomaly set_rng_state")
DUNDERS = _words(
    "__init__ __call__ __len__ __iter__ __next__ __getitem__ __contains__ __repr__ __str__ __enter__ __exit__ __post_init__"
    " __eq__ __lt__ __add__ __mul__ __name__ __doc__ __all__"
)
# with these, results differ from run to run, although no seeded generator draws numbers; or they give access to
# such names. (Sets and hashes have one order in all runs: see processes.python_alone.)
CHANCE = _words(
    "empty empty_like empty_strided empty_permuted new_empty new_empty_strided resize_ resize_as_ seed id Random SystemRandom"
    " eval exec compile open globals vars os sys ctypes importlib threading multiprocessing subprocess __import__ __dict__"
    " attrgetter methodcaller f_back f_globals f_locals f_builtins"
)
STEADY = MODULES | _words("contextlib copy gc inspect io numpy operator re textwrap traceback types warnings weakref")
