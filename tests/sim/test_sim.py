"""The simulated accelerator and its environment: files, generators, torch.accelerator, the CUDA alias, processes, limits."""

import copy
import gc
import io
import json
import os
import pickle
import resource
import subprocess
import threading
from pathlib import Path

import pytest
import torch
import warm
from tiny_dojo import make_dojo
from torch import nn

from torchdojo import sim
from torchdojo.sim import accelerator

if sim.why_not() is not None:
    pytest.skip(sim.why_not(), allow_module_level=True)


def python(code: str, **variables: str) -> subprocess.CompletedProcess:
    """Run code as in a fresh interpreter."""
    return warm.python("-c", code, cwd=Path.cwd(), env=os.environ | variables)


def saved(thing: object, **options: object) -> io.BytesIO:
    stream = io.BytesIO()
    torch.save(thing, stream, **options)
    stream.seek(0)
    return stream


# ------------------------------------------------------------------ files and copies
PLACES = {"to the CPU": ("sim", "cpu"), "to the device": ("cpu", "sim"), "as it was": ("sim", None), "by index": ("cpu", "sim:0")}


@pytest.mark.parametrize(("made", "wanted"), PLACES.values(), ids=PLACES)
def test_a_state_dict_is_loaded_where_it_is_wanted(made, wanted, device):
    """map_location of both kinds, and none."""
    layer = nn.Linear(3, 2).to(device if made == "sim" else "cpu")
    place = wanted and wanted.replace("sim", device.type)
    found = torch.load(saved(layer.state_dict()), map_location=place)

    assert {t.device.type for t in found.values()} == {"cpu" if place == "cpu" else device.type}
    torch.testing.assert_close(found["weight"].cpu(), layer.weight.detach().cpu())


def test_map_location_may_be_a_device_or_a_function(device):
    """torch.device, and a function of storages."""
    file = saved(torch.ones(2))
    there = torch.load(file, map_location=device)
    file.seek(0)
    here = torch.load(file, map_location=lambda storage, where: storage)

    assert (there.device.type, here.device.type) == (device.type, "cpu")


def test_loading_into_a_model_elsewhere_moves(device):
    """load_state_dict copies; optimizers load their state too; training continues."""
    model = nn.Linear(4, 2)
    opt = torch.optim.Adam(model.parameters())
    model(torch.ones(1, 4)).sum().backward()
    opt.step()
    there = nn.Linear(4, 2).to(device)
    resumed = torch.optim.Adam(there.parameters())
    there.load_state_dict(model.state_dict())
    resumed.load_state_dict(opt.state_dict())
    there(torch.ones(1, 4, device=device)).sum().backward()
    resumed.step()

    assert there.weight.device.type == next(iter(resumed.state.values()))["exp_avg"].device.type == device.type


@pytest.mark.slow
def test_files_open_in_a_process_without_the_device(tmp_path):
    """With map_location='cpu', as with files from a GPU."""
    torch.save(nn.Linear(2, 2).to("sim").state_dict(), tmp_path / "model.pt")

    done = python(f"import torch; print(sorted(torch.load({str(tmp_path / 'model.pt')!r}, map_location='cpu')))")

    assert done.stdout.strip() == "['bias', 'weight']", done.stderr


def test_shared_storage_is_saved_once(device):
    """A view and its base."""
    x = torch.zeros(1000, device=device)

    assert saved({"a": x, "b": x[10:]}).getbuffer().nbytes < 6500


def test_copies_are_copies(device):
    """deepcopy of a model and of a state dict, pickle, clone."""
    model = nn.Linear(3, 2).to(device)
    twin, state = copy.deepcopy(model), copy.deepcopy(model.state_dict())
    with torch.no_grad():
        model.weight.zero_()

    assert twin.weight.device.type == state["weight"].device.type == device.type
    assert twin.weight.abs().sum().item() > 0 and state["weight"].abs().sum().item() > 0
    assert pickle.loads(pickle.dumps(twin.weight.detach())).device.type == device.type


def test_a_whole_model_can_be_saved(device):
    """weights_only=False."""
    found = torch.load(saved(nn.Linear(2, 2).to(device)), map_location="cpu", weights_only=False)

    assert found.weight.device.type == "cpu"


# ------------------------------------------------------------------ settings that hold for a while
def test_default_device(device):
    """set_default_device, and back."""
    torch.set_default_device(device)
    try:
        places = {torch.zeros(2).device.type, nn.Linear(2, 2).weight.device.type, torch.get_default_device().type}
    finally:
        torch.set_default_device(None)

    assert places == {device.type} and torch.zeros(1).device.type == "cpu"


def test_device_as_a_context(device):
    """with torch.device(...)."""
    with device:
        assert torch.ones(2).device.type == nn.Linear(2, 2).weight.device.type == device.type
    assert torch.ones(2).device.type == "cpu"


def test_accelerator_names_the_device(device):
    """current_accelerator and the rest of its interface."""
    api = torch.accelerator
    chosen = api.current_accelerator() if api.is_available() else torch.device("cpu")

    assert chosen.type == device.type and api.device_count() >= 1 and api.current_device_index() == 0
    api.set_device_index(0)
    api.synchronize()
    with api.device_index(0):
        assert torch.zeros(1, device=api.current_accelerator()).device.type == device.type
    with pytest.raises((RuntimeError, AssertionError)):
        api.set_device_index(99)
    assert torch.get_device_module(device).is_available()


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_outside_a_check_the_machine_is_what_it_is():
    """It is installed, but torch.accelerator and torch.cuda report the same as without it."""
    code = """
import torch, sys
if sys.argv[1:] or {installed}:
    from torchdojo import sim; sim.install()
a = torch.accelerator
print(a.is_available(), a.current_accelerator(check_available=True), a.device_count(), torch.cuda.is_available())
try: a.synchronize()
except RuntimeError as e: print(str(e).splitlines()[0])
"""
    without, installed = python(code.format(installed=False)), python(code.format(installed=True))

    assert installed.stdout == without.stdout != ""


def test_generators(device):
    """Created for the device: they report it, repeat, and work for every random operation."""
    g = torch.Generator(device=device)

    def draws():
        g.manual_seed(4)
        kinds = [torch.randn(3, generator=g, device=device), torch.randint(0, 9, (3,), generator=g, device=device)]
        return [*kinds, torch.randperm(5, generator=g, device=device), torch.empty(3, device=device).uniform_(generator=g)]

    assert g.device.type == device.type and isinstance(g, torch.Generator)
    assert all(torch.equal(a, b) for a, b in zip(draws(), draws(), strict=True))
    assert g.initial_seed() == 4
    assert torch.Generator().device.type == "cpu" and isinstance(torch.default_generator, torch.Generator)


def test_copies_of_a_generator_go_on_alike(device):
    """copy.deepcopy, clone_state, pickle: the device and the position in the sequence are preserved."""
    g = torch.Generator(device=device).manual_seed(4)
    torch.rand(2, generator=g, device=device)
    copies = [copy.deepcopy(g), g.clone_state(), pickle.loads(pickle.dumps(g))]

    assert all(c.device == g.device for c in copies)
    first, *others = [torch.rand(3, generator=c, device=device) for c in (g, *copies)]
    assert all(torch.equal(first, other) for other in others)


def test_a_generator_is_forgotten_with_its_last_name():
    """Nothing is kept of a generator that is no longer referenced."""
    from torchdojo.sim import chance

    before = len(chance._twins)
    for _ in range(3):
        torch.Generator(device="sim")
    assert len(chance._twins) == before


def test_states_of_random_numbers(device):
    """get, set, fork."""
    module = torch.get_device_module(device)
    state = module.get_rng_state()
    first = torch.rand(3, device=device)
    module.set_rng_state(state)
    with torch.random.fork_rng(device_type=device.type):
        assert torch.equal(torch.rand(3, device=device), first)
    assert torch.equal(torch.rand(3, device=device), first)


def test_assert_close_compares_devices(device):
    """torch.testing sees the difference unless told not to."""
    with pytest.raises(AssertionError, match="device"):
        torch.testing.assert_close(torch.ones(2, device=device), torch.ones(2))
    torch.testing.assert_close(torch.ones(2, device=device), torch.ones(2), check_device=False)


# ------------------------------------------------------------------ the CUDA alias
def whole_program() -> tuple[str, float]:
    """What is found in a thousand tutorials."""
    where = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.cuda.manual_seed_all(0)
    model = nn.Linear(2, 1).to(where)
    opt, scaler = torch.optim.SGD(model.parameters(), lr=0.1), torch.amp.GradScaler("cuda")
    x, y = torch.ones(4, 2).cuda(), torch.zeros(4, 1, device="cuda:0")
    for _ in range(3):
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = nn.functional.mse_loss(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
    torch.cuda.synchronize()
    assert x.is_cuda and model.weight.is_cuda and model.weight.grad.device == torch.device("cuda", 0)
    assert torch.load(saved(model.state_dict()), map_location="cuda")["weight"].is_cuda
    return str(model.weight.device), loss.item()


def test_the_alias_runs_a_program_that_says_cuda():
    """Inside, it is CUDA in name; outside, nothing has changed."""
    from torchdojo.sim.cuda import alias

    before = torch.cuda.is_available()
    with alias() as device:
        place, loss = whole_program()
        assert torch.accelerator.current_accelerator() == device == torch.device("cuda")
        assert "device='cuda:0'" in repr(torch.ones(1, device="cuda"))

    assert place == "cuda:0" and loss >= 0
    assert torch.cuda.is_available() == before
    assert torch.ones(1, device="sim").device == torch.device("sim", 0)
    with pytest.raises(RuntimeError):
        torch.Generator(device="cuda")


def test_the_alias_refuses_in_cudas_own_words():
    """Messages, backward passes and hooks say cuda."""
    from torchdojo.sim.cuda import alias

    seen = []
    with alias():
        with pytest.raises(RuntimeError, match=r"mat1 is on cpu, different from other tensors on cuda:0 .*wrapper_CUDA_addmm"):
            nn.Linear(2, 2).to("cuda")(torch.ones(1, 2))
        with pytest.raises(TypeError, match="can't convert cuda:0 device type tensor to numpy"):
            torch.ones(1, device="cuda").numpy()
        x = torch.ones(2, device="cuda", requires_grad=True)
        x.register_hook(lambda g: seen.append(str(g.device)))
        (x * 2).sum().backward()

    assert seen == ["cuda:0"]


ALIAS_GRADER = '''"""Hidden checks for a program."""
from torchdojo.grading import check, cuda_alias


@check(points=3, needs=("sim",))
def program_uses_the_gpu(solution):
    """The program trains on the GPU that it finds."""
    with cuda_alias():
        return solution.main()


@program_uses_the_gpu.judge
def _(place):
    return None if place == "cuda:0" else f"it ran on {place}"
'''
PROGRAM = """import torch
def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = torch.nn.Linear(2, 1).to(device)
    model(torch.ones(1, 2, device=device)).sum().backward()
    return str(model.weight.grad.device)
"""


def graded_program(tmp_path, text: str, *words: str) -> dict:
    """The record of the one check, from the command line."""
    tmp_path.mkdir(exist_ok=True)
    root = make_dojo(tmp_path / "dojo")
    (root / "graders" / "01_toys" / "grade_ex01_double.py").write_text(ALIAS_GRADER)
    (tmp_path / "ex01_double.py").write_text(text)
    code = "from torchdojo.cli import main; main()"
    done = warm.python("-c", code, "grade", tmp_path / "ex01_double.py", "--json", *words, cwd=root)
    return json.loads(done.stdout)["exercises"][0]["checks"][0]


@pytest.mark.slow
def test_a_check_may_ask_for_the_alias(tmp_path):
    """In a locked worker; a program that stays on the CPU is refused."""
    right, wrong = graded_program(tmp_path / "a", PROGRAM), graded_program(tmp_path / "b", PROGRAM.replace("cuda", "cpu", 1))

    assert right["status"] == "passed", right["feedback"]
    assert wrong["status"] == "failed" and "it ran on cpu" in wrong["feedback"]


@pytest.mark.slow
def test_without_the_device_such_a_check_is_skipped_and_costs_nothing(tmp_path):
    """Visibly, with the reason."""
    found = graded_program(tmp_path, PROGRAM, "--device", "cpu")

    assert (found["status"], found["max_score"]) == ("skipped", 0)
    assert found["feedback"] == "not graded on this machine: it needs the simulated accelerator (--device cpu,sim). It costs no points."


# ------------------------------------------------------------------ processes, threads, memory, time
def steps(place: str, count: int) -> float:
    """Some steps of a small network; the last loss."""
    torch.manual_seed(0)
    model, x = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1)).to(place), torch.linspace(-3, 3, 64, device=place)[:, None]
    opt = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(count):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), x.sin())
        loss.backward()
        opt.step()
    return loss.item()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # looking at every object wakes up deprecated ones
def test_a_thousand_steps_leave_no_memory_behind():
    """Objects, storage and resident memory after 1,000 steps are the same as after 50."""
    steps("sim", 50)
    gc.collect()
    tensors, before = sum(isinstance(o, torch.Tensor) for o in gc.get_objects()), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    steps("sim", 1000)
    gc.collect()
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    assert sum(isinstance(o, torch.Tensor) for o in gc.get_objects()) == tensors
    assert after - before < 4096  # kilobytes; a step that leaked its smallest tensor would leave 64,000 bytes a thousand times


def test_results_outlive_what_they_were_made_of():
    """The memory lives as long as any tensor uses it."""
    views = [torch.arange(1000.0, device="sim")[k : k + 2] for k in range(50)]
    gc.collect()
    torch.full((100_000,), -1.0, device="sim")

    assert [v.tolist() for v in views] == [[float(k), float(k + 1)] for k in range(50)]


@pytest.mark.slow
def test_children_of_a_process_that_installed_it_train():
    """Like workers, which are forked from the zygote: on the CPU and on the device, after exceptions, in several children."""
    code = """
import os, torch
from torchdojo import sim
sim.install()
children = []
for k in range(3):
    pid = os.fork()
    if pid == 0:
        w = torch.ones(2, device="sim", requires_grad=True)
        try: (w * torch.ones(2)).sum().backward()
        except RuntimeError: pass
        (w * 3).sum().backward()
        v = torch.ones(2, requires_grad=True); (v * 2).sum().backward()
        os._exit(0 if w.grad.tolist() == [3.0, 3.0] and v.grad.tolist() == [2.0, 2.0] else 1)
    children.append(pid)
print([os.waitpid(pid, 0)[1] for pid in children])
"""
    done = python(code)

    assert done.stdout.strip() == "[0, 0, 0]", done.stderr


def test_threads_train_side_by_side():
    """Four at once, each with its own weights; all get the same results as a single thread."""
    want, found = None, []

    def train(k: int) -> None:
        w = torch.full((3,), float(k), device="sim", requires_grad=True)
        opt = torch.optim.Adam([w], lr=0.1)
        for _ in range(30):
            opt.zero_grad()
            (w - 1).pow(2).sum().backward()
            opt.step()
        found.append((k, w.detach().cpu()))

    threads = [threading.Thread(target=train, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    want, found = dict(found), []
    for k in range(4):
        train(k)

    assert len(want) == 4
    for k, w in found:
        assert torch.equal(w, want[k])


def test_the_accelerator_is_named_while_it_is_shown_only():
    """shown() nests and ends."""
    with accelerator.shown():
        assert torch.accelerator.current_accelerator().type == "sim"
    assert torch.accelerator.current_accelerator() is None or torch.accelerator.current_accelerator().type != "sim"


@pytest.mark.slow
def test_learners_tests_know_the_device_and_nothing_else_has_changed(tmp_path):
    """In `pytest exercises` it can be named at once, before any backward; torch.accelerator doesn't report it."""
    root = make_dojo(tmp_path)
    stub = root / "exercises" / "01_toys" / "ex01_double.py"
    stub.write_text(
        "import torch\nw = torch.ones(2, requires_grad=True)\n(w * 2).sum().backward()\n"
        "assert not torch.accelerator.is_available() or torch.accelerator.current_accelerator().type != 'sim'\n"
        "v = torch.ones(2, device='sim', requires_grad=True)\n(v * 3).sum().backward()\n"
        "def double(x):\n    return x * 2 if v.grad.tolist() == [3.0, 3.0] else None\n"
    )
    done = warm.python("-m", "pytest", stub.with_name("test_ex01_double.py"), "-q", cwd=root)

    assert done.returncode == 0, done.stdout


# ------------------------------------------------------------------ where it cannot be had
HIDDEN = "import sys, torch, torch.utils.backend_registration as b; del b._setup_privateuseone_for_python_backend; "


@pytest.mark.slow
def test_an_older_pytorch_is_named_in_one_sentence():
    """why_not says which version it needs; install raises it; the default devices are the others."""
    done = python(
        HIDDEN + "from torchdojo import sim; from torchdojo.sandbox import devices; print(sim.why_not()); print(devices.at_hand(None)); print(devices.left_out(None))\n"
        "try: sim.install()\nexcept RuntimeError as e: print(e)"
    )
    sentence = f"the simulated accelerator needs PyTorch 2.10 or newer; this is {torch.__version__}"

    assert done.stdout.splitlines() == [
        sentence,
        "['cpu']",
        f"Not graded on a simulated accelerator: {sentence}. It costs no points.",
        sentence,
    ], done.stderr


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_an_older_pytorch_costs_nobody_points(dojo, tmp_path):
    """A right submission gets full marks; device mistakes are not found, and the run says why."""
    folder = tmp_path / "s" / "01_toys"
    folder.mkdir(parents=True)
    stray = "import torch\n\ndef double(x):\n    zeros = torch.zeros(x.shape, dtype=x.dtype) if torch.is_tensor(x) else 0\n    return x * 2 + zeros\n"
    (folder / "ex01_double.py").write_text(stray)
    (folder / "ex02_total.py").write_text("def total(x):\n    return x.sum()\n")
    code = f"import os; os.chdir({str(dojo.root)!r}); from torchdojo.cli import main; sys.argv = ['torchdojo', 'grade', {str(tmp_path / 's')!r}, {{}}]; main()"
    plain = python("import sys; " + code.format(""))
    older = python(HIDDEN + code.format(""))
    asked = python(HIDDEN + code.format("'--device', 'sim'"))

    assert "Expected all tensors to be on the same device" in plain.stdout and plain.returncode == 1
    assert "It costs no points." in older.stderr and older.returncode == 0, older.stdout + older.stderr
    assert asked.returncode == 2 and asked.stderr.startswith("torchdojo: --device sim: the simulated accelerator needs PyTorch 2.10")


@pytest.mark.slow
def test_a_missing_part_of_a_newer_pytorch_is_named():
    """Private interfaces come and go; the missing one is named, and nothing fails."""
    hidden = "import torch; del torch._C._dispatch_get_registrations_for_dispatch_key; "
    done = python(hidden + "from torchdojo import sim; from torchdojo.sandbox import devices; print(sim.why_not()); print(devices.at_hand(None))")

    assert done.stdout.splitlines() == [
        "the simulated accelerator is built on torch._C._dispatch_get_registrations_for_dispatch_key,"
        f" which PyTorch {torch.__version__} does not have",
        "['cpu']",
    ], done.stderr


@pytest.mark.slow
def test_another_extension_in_the_slot_is_named():
    """PyTorch has only one such slot."""
    done = python("import torch; torch.utils.rename_privateuse1_backend('npu'); from torchdojo import sim; print(sim.why_not())")

    assert done.stdout.strip() == "another extension (npu) already uses the device slot that the simulated accelerator needs"


def test_what_is_not_simulated_says_so():
    """A second device, sparse tensors: an error, never a wrong number."""
    with pytest.raises(RuntimeError, match="invalid device ordinal"):
        torch.ones(1, device="sim:1")
    with pytest.raises(RuntimeError, match="storage"):
        torch.ones(2, 2, device="sim").to_sparse()
