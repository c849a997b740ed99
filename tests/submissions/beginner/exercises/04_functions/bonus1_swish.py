import torch


class Swish(torch.autograd.Function):
    def forward(self, x, beta):
        self.save_for_backward(x, beta, torch.sigmoid(beta * x))
        return x * torch.sigmoid(beta * x)

    def backward(self, grad):
        x, beta, s = self.saved_tensors
        grad_x = grad * (s + beta * x * s * (1 - s))
        grad_beta = grad * x * x * s * (1 - s)
        return grad_x, grad_beta
