"""Optimizers from scratch, as in a blog."""

import torch


class Momentum:
    def __init__(self, parameters, learning_rate=0.01, beta=0.9):
        self.parameters = list(parameters)
        self.learning_rate = learning_rate
        self.beta = beta
        self.velocities = [torch.zeros_like(p) for p in self.parameters]

    @torch.no_grad()
    def step(self):
        for i, p in enumerate(self.parameters):
            if p.grad is None:
                continue
            self.velocities[i] = self.beta * self.velocities[i] + p.grad
            p -= self.learning_rate * self.velocities[i]

    def zero_grad(self):
        for p in self.parameters:
            if p.grad is not None:
                p.grad.zero_()


class Adam:
    def __init__(self, params, lr=1e-3, beta1=0.9, beta2=0.999, epsilon=1e-8):
        self.params = list(params)
        self.lr, self.beta1, self.beta2, self.epsilon = lr, beta1, beta2, epsilon
        self.m = [torch.zeros_like(p) for p in self.params]
        self.v = [torch.zeros_like(p) for p in self.params]
        self.t = 0

    @torch.no_grad()
    def step(self):
        self.t += 1
        for p, m, v in zip(self.params, self.m, self.v):
            if p.grad is None:
                continue
            m.mul_(self.beta1).add_(p.grad, alpha=1 - self.beta1)
            v.mul_(self.beta2).addcmul_(p.grad, p.grad, value=1 - self.beta2)
            m_hat = m / (1 - self.beta1**self.t)
            v_hat = v / (1 - self.beta2**self.t)
            p -= self.lr * m_hat / (v_hat.sqrt() + self.epsilon)

    def zero_grad(self):
        for p in self.params:
            p.grad = None
