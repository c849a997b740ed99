def output_size(size, kernel, stride=1, padding=0, dilation=1):
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def flat_features(shape, layers):
    _, h, w = shape
    for out_channels, k, s, p in layers:
        h = output_size(h, k, s, p)
        w = output_size(w, k, s, p)
    return out_channels * h * w
