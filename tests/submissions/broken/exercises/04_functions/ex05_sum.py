# -*- coding: latin-1 -*-
"""Größe und Summe"""
import torch


class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, größe, dim, keepdim):
        ctx.full = größe.shape
        ctx.thin = größe.sum(dim, keepdim=True).shape if größe.dim() else größe.shape
        return größe.sum(dim, keepdim=keepdim)

    @staticmethod
    def backward(ctx, grad):
        return grad.reshape(ctx.thin).expand(ctx.full), None, None
