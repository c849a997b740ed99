"""Coroutines."""
import asyncio

import torch


async def _mean(X):
    await asyncio.sleep(0)
    return X.mean(0)


async def _all(X, eps):
    mean = await _mean(X)
    std = (await _mean((X - mean) ** 2) + eps).sqrt()
    return (X - mean) / std, mean, std


def standardize(X, eps=1e-6):
    return asyncio.run(_all(X, eps))
