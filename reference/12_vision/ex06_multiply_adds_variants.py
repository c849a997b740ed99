"""Known mistakes and unusual but correct solutions for conv_cost and model_cost."""

import copy

import torch
from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "How many numbers does a convolution return for one image, and how many products are in each of them?",
    "All weights of a convolution are used once at each position of its result. A forward hook gets the layer, a tuple of its inputs, and its result: "
    "the result has one number for each dot product.",
    "conv_cost: the output size by its formula, for rows and columns; the kernels have out_channels * in_channels / groups * kernel numbers. model_cost: register a hook on each "
    "Conv2d and Linear of a copy on the meta device, in evaluation mode. The hook notes result.numel() times the numbers in one row of the weight. Run the copy once.",
)
EQUIVALENT = {
    'drop_keyword: settings = zip((height, width), conv.kernel_size, conv.stride, conv.padding, conv.dilation)': 'all have two entries',
    'swap_function: empty = copy.deepcopy(model).to("meta").train()': 'modes make no difference to shapes',
}

ROWS = "rows, columns = ((n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in settings)"
KERNELS = "kernels = conv.out_channels * (conv.in_channels // conv.groups) * conv.kernel_size[0] * conv.kernel_size[1]"
RETURNED = "return kernels + (0 if conv.bias is None else conv.out_channels), kernels * rows * columns"
NOTED = "costs.append(result.numel() * layer.weight[0].numel())"
COPY = 'empty = copy.deepcopy(model).to("meta").eval()'
KINDS = "if isinstance(layer, (nn.Conv2d, nn.Linear)):"
MODEL = "return sum(p.numel() for p in model.parameters()), sum(costs)"


outer_parts_alone = mistake.edited("empty.modules()", "empty.children()",
    "Layers inside of a part, such as an inner nn.Sequential, were not counted: children() gives the outer parts, modules() all.",
    about="layers_are_added", common=True)

pixels_of_the_image = mistake.edited(ROWS, "rows, columns = height, width",
    "You counted all pixels of the image: the kernel stands at the positions of the result, which may be fewer.",
    common=True, about="positions_are_those_of_the_result",
    pitfall="The kernel stands at the positions of the result")

size_by_stride = mistake.edited(ROWS, "rows, columns = height // conv.stride[0], width // conv.stride[1]",
    "You divided the image's size by the stride: kernel and padding count, too.",
    common=True, about="each_position_costs_all_kernels")

ignores_the_padding = mistake.edited(ROWS, ROWS.replace("n + 2 * p", "n"),
    "The padding was left out of the output size.",
    about="positions_are_those_of_the_result")

ignores_the_dilation = mistake.edited(ROWS, ROWS.replace("d * (k - 1) - 1", "k"),
    "The dilation was left out of the output size: a kernel covers dilation * (kernel - 1) + 1 pixels.",
    about="positions_are_those_of_the_result")

ignores_the_stride = mistake.edited(ROWS, ROWS.replace("// s", ""),
    "The stride was left out of the output size: it divides the steps.",
    about="positions_are_those_of_the_result")

square_kernels = mistake.edited(KERNELS, KERNELS.replace("kernel_size[1]", "kernel_size[0]"),
    "You took the kernel for a square: its height and width may differ.",
    common=True, about="each_position_costs_all_kernels")

square_images = mistake.edited(RETURNED, RETURNED.replace("rows * columns", "rows * rows"),
    "You took the result for a square: its height and width may differ.",
    about="each_position_costs_all_kernels")

no_bias = mistake.edited(RETURNED, RETURNED.replace("kernels + (0 if conv.bias is None else conv.out_channels)", "kernels"),
    "The biases are missing from the parameters: there is one for each output channel.",
    common=True, about="weights_and_biases_are_parameters")

always_a_bias = mistake.edited(RETURNED, RETURNED.replace("(0 if conv.bias is None else conv.out_channels)", "conv.out_channels"),
    "Biases were counted where there are none: conv.bias is None then.",
    common=True, about="weights_and_biases_are_parameters")

bias_is_added_to_the_cost = mistake.edited(RETURNED, RETURNED.replace("kernels * rows * columns", "(kernels + (0 if conv.bias is None else conv.out_channels)) * rows * columns"),
    "You counted the bias as a multiply-add: only products count.",
    common=True, about=["each_position_costs_all_kernels", "positions_are_those_of_the_result"])

twice_as_many = mistake.edited(RETURNED, RETURNED.replace("kernels * rows", "2 * kernels * rows"),
    "You counted multiplications and additions apart: a product with its addition is one multiply-add.",
    common=True, about=["each_position_costs_all_kernels", "positions_are_those_of_the_result"])

forgets_the_input_channels = mistake.edited(KERNELS, "kernels = conv.out_channels * conv.kernel_size[0] * conv.kernel_size[1]",
    "A kernel reads all channels of the image: multiply by in_channels.")

forgets_the_output_channels = mistake.edited(KERNELS, "kernels = conv.in_channels // conv.groups * conv.kernel_size[0] * conv.kernel_size[1]",
    "There is a kernel for each output channel: multiply by out_channels.")

ignores_the_groups = mistake.edited(KERNELS, KERNELS.replace("(conv.in_channels // conv.groups)", "conv.in_channels"),
    "groups has no effect: an output channel reads in_channels / groups channels only.",
    common=True, about="groups_read_a_part_of_the_channels")

groups_count_for_the_parameters_alone = mistake.edited("kernels * rows * columns", "kernels * conv.groups * rows * columns",
    "The multiply-adds ignore groups: an output channel reads in_channels / groups channels only.",
    common=True, about="groups_read_a_part_of_the_channels")

divides_by_the_groups_twice = mistake.edited(KERNELS, KERNELS.replace("conv.out_channels", "(conv.out_channels // conv.groups)"),
    "You divided the output channels by groups, too: each of them has its kernel.",
    about="groups_read_a_part_of_the_channels")

only_convolutions = mistake.edited(KINDS, "if isinstance(layer, nn.Conv2d):",
    "Linear layers are missing: their products count, too.",
    common=True, about=["layers_are_added", "a_linear_layer_may_see_many_rows"])

only_linear_layers = mistake.edited(KINDS, "if isinstance(layer, nn.Linear):",
    "Convolutions are missing.",
    about=["layers_are_added", "layers_count_as_they_run"])

numbers_of_the_input = mistake.edited(NOTED, "costs.append(inputs[0].numel() * layer.weight[0].numel())",
    "You multiplied by the numbers that a layer reads: each number that it returns is one dot product.",
    about="layers_are_added")

weights_alone = mistake.edited(NOTED, "costs.append(layer.weight.numel())",
    "Each weight was counted once: a convolution uses it at each position of its result.",
    common=True, about="layers_are_added")

bias_in_the_model = mistake.edited(NOTED, NOTED[:-1] + " + (0 if layer.bias is None else result.numel()))",
    "You counted the biases of the layers as multiply-adds: only products count.",
    about="layers_are_added")

each_layer_once = mistake.edited(NOTED, "seen[layer] = result.numel() * layer.weight[0].numel()",
    "A layer that runs twice was counted once: add up all calls of the hook.",
    also=[("costs = []", "seen = {}"), ("sum(costs)", "sum(seen.values())")],
    common=True, about="layers_count_as_they_run")

one_row_of_a_linear_layer = mistake.edited(NOTED,
    "costs.append(layer.weight.numel() if isinstance(layer, nn.Linear) else result.numel() * layer.weight[0].numel())",
    "A linear layer was counted for one vector: with more axes, it reads many, and each costs its weights.",
    common=True, about="a_linear_layer_may_see_many_rows")

parameters_of_counted_layers = mistake.edited(MODEL,
    "return sum(p.numel() for m in model.modules() if isinstance(m, (nn.Conv2d, nn.Linear)) for p in m.parameters()), sum(costs)",
    "Only the parameters of convolutions and linear layers were counted: those of all layers belong to the model.",
    about="the_model_has_its_parameters")

buffers_too = mistake.edited(MODEL, "return sum(t.numel() for t in model.state_dict().values()), sum(costs)",
    "Buffers, such as running statistics, were counted, too, as the state dict holds them: count parameters() alone.",
    common=True, about="the_model_has_its_parameters")

hooks_stay = mistake.edited(COPY, "empty = model.eval()",
    "The hooks stay on the model, and it is in evaluation mode now: use a copy, or remove and restore everything.",
    also=[('device="meta")', "device=next(model.parameters()).device)")],
    common=True, about="the_model_is_left_as_it_was")

mode_is_changed = mistake.edited(COPY, 'model.eval()\nempty = copy.deepcopy(model).to("meta")',
    "The model is in evaluation mode afterwards: bring its mode back, or use a copy.",
    common=True, about="the_model_is_left_as_it_was")

every_part_trains = mistake.edited(MODEL, "model.train(model.training)\n" + MODEL,
    "All parts have the model's mode afterwards, also those that had another one: model.train() sets it in all of them. Use a copy.",
    about="the_model_is_left_as_it_was")

on_the_cpu = mistake.edited(COPY, "empty = copy.deepcopy(model).eval()",
    "A model on the meta device can't read an image on the CPU: bring both to one device.",
    also=[('torch.empty(1, *shape, device="meta")', "torch.zeros(1, *shape)")],
    common=True, about="meta_models_have_costs")


@alternative()
def one_count_for_both():
    """A convolution is a model with one layer; handles are removed, modes and buffers brought back."""

    def model_cost(model, shape):
        total, handles = [0], []

        def hook(module, args, output):
            if isinstance(module, nn.Conv2d):
                window = module.kernel_size[0] * module.kernel_size[1] * module.in_channels // module.groups
            else:
                window = module.in_features
            total[0] += output.numel() * window

        for module in model.modules():
            if isinstance(module, (nn.Conv2d, nn.Linear)):
                handles.append(module.register_forward_hook(hook))
        modes = {module: module.training for module in model.modules()}
        model.eval()
        try:
            with torch.no_grad():
                model(torch.zeros(1, *shape, device=next(model.parameters()).device))
        finally:
            for handle in handles:
                handle.remove()
            for module, mode in modes.items():
                module.training = mode
        return sum(p.numel() for p in model.parameters()), total[0]

    def conv_cost(conv, height, width):
        return model_cost(conv, (conv.in_channels, height, width))

    return {"model_cost": model_cost, "conv_cost": conv_cost}


@alternative("conv_cost")
def from_the_weight(conv, height, width):
    """The weight knows its own size, and PyTorch the shape."""
    result = copy.deepcopy(conv).to("meta")(torch.empty(1, conv.in_channels, height, width, device="meta"))
    weights = conv.weight.numel()
    return weights + (conv.bias.numel() if conv.bias is not None else 0), weights * result.shape[2] * result.shape[3]


@alternative("model_cost")
def by_pytorchs_counter(model, shape):
    """The counter that comes with PyTorch counts two operations for a multiply-add."""
    from torch.utils.flop_counter import FlopCounterMode

    other = copy.deepcopy(model).eval()
    device = next(other.parameters()).device
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        other(torch.zeros(1, *shape, device=device))
    return sum(p.numel() for p in model.parameters()), counter.get_total_flops() // 2
