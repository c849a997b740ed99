"""The check compares the kernel's own size with the padded image and forgets that a dilated kernel covers more. With size 4, kernel 3 and dilation 2 the kernel covers 5 pixels, and the function returns 0 instead of raising a ValueError. The formula below it has the dilation."""


def output_size(size, kernel, stride=1, padding=0, dilation=1):
    padded = size + 2 * padding
    if kernel > padded:
        raise ValueError(f"a kernel of {kernel} does not fit into {padded} pixels")
    last_start = padded - dilation * (kernel - 1) - 1
    return last_start // stride + 1


def flat_features(shape, layers):
    channels, height, width = shape
    for out_channels, kernel, stride, padding in layers:
        channels = out_channels
        height = output_size(height, kernel, stride, padding)
        width = output_size(width, kernel, stride, padding)
    return channels * height * width
