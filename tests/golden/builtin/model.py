"""GPT-2 in PyTorch, small. Parameter names and layouts are those of Hugging Face's GPT-2 checkpoints.

Letters: B batch, T tokens, C channels, H heads, D head size, V vocabulary."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from settings import CONTEXT, HEADS, LAYER_NORM_EPSILON, LAYERS, VOCAB_SIZE, WIDTH


class Linear(nn.Module):
    """GPT-2's Conv1D: y = x · weight + bias, weight (in, out)."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(inputs, outputs))
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x):
        return torch.addmm(self.bias, x.reshape(-1, x.shape[-1]), self.weight).view(*x.shape[:-1], -1)


class Attention(nn.Module):
    """Causal self-attention with H heads."""

    def __init__(self):
        super().__init__()
        self.c_attn = Linear(WIDTH, 3 * WIDTH)
        self.c_proj = Linear(WIDTH, WIDTH)

    def forward(self, x, mask, silent=()):
        """x (B,T,C) → output (B,T,C) and weights (B,H,T,T). The heads in silent give zeros instead of their values."""
        b, t, c = x.shape
        q, k, v = self.c_attn(x).view(b, t, 3, HEADS, c // HEADS).permute(2, 0, 3, 1, 4)
        weights = (q @ k.transpose(-1, -2) / math.sqrt(c // HEADS) + mask[:t, :t]).softmax(-1)
        z = weights @ v
        if silent:
            keep = torch.ones(HEADS, 1, 1)
            keep[list(silent)] = 0
            z = z * keep
        return self.c_proj(z.transpose(1, 2).reshape(b, t, c)), weights


class Mlp(nn.Module):
    """Two layers with GELU (tanh form) between."""

    def __init__(self):
        super().__init__()
        self.c_fc = Linear(WIDTH, 4 * WIDTH)
        self.c_proj = Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        return self.c_proj(F.gelu(self.c_fc(x), approximate="tanh"))


class Block(nn.Module):
    """LayerNorm → attention → add → LayerNorm → MLP → add."""

    def __init__(self):
        super().__init__()
        self.ln_1 = nn.LayerNorm(WIDTH, LAYER_NORM_EPSILON)
        self.attn = Attention()
        self.ln_2 = nn.LayerNorm(WIDTH, LAYER_NORM_EPSILON)
        self.mlp = Mlp()

    def forward(self, x, mask, silent=()):
        attended, weights = self.attn(self.ln_1(x), mask, silent)
        x = x + attended
        return x + self.mlp(self.ln_2(x)), weights


class Gpt(nn.Module):
    """The whole model; the output head is the token embedding."""

    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(VOCAB_SIZE, WIDTH)
        self.wpe = nn.Embedding(CONTEXT, WIDTH)
        self.h = nn.ModuleList(Block() for _ in range(LAYERS))
        self.ln_f = nn.LayerNorm(WIDTH, LAYER_NORM_EPSILON)
        self.register_buffer("mask", torch.full((CONTEXT, CONTEXT), float("-inf")).triu(1), persistent=False)
        self._initialise()

    def _initialise(self):
        """A start that finds copying soon: key = query in every head (look for what is alike), positions a sinusoid in a random basis."""
        deviation = 0.7 / math.sqrt(WIDTH)
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                into_residual = name.endswith("c_proj.weight")
                nn.init.normal_(parameter, 0, deviation / (math.sqrt(2 * LAYERS) if into_residual else 1))
        nn.init.normal_(self.wte.weight, 0, 0.05)
        position = torch.arange(CONTEXT).float()[:, None]
        frequency = torch.exp(-math.log(1000.0) * torch.arange(WIDTH // 2).float() / (WIDTH // 2))[None]
        wave = torch.cat([torch.sin(position * frequency), torch.cos(position * frequency)], 1)
        basis, _ = torch.linalg.qr(torch.randn(WIDTH, WIDTH))
        with torch.no_grad():
            self.wpe.weight.copy_(0.1 * (wave - wave.mean(0)) @ basis)
            for block in self.h:
                block.attn.c_attn.weight[:, WIDTH:2 * WIDTH] = block.attn.c_attn.weight[:, :WIDTH]

    def hidden(self, ids, silent=()):
        """ids (B,T) → final hidden states (B,T,C) after ln_f, the weights of each layer (B,H,T,T), and the residual stream
        after each layer (B,T,C). silent: (layer, head) pairs to knock out."""
        x = self.wte(ids) + self.wpe.weight[:ids.shape[1]]
        weights, stream = [], []
        for layer, block in enumerate(self.h):
            x, w = block(x, self.mask, [head for l, head in silent if l == layer])
            weights.append(w)
            stream.append(x)
        return self.ln_f(x), weights, stream

    def forward(self, ids, silent=()):
        """ids (B,T) → logits (B,T,V)."""
        return F.linear(self.hidden(ids, silent)[0], self.wte.weight)
