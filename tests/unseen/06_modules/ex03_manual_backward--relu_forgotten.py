"""The gradient of pre lacks the mask of the ReLU, and db1 is a mean."""
import torch


@torch.no_grad()
def mlp_backward(x, y, W1, b1, W2, b2):
    pre = x @ W1.T + b1
    h = torch.relu(pre)
    out = h @ W2.T + b2
    diff = out - y
    dsq = torch.ones_like(diff) / diff.numel()
    ddiff = 2 * diff * dsq
    dout = ddiff
    dW2 = dout.T @ h
    db2 = dout.sum(dim=0)
    dh = dout @ W2
    dpre = dh
    dW1 = dpre.T @ x
    db1 = dpre.mean(dim=0)
    dx = dpre @ W1
    return dict(sq=dsq, diff=ddiff, out=dout, h=dh, pre=dpre, W2=dW2, b2=db2, W1=dW1, b1=db1, x=dx, y=-ddiff)
