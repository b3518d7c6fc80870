#!/usr/bin/python3
"""One contender of tools/bench: training steps of the built-in model's shape in PyTorch, on tokens of chance.

Reads "threads steps" line by line and answers with the seconds that they took and the last loss. A step is what
the engine's is: forward, backward, gradients clipped to a norm of 1, AdamW. The model is written as PyTorch runs
it fastest here: one product for q, k and v, all heads in one batched product, addmm, the tanh GELU and the layer
norm of the library, AdamW's fused loops over all tensors.
"""

import math
import sys
import time

import torch
import torch.nn.functional as F

V, T, C, H, L, B = 2560, 256, 128, 4, 4, 8
D = C // H


def make_weights():
    weights = {}

    def normal(name, *shape, std=0.02):
        weights[name] = (std * torch.randn(*shape)).requires_grad_()

    def constant(name, value, n):
        weights[name] = torch.full((n,), value).requires_grad_()

    normal("wte", V, C)
    normal("wpe", T, C)
    for l in range(L):
        for norm in ("ln_1", "ln_2"):
            constant(f"{norm}.{l}.weight", 1.0, C)
            constant(f"{norm}.{l}.bias", 0.0, C)
        for linear, n_in, n_out in (("qkv", C, 3 * C), ("out", C, C), ("fc", C, 4 * C), ("proj", 4 * C, C)):
            normal(f"{linear}.{l}.weight", n_in, n_out)
            constant(f"{linear}.{l}.bias", 0.0, n_out)
    constant("ln_f.weight", 1.0, C)
    constant("ln_f.bias", 0.0, C)
    return weights


def mean_loss(w, inputs, targets, future):
    def linear(name, x):
        return torch.addmm(w[f"{name}.bias"], x, w[f"{name}.weight"])

    def norm(name, x):
        return F.layer_norm(x, (C,), w[f"{name}.weight"], w[f"{name}.bias"])

    x = (w["wte"][inputs] + w["wpe"]).view(B * T, C)
    for l in range(L):
        heads = linear(f"qkv.{l}", norm(f"ln_1.{l}", x)).view(B, T, 3, H, D).permute(2, 0, 3, 1, 4)
        q, k, v = (part.reshape(B * H, T, D) for part in heads)
        scores = torch.baddbmm(future, q, k.transpose(1, 2), alpha=1 / math.sqrt(D))
        z = (scores.softmax(-1) @ v).view(B, H, T, D).transpose(1, 2).reshape(B * T, C)
        x = x + linear(f"out.{l}", z)
        x = x + linear(f"proj.{l}", F.gelu(linear(f"fc.{l}", norm(f"ln_2.{l}", x)), approximate="tanh"))
    return F.cross_entropy(norm("ln_f", x) @ w["wte"].T, targets.view(-1))


def main():
    torch.manual_seed(1)
    weights = make_weights()
    tokens = torch.randint(1, V, (B * T + 1,))
    inputs, targets = tokens[:-1].view(B, T), tokens[1:].view(B, T)
    future = torch.full((T, T), -math.inf).triu(1)
    groups = [
        {"params": [p for p in weights.values() if p.dim() == 2], "weight_decay": 0.05},
        {"params": [p for p in weights.values() if p.dim() == 1], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=0.002, betas=(0.9, 0.98), foreach=True)
    for line in sys.stdin:
        threads, steps = map(int, line.split())
        if torch.get_num_threads() != threads:
            torch.set_num_threads(threads)
        begin = time.perf_counter()
        for _ in range(steps):
            optimizer.zero_grad(set_to_none=True)
            loss = mean_loss(weights, inputs, targets, future)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(weights.values(), 1.0)
            optimizer.step()
            last = loss.item()
        print(f"{time.perf_counter() - begin:.6f} {last:.4f}", flush=True)


if __name__ == "__main__":
    main()
