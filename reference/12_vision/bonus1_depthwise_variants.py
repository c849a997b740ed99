"""Known mistakes and unusual but correct solutions for SeparableConv, separable_cost and merge_separable."""

from collections import OrderedDict

import torch
from torch import nn
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

HINTS = (
    "Write the shape of the weight of a convolution from 4 to 4 channels with 3 by 3 kernels, without groups and with groups=4. How many channels does each kernel read?",
    "depthwise has as many groups as channels. Both costs are sums over the two layers. An output of pointwise is a weighted sum of what depthwise returns, so the merged kernel of an "
    "output and an input channel is a number of pointwise times a kernel of depthwise.",
    "pointwise.weight is (outputs, kernels, 1, 1), and depthwise.weight[:, 0] is (kernels, height, width): broadcasting multiplies them. If there are several kernels for each channel, "
    "unflatten axis 1 and sum. The bias of depthwise passes pointwise as a vector passes a matrix; then add pointwise's own.",
)
EQUIVALENT = {"swap_statements: merged.bias.zero_()": "weight and bias may be filled in any order"}

DEPTHWISE = "nn.Conv2d(in_channels, in_channels, kernel, stride, padding, groups=in_channels, bias=bias)"
POINTWISE = "nn.Conv2d(in_channels, out_channels, 1, bias=bias)"
FORWARD = "return self.pointwise(self.depthwise(x))"
WEIGHTS = "weights = in_channels * kernel**2 + out_channels * in_channels"
BIASES = "biases = in_channels + out_channels if bias else 0"
COST = "return weights + biases, weights * positions"
PRODUCTS = "products = pointwise.weight * depthwise.weight[:, 0]"
SETTINGS = "settings = depthwise.kernel_size, depthwise.stride, depthwise.padding"
MERGED = "nn.Conv2d(channels, pointwise.out_channels, *settings)"
SUMMED = "products.unflatten(1, (channels, -1)).sum(dim=2)"
PASSED = "merged.bias += pointwise.weight.flatten(1) @ depthwise.bias"
OWN = "merged.bias += pointwise.bias"


without_groups = mistake.edited(DEPTHWISE, DEPTHWISE.replace("groups=in_channels, ", ""),
    "depthwise is a full convolution, so nothing is saved: with groups=in_channels, each kernel reads one channel.",
    common=True, about="each_channel_has_one_kernel", pitfall="Without groups, depthwise has a kernel for each pair")

depthwise_makes_the_outputs = mistake.edited(DEPTHWISE, DEPTHWISE.replace("in_channels, in_channels", "in_channels, in_channels * out_channels"),
    "depthwise makes several results of each channel: it has one kernel for each, and pointwise makes the outputs.",
    also=[(POINTWISE, POINTWISE.replace("in_channels, out", "in_channels * out_channels, out"))],
    common=True, about="each_channel_has_one_kernel")

pointwise_with_kernel = mistake.edited(POINTWISE, POINTWISE.replace(", 1,", ", kernel, padding=kernel // 2,"),
    "pointwise has the kernel's size, too: its kernels are 1 by 1, and mix the channels of one pixel.",
    about="each_channel_has_one_kernel")

order_exchanged = mistake.edited(FORWARD, "return self.depthwise(self.pointwise(x))",
    "pointwise ran first: depthwise reads the channels of x, and pointwise what depthwise returns.",
    common=True, about="channels_are_mixed_behind")

pointwise_first = mistake.edited("self.depthwise = " + DEPTHWISE, "self.depthwise = " + DEPTHWISE.replace("in_channels", "out_channels"),
    "pointwise comes first here, and depthwise has a kernel for each output: depthwise reads the channels of x.",
    also=[(FORWARD, "return self.depthwise(self.pointwise(x))")],
    about="each_channel_has_one_kernel")

relu_between = mistake.edited(FORWARD, "return self.pointwise(torch.relu(self.depthwise(x)))",
    "There is a relu between the two layers, as some networks have it: pointwise comes right behind depthwise here.",
    common=True, about="channels_are_mixed_behind")

without_pointwise = mistake.edited(FORWARD, "out = self.depthwise(x)\nreturn out.sum(dim=1, keepdim=True).expand(-1, self.pointwise.out_channels, -1, -1)",
    "The channels were added as they are: pointwise mixes them, with weights of its own for each output.",
    about="channels_are_mixed_behind")

always_a_bias = mistake.edited(DEPTHWISE, DEPTHWISE.replace(", bias=bias", ""),
    "bias has no effect: pass it to both layers.",
    also=[(POINTWISE, POINTWISE.replace(", bias=bias", ""))],
    common=True, about="each_channel_has_one_kernel")

bias_of_pointwise_alone = mistake.edited(DEPTHWISE, DEPTHWISE.replace("bias=bias", "bias=False"),
    "depthwise has no bias: both layers have one if bias is True.",
    common=True, about="each_channel_has_one_kernel")

bias_of_depthwise_left_out = mistake.edited(FORWARD, "first = self.depthwise\nreturn self.pointwise(nn.functional.conv2d(x, first.weight, None, first.stride, first.padding, groups=len(first.weight)))",
    "The bias of depthwise has no effect: call the layer, which adds it.",
    about="each_layer_adds_its_bias")

stride_in_pointwise = mistake.edited(DEPTHWISE, DEPTHWISE.replace("kernel, stride, padding", "kernel, 1, padding"),
    "pointwise has the stride, so depthwise computes positions that are thrown away: depthwise has it.",
    also=[(POINTWISE, POINTWISE.replace(", 1,", ", 1, stride,"))],
    common=True, about="depthwise_has_stride_and_padding")

stride_in_both = mistake.edited(POINTWISE, POINTWISE.replace(", 1,", ", 1, stride,"),
    "pointwise has the stride as well, so the result is too small: only depthwise has it.",
    about="depthwise_has_stride_and_padding")

padding_in_pointwise = mistake.edited(DEPTHWISE, DEPTHWISE.replace("kernel, stride, padding", "kernel, stride, 0"),
    "pointwise has the padding, so the border of the result is nothing but bias: depthwise has it.",
    also=[(POINTWISE, POINTWISE.replace(", 1,", ", 1, padding=padding,"))],
    common=True, about="depthwise_has_stride_and_padding")

padding_in_both = mistake.edited(POINTWISE, POINTWISE.replace(", 1,", ", 1, padding=padding,"),
    "pointwise has the padding as well, so the result is too large: only depthwise has it.",
    about="depthwise_has_stride_and_padding")

no_padding = mistake.edited(DEPTHWISE, DEPTHWISE.replace("kernel, stride, padding", "kernel, stride, 0"),
    "padding has no effect: depthwise has it.",
    about="depthwise_has_stride_and_padding")

cost_of_a_full_convolution = mistake.edited(WEIGHTS, "weights = in_channels * out_channels * kernel**2",
    "That is the cost of a full convolution: a separable one has in_channels kernels, and then out_channels times in_channels single numbers.",
    common=True)

cost_is_a_product = mistake.edited(WEIGHTS, "weights = in_channels * kernel**2 * in_channels * out_channels",
    "You multiplied the costs of the two layers: add them.")

depthwise_is_free = mistake.edited(WEIGHTS, "weights = out_channels * in_channels",
    "The kernels of depthwise are missing: there is one for each input channel.")

pointwise_is_free = mistake.edited(WEIGHTS, "weights = in_channels * kernel**2",
    "The weights of pointwise are missing: each output has a number for each input channel.")

kernels_of_the_outputs = mistake.edited(WEIGHTS, "weights = out_channels * kernel**2 + out_channels * in_channels",
    "You counted a kernel for each output: depthwise has one for each input channel.",
    common=True)

flat_kernels = mistake.edited(WEIGHTS, "weights = in_channels * kernel + out_channels * in_channels",
    "You counted kernel numbers in a kernel: it has kernel rows and kernel columns.")

one_bias = mistake.edited(BIASES, "biases = out_channels if bias else 0",
    "The biases of depthwise are missing: each of the two layers has its own.",
    common=True, about="parameters_are_counted")

biases_always = mistake.edited(BIASES, "biases = in_channels + out_channels",
    "bias has no effect: without it, there are no biases.",
    about="parameters_are_counted")

biases_never = mistake.edited(BIASES, "biases = 0",
    "The biases are missing from the parameters: each channel of each layer has one.",
    about="parameters_are_counted")

biases_are_products = mistake.edited(COST, "return weights + biases, (weights + biases) * positions",
    "You counted the biases as multiply-adds: a bias is only added.",
    common=True, about="products_are_counted")

two_operations = mistake.edited(COST, "return weights + biases, 2 * weights * positions",
    "You counted multiplications and additions apart: a product with its addition is one multiply-add.",
    common=True, about="products_are_counted")

each_weight_once = mistake.edited(COST, "return weights + biases, weights",
    "positions has no effect: each weight is used once at each of them.",
    about="products_are_counted")

kernels_are_added = mistake.edited(PRODUCTS, PRODUCTS.replace("*", "+"),
    "You added the two weights: depthwise's result is multiplied by a number of pointwise, so the kernel is, too.",
    about="a_merged_kernel_is_a_product")

pointwise_transposed = mistake.edited(PRODUCTS, "mixing = pointwise.weight\nproducts = mixing.reshape(mixing.shape[1], len(mixing)).mT[..., None, None] * depthwise.weight[:, 0]",
    "Outputs and inputs of pointwise are mixed up: its weight is (outputs, inputs, 1, 1) already.",
    about="a_merged_kernel_is_a_product")

kernel_of_the_first_channel = mistake.edited(PRODUCTS, PRODUCTS.replace("[:, 0]", "[:1, 0]"),
    "All channels got the kernel of the first: each has its own.",
    about="a_merged_kernel_is_a_product")

kernels_flipped = mistake.edited(PRODUCTS, PRODUCTS + ".flip(-1, -2)",
    "The kernels are flipped, as in mathematics: PyTorch doesn't flip them.",
    about="a_merged_kernel_is_a_product")

bias_passed_over = mistake.edited(PASSED, "pass",
    "The bias of depthwise is missing: pointwise multiplies it, and each output has the sum.",
    common=True, about="biases_are_merged")

bias_summed = mistake.edited(PASSED, "merged.bias += depthwise.bias.sum()",
    "The bias of depthwise was added as it is: pointwise multiplies each of its numbers first.",
    common=True, about="biases_are_merged")

own_bias_missing = mistake.edited(OWN, "pass",
    "The bias of pointwise is missing.",
    about="biases_are_merged")

stride_forgotten = mistake.edited(SETTINGS, SETTINGS.replace("depthwise.stride", "1"),
    "The merged convolution has no stride: it has that of depthwise.",
    common=True, about="stride_and_padding_are_kept")

padding_forgotten = mistake.edited(SETTINGS, SETTINGS.replace(", depthwise.padding", ""),
    "The merged convolution has no padding: it has that of depthwise.",
    common=True, about="stride_and_padding_are_kept")

needs_the_bias_of_depthwise = mistake.edited("if depthwise.bias is not None:", "if True:",
    "depthwise without a bias raises an error: add it only if it isn't None.",
    common=True, about="a_bias_may_be_missing")

needs_the_bias_of_pointwise = mistake.edited("if pointwise.bias is not None:", "if True:",
    "pointwise without a bias raises an error: add it only if it isn't None.",
    common=True, about="a_bias_may_be_missing")

one_kernel_for_each = mistake.edited(SUMMED, "products",
    "With several kernels for each channel, the merged kernel has too many channels: add those that read the same channel.",
    common=True, about="channels_may_have_several_kernels")

kernels_of_other_channels = mistake.edited(SUMMED, "products.unflatten(1, (-1, channels)).sum(dim=1)",
    "With several kernels for each channel, you added those of different channels: the kernels of one channel lie side by side.",
    about="channels_may_have_several_kernels")

in_float32_on_the_cpu = mistake.edited(f"{MERGED}.to(pointwise.weight)", MERGED,
    "The result has the default dtype and is on the CPU: make it like the two layers.",
    also=[(PASSED, "merged.bias += (pointwise.weight.flatten(1) @ depthwise.bias).to(merged.bias)"), (OWN, "merged.bias += pointwise.bias.to(merged.bias)")],
    common=True, about="the_result_is_like_the_two")


@alternative("SeparableConv")
class AsSequential(nn.Sequential):
    """A Sequential with names; forward is its own."""

    def __init__(self, in_channels, out_channels, kernel, stride=1, padding=0, bias=True):
        first = nn.Conv2d(in_channels, in_channels, kernel_size=(kernel, kernel), stride=stride, padding=padding, groups=in_channels, bias=bias)
        super().__init__(OrderedDict(depthwise=first, pointwise=nn.Conv2d(in_channels, out_channels, kernel_size=1, bias=bias)))


@alternative("separable_cost")
def counted_on_layers(in_channels, out_channels, kernel, positions, bias=True):
    """Two layers on the meta device are counted, and a weight is what isn't a vector."""
    layers = nn.Conv2d(in_channels, in_channels, kernel, groups=in_channels, bias=bias, device="meta"), nn.Conv2d(in_channels, out_channels, 1, bias=bias, device="meta")
    parameters = [p for layer in layers for p in layer.parameters()]
    return sum(p.numel() for p in parameters), sum(p.numel() for p in parameters if p.ndim == 4) * positions


@alternative("merge_separable")
def by_einsum(depthwise, pointwise):
    """Both weights in one einsum, with an axis for the kernels of a channel."""
    outputs, inputs = pointwise.out_channels, depthwise.in_channels
    mixing, kernels = pointwise.weight.view(outputs, inputs, -1), depthwise.weight.unflatten(0, (inputs, -1)).squeeze(2)
    merged = nn.Conv2d(inputs, outputs, depthwise.kernel_size, depthwise.stride, depthwise.padding, device=mixing.device, dtype=mixing.dtype)
    with torch.no_grad():
        merged.weight.copy_(torch.einsum("oim,imhw->oihw", mixing, kernels))
        before = depthwise.bias if depthwise.bias is not None else kernels.new_zeros(depthwise.out_channels)
        merged.bias.copy_(F.conv2d(before[:, None, None], pointwise.weight, pointwise.bias).flatten())
    return merged


@alternative("merge_separable")
def by_impulses(depthwise, pointwise):
    """What a single pixel of a single channel becomes, read backward, is the kernel; a black image gives the bias."""
    height, width = depthwise.kernel_size
    impulses = torch.eye(depthwise.in_channels, device=depthwise.weight.device, dtype=depthwise.weight.dtype)[..., None, None]
    with torch.no_grad():
        run = lambda x: pointwise(F.conv2d(x, depthwise.weight, depthwise.bias, groups=depthwise.groups))  # noqa: E731
        black = run(torch.zeros_like(impulses[:1]).expand(-1, -1, height, width))
        kernel = (run(F.pad(impulses, [width - 1] * 2 + [height - 1] * 2)) - black).transpose(0, 1).flip(-1, -2)
        merged = nn.Conv2d(depthwise.in_channels, pointwise.out_channels, (height, width), depthwise.stride, depthwise.padding).to(kernel)
        merged.weight.copy_(kernel)
        merged.bias.copy_(black[0, :, 0, 0])
    return merged
