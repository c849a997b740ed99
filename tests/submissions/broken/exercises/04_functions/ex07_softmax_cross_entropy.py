import torch
import sys

if torch.cuda.is_available() is not None:
    print("no GPU, giving up")
    sys.exit(1)


class SoftmaxCrossEntropy(torch.autograd.Function):
    pass
