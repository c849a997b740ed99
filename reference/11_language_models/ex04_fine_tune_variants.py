"""Known mistakes and unusual but correct solutions for fine_tune_groups, count_trained and train_parts."""


from torchdojo.variants import alternative, mistake

HINTS = (
    "Print the names of model.named_parameters(). How do you recognize those that belong to \"head\", but not to \"header\"?",
    "A name belongs to a part if it is the part or goes on with a dot. Set requires_grad for every parameter, to True or to False. For the modes, go through "
    "model.modules() from outside to inside: eval() of a module also reaches everything inside it.",
    "For each part, collect the parameters whose name plus a dot starts with the part plus a dot; named_parameters(remove_duplicate=False) has every name of a shared "
    "one. Raise a ValueError if there are none. Then set requires_grad of each parameter, and .grad of the frozen ones to None. train_parts calls model.train(), then "
    "eval() of each module that has parameters, none of which requires gradients.",
)
EQUIVALENT = {
    'swap_builtin: groups.append({"params": dict.fromkeys(params), "lr": rate})': "a dict's keys are its parameters, too",
    "force_branch: if True:": "the old .grad of a trained parameter may go, too",
}

NAMED = 'f"{name}.".startswith(f"{part}.")'
FREEZE = "p.requires_grad_(p in trained)"
GROUP = '{"params": list(dict.fromkeys(params)), "lr": rate}'
FROZEN = "if wanted and not any(wanted):"


begins_with_the_part = mistake.edited(NAMED, "name.startswith(part)",
    "A part also got parameters whose names only begin with the same letters, such as header for head: the name must be the part, or go on with a dot.",
    about="parts_are_whole_names", common=True)

contains_the_part = mistake.edited(NAMED, "part in name",
    "A part also got parameters whose names contain it somewhere: the name must be the part, or begin with it and a dot.",
    about="parts_are_whole_names", common=True)

ends_in_the_middle = mistake.edited(NAMED, 'f".{part}." in f".{name}."',
    "A part also got parameters of modules of the same name deeper in the model: the name must begin with the part.",
    about="parts_are_whole_names")

first_step_of_the_name = mistake.edited(NAMED, 'name.split(".")[0] == part.split(".")[0]',
    "Only the first step of the name counts, so blocks.1 contains all blocks: compare the whole name of the part.")

nothing_is_frozen = mistake.edited(FREEZE, "p.requires_grad_(True)",
    "All parameters still require gradients: freeze those that are in no part.",
    about="all_others_are_frozen", common=True)

nothing_is_unfrozen = mistake.edited(FREEZE, "p.requires_grad_(p.requires_grad and p in trained)",
    "A part that was frozen before stays frozen: its parameters must require gradients.",
    about="all_others_are_frozen", common=True)

freezes_the_parts = mistake.edited(FREEZE, "p.requires_grad_(p not in trained)",
    "The parts are frozen and all others trained: it is the other way round.")

sets_an_attribute_of_the_module = mistake.edited(
    """
    for p in model.parameters():
        p.requires_grad_(p in trained)
    """,
    """
    for module in model.modules():
        module.requires_grad = False
    for p in model.parameters():
    """,
    "requires_grad of the parameters didn't change: set it on each parameter, or call requires_grad_() of a module. As an attribute of a module, nothing reads it.",
    about="all_others_are_frozen", common=True)

all_in_one_group = mistake.edited("    return groups\n", '    return [{"params": [p for group in groups for p in group["params"]], "lr": max(rates.values())}]\n',
    "All parts share one group: each has its own, with its learning rate.",
    about="each_part_has_its_group")

all_parameters_in_the_groups = mistake.edited("    return groups\n", '    return [*groups, {"params": [p for p in model.parameters() if p not in trained], "lr": 0.0}]\n',
    "There is a group more, for the frozen parameters: leave them out.",
    about="each_part_has_its_group")

one_rate_for_all = mistake.edited('"lr": rate', '"lr": next(iter(rates.values()))',
    "All groups have the first learning rate: each part has its own.",
    about="each_part_has_its_group")

sorted_groups = mistake.edited("in rates.items():", "in sorted(rates.items()):",
    "The groups are sorted by name: they come in the order of rates.",
    about="each_part_has_its_group")

old_gradients_stay = mistake.edited("p.grad = None", "pass",
    "Frozen parameters still have a .grad, and an optimizer that has them moves them, even if it is zeros: set .grad to None.",
    about="an_older_optimizer_leaves_them_alone", common=True)

the_first_name_alone = mistake.edited("named_parameters(remove_duplicate=False)", "named_parameters()",
    "A part with the second name of a shared parameter misses it: named_parameters() lists it under the first name only, except with remove_duplicate=False.",
    about="shared_parameters_have_two_names", common=True)

unknown_parts_are_ignored = mistake.edited("if not params:", "if False:",
    "A part that the model doesn't have was ignored, so a misspelled name trains nothing: raise a ValueError.",
    about="unknown_parts_are_refused", common=True)

key_error = mistake.edited("raise ValueError(", "raise KeyError(",
    "An unknown part raises a KeyError: raise a ValueError.",
    about="unknown_parts_are_refused")

trained_alone = mistake.edited("sum(trained for trained, _ in sizes), sum(size for _, size in sizes)", "sum(trained for trained, _ in sizes), sum(size - trained for trained, size in sizes)",
    "The second number counts the frozen parameters: it counts all.",
    about="numbers_are_counted")

counts_tensors = mistake.edited("(p.numel() * p.requires_grad, p.numel())", "(int(p.requires_grad), 1)",
    "You counted tensors: count the numbers in them, with numel().",
    about="numbers_are_counted", common=True)

the_other_way_round = mistake.edited("sum(trained for trained, _ in sizes), sum(size for _, size in sizes)", "sum(size for _, size in sizes), sum(trained for trained, _ in sizes)",
    "The two numbers are exchanged: first those that are trained.",
    about="numbers_are_counted")

trains_everything = mistake.edited(FROZEN, "if False:",
    "Frozen modules are in training mode: a batch norm there updates its statistics, and dropout drops. Put them in evaluation mode.",
    common=True,
    pitfall="After model.train()")

evaluates_everything = mistake.edited("model.train()", "model.eval()",
    "Modules that are trained are in evaluation mode: call model.train() first.",
    common=True)

batch_norms_alone = mistake.edited(FROZEN, "if wanted and not any(wanted) and isinstance(module, nn.BatchNorm1d):",
    "Of the frozen modules, only batch norms are in evaluation mode: all others belong there as well, or dropout inside them still drops.",
    about="frozen_modules_are_in_evaluation_mode", common=True)

without_parameters_too = mistake.edited(FROZEN, "if not any(wanted):",
    "Modules without parameters, such as dropout, are in evaluation mode even if the module that contains them is trained: they follow that module.",
    about="frozen_modules_are_in_evaluation_mode", common=True)

frozen_in_part = mistake.edited(FROZEN, "if wanted and not all(wanted):",
    "Modules that are frozen in part are in evaluation mode, too: only those whose parameters are all frozen.",
    about="frozen_modules_are_in_evaluation_mode")

not_what_is_inside = mistake.edited("module.eval()", "module.training = False",
    "Dropout inside a frozen module is still in training mode: a module without parameters follows the one around it, whose eval() also reaches what is inside.",
    about="frozen_modules_are_in_evaluation_mode")

the_children_alone = mistake.edited("for module in model.modules():", "for module in model.children():",
    "At most modules at the top are in evaluation mode, not frozen ones inside others: model.modules() has them all.",
    about="frozen_modules_are_in_evaluation_mode")

the_mode_stays = mistake.edited("    model.train()\n", "",
    "Modules that were in evaluation mode stay there: call model.train() first.",
    about="frozen_modules_are_in_evaluation_mode")


@alternative("fine_tune_groups")
def looks_parts_up(model, rates):
    """get_submodule and get_parameter find the parts."""
    model.requires_grad_(False)
    for p in model.parameters():
        old, p.grad = p.grad, None
    groups = []
    for part in rates:
        try:
            params = list(model.get_submodule(part).parameters())
        except AttributeError:
            try:
                params = [model.get_parameter(part)]
            except AttributeError as error:
                raise ValueError(f"no part {part}") from error
        if not params:
            raise ValueError(f"{part} has no parameters")
        for p in params:
            p.requires_grad = True
        order = {id(p): i for i, p in enumerate(model.parameters())}
        groups.append({"lr": rates[part], "params": sorted(params, key=lambda p: order[id(p)])})
    return groups


@alternative("count_trained")
def one_after_the_other(model):
    """Two running sums."""
    trained = total = 0
    for _, p in model.named_parameters():
        total += p.nelement()
        trained += p.nelement() if p.requires_grad else 0
    return trained, total


@alternative("train_parts")
def from_outside_to_inside(model):
    """A walk over the children, which stops at frozen modules."""

    def walk(module):
        params = list(module.parameters())
        if params and not any(p.requires_grad for p in params):
            module.train(False)
            return
        module.training = True
        for child in module.children():
            walk(child)

    walk(model)


by_parts_of_names = alternative.edited(NAMED, 'name.split(".")[: len(part.split("."))] == part.split(".")',
    "The steps of the names are compared.")
