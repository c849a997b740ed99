""".grad is never cleared, so each step adds all earlier gradients. And detach what you return."""
import torch

def fit_line(X, y, w0, b0, lr, epochs):
    w = w0.detach().clone().requires_grad_(True)
    b = b0.detach().clone().requires_grad_(True)
    history = []
    for epoch in range(epochs):
        loss = ((X * w + b - y) ** 2).mean()
        history.append(loss.item())
        loss.backward()
        with torch.no_grad():
            w -= lr * w.grad
            b -= lr * b.grad
    return w, b, history
