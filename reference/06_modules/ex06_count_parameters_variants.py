"""Known mistakes and unusual but correct solutions for count_parameters."""

import itertools  # noqa: F401 (for an edit)

import torch  # noqa: F401 (for an edit)
from torch.nn.utils import parameters_to_vector

from torchdojo.variants import alternative, mistake

HINTS = (
    "Which method of a module gives all its parameters, and only those?",
    "parameters() covers all submodules and yields a shared parameter once. A tensor knows how many numbers "
    "it holds.",
    "Sum the number of elements over the parameters. With trainable_only, leave out those that do not require "
    "grad.",
)


counts_tensors = mistake.edited(
    "sum(p.numel() for p in module.parameters() if p.requires_grad or not trainable_only)",
    "len([p for p in module.parameters() if p.requires_grad or not trainable_only])",
    "The tensors were counted, not the numbers in them: add up p.numel().")

counts_rows = mistake.edited("p.numel()", "len(p)",
    "Only the size of the first axis was counted, as len(p) gives it: p.numel() is how many numbers a parameter has.")

adds_the_sizes = mistake.edited("p.numel()", "sum(p.shape)",
    "The sizes of each parameter were added: multiply them, or use p.numel().")


def product_of_two(p):
    rows, columns = p.shape
    return rows * columns


takes_matrices_only = mistake.edited("p.numel()", "product_of_two(p)",
    "A parameter may have any number of axes, a bias one: p.numel() works for all.")

stops_at_the_first_frozen_one = mistake.edited(
    "for p in module.parameters() if p.requires_grad or not trainable_only",
    "for p in itertools.takewhile(lambda p: p.requires_grad or not trainable_only, module.parameters())",
    "With trainable_only the count ends at the first frozen parameter: leave that one out and go on.")

trainable_or_frozen = mistake.edited("p.requires_grad or not trainable_only", "p.requires_grad != trainable_only",
    "With trainable_only the frozen parameters were counted, and without it the others: without it all count, with it those that "
    "require grad.")

counts_the_state_dict = mistake.edited("return sum(",
    """
    if not trainable_only:
        return sum(value.numel() for value in module.state_dict().values())
    return sum(
    """,
    "Buffers were counted, and shared parameters twice, as state_dict lists them: count module.parameters().",
    pitfall="state_dict also holds buffers")

counts_buffers = mistake.edited(
    "return sum(", "buffers = 0 if trainable_only else sum(b.numel() for b in module.buffers())\nreturn buffers + sum(",
    "Buffers were counted: they belong to the state of a module, but are not parameters.")

counts_shared_twice = mistake.edited(
    "for p in module.parameters()", "for part in module.modules() for p in part.parameters(recurse=False)",
    "A parameter that is used in two places was counted twice: count each nn.Parameter object once.")

counts_every_place = mistake.edited("module.parameters()", "module.parameters(recurse=False)",
    "A parameter, or a module, that is used in two places was counted twice: parameters() yields each one once.",
    also=[("or not trainable_only)",
        """
        or not trainable_only) + sum(
            count_parameters(child, trainable_only) for child in module._modules.values() if child is not None)
        """)])

ignores_trainable_only = mistake.edited(
    "(p.numel() for p in module.parameters() if p.requires_grad or not trainable_only)",
    "(p.numel() for p in module.parameters())",
    "trainable_only has no effect: with it, leave out parameters whose requires_grad is False.")

always_trainable_only = mistake.edited("p.requires_grad or not trainable_only", "p.requires_grad",
    "Frozen parameters were left out: they count, unless trainable_only is True.")

turns_trainable_only_round = mistake.edited(
    "p.requires_grad or not trainable_only", "not (trainable_only and p.requires_grad)",
    "With trainable_only the frozen parameters were counted instead of the others.")

looks_at_children_only = mistake.edited(
    "return sum(p.numel() for p in module.parameters() if p.requires_grad or not trainable_only)",
    """
    own = {p for child in module.children() for p in child.parameters(recurse=False)}
    return sum(p.numel() for p in own if p.requires_grad or not trainable_only)
    """,
    "Only one level of children was counted: parameters() walks through all levels, and the module itself.")

adds_up_what_the_children_count = mistake.edited("module.parameters()", "module.parameters(recurse=False)",
    "A parameter that two modules share was counted twice, as in a recursion over children(): module.parameters() goes "
    "through all levels and yields each one once.",
    also=[("or not trainable_only)",
        "or not trainable_only) + sum(count_parameters(child, trainable_only) for child in module.children())")])

counts_weights_only = mistake.edited(
    "for p in module.parameters() if", 'for name, p in module.named_parameters() if "weight" in name and (',
    "Only parameters named weight were counted: a bias is a parameter too.",
    also=[("or not trainable_only)", "or not trainable_only))")])

counts_linear_layers_only = mistake.edited(
    "module.parameters()", "{p for m in module.modules() if isinstance(m, nn.Linear) for p in m.parameters()}",
    "Only nn.Linear layers were counted: any module can have parameters.")

drops_layers_with_a_frozen_part = mistake.edited("return sum(",
    """
    layers = [list(part.parameters(recurse=False)) for part in module.modules()]
    frozen = {p for own in layers for p in own if not all(q.requires_grad for q in own)}
    return sum(
    """,
    "One frozen parameter made its whole layer disappear: check requires_grad of each parameter.",
    also=[("p.requires_grad or", "p not in frozen or")])

tells_tensors_apart_by_their_memory = mistake.edited("sum(p.numel() for p", "sum({p.data_ptr(): p.numel() for p",
    "Parameters were told apart by their memory address, which is the same for all on the meta device: parameters() already "
    "yields each one once.",
    also=[("or not trainable_only)", "or not trainable_only}.values())")])

thaws_everything = mistake.edited("return sum(",
    """
    if not trainable_only:
        module.requires_grad_(True)
    return sum(
    """,
    "The model was changed, so its frozen parameters are now trained: only read requires_grad.")

adds_in_float32 = mistake.edited(
    "sum(p.numel() for p in module.parameters() if p.requires_grad or not trainable_only)",
    "int(torch.tensor([float(p.numel()) for p in module.parameters() if p.requires_grad or not trainable_only]).sum())",
    "The sizes are added as float32 numbers, which are exact up to 16 million only: add Python ints.")

counts_in_a_tensor = mistake.edited(
    "sum(p.numel() for p in module.parameters() if p.requires_grad or not trainable_only)",
    "torch.tensor([p.numel() for p in module.parameters() if p.requires_grad or not trainable_only], dtype=torch.int64).sum()",
    "The result is a 0-dim tensor: .item() gives the Python int in it.")


@mistake("count_parameters")
def tells_tensors_apart_by_their_numbers(module, trainable_only=False):
    """Parameters with equal values were counted as one: count each nn.Parameter object once."""
    different = []
    for p in module.parameters():
        if not any(p.shape == q.shape and (p == q).all() for q in different if p.device.type != "meta"):
            different.append(p)
    return sum(p.numel() for p in different if p.requires_grad or not trainable_only)


measures_the_memory = mistake.edited("p.numel()", "p.untyped_storage().nbytes() // p.element_size()",
    "The storage of a parameter was counted, which may be larger than the parameter: p.numel() is how many numbers it has.")

takes_four_bytes_for_a_number = mistake.edited(
    "(p.numel() for p in module.parameters() if p.requires_grad or not trainable_only)",
    "(p.nbytes // 4 for p in module.parameters() if p.requires_grad or not trainable_only)",
    "The bytes were divided by 4, which is right for float32 only: p.numel() is how many numbers there are.")

writes_the_count_into_the_model = mistake.edited("return sum(", "module.count = sum(",
    "The model has a new attribute afterwards, but it must not change: only return the number.",
    also=[("or not trainable_only)", "or not trainable_only)\nreturn module.count")])

leaves_eval_mode = mistake.edited("module.parameters", "module.eval().parameters",
    "The model is in eval mode afterwards: counting doesn't depend on the mode, so leave it unchanged.")

asks_for_the_mode = mistake.edited(
    "p.requires_grad or not trainable_only", "not trainable_only or (p.requires_grad and module.training)",
    "With trainable_only, a model in eval mode was treated as frozen: requires_grad decides, not the mode.")

counts_what_requires_grad = mistake.edited(
    "module.parameters()", "[*module.parameters(), *(b for b in module.buffers() if b.requires_grad)]",
    "Buffers that require grad were counted: a buffer never counts, whatever its requires_grad says.")


COUNTED: dict = {}


@mistake("count_parameters")
def remembers_the_module(module, trainable_only=False):
    """The first count was stored and returned again, although requires_grad had changed: count again in each call."""
    key = module, trainable_only
    if key not in COUNTED:
        COUNTED[key] = sum(p.numel() for p in module.parameters() if p.requires_grad or not trainable_only)
    return COUNTED[key]


floating_point_only = mistake.edited(
    "p.requires_grad or not trainable_only",
    "p.is_floating_point() and (p.requires_grad or not trainable_only)",
    "An integer parameter was left out: it is a parameter, too, and always frozen.")

asks_for_a_gradient = mistake.edited("p.requires_grad", "p.grad is not None",
    "With trainable_only nothing was counted, as if .grad decided, which is None before the first backward(): look at "
    "requires_grad.")


@alternative("count_parameters")
def walks_by_hand(module, trainable_only=False):
    """Recursion over the children, with the parameters seen so far in a dict by id."""
    seen = {}

    def visit(part):
        for p in part._parameters.values():
            if p is not None:
                seen[id(p)] = p
        for child in part.children():
            visit(child)

    visit(module)
    total = 0
    for p in seen.values():
        size = 1
        for n in p.shape:
            size *= n
        if p.requires_grad or not trainable_only:
            total += size
    return total


@alternative("count_parameters")
def one_vector(module, trainable_only=False):
    """Lays all parameters end to end and takes the length."""
    wanted = [p for p in module.parameters() if not trainable_only or p.requires_grad]
    return len(parameters_to_vector(wanted)) if wanted else 0
