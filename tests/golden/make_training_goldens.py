#!/usr/bin/python3
"""Trains a small random GPT-2 for ten steps and writes what PyTorch computes on the way.

Run it only to make the golden files anew; building, running and testing need none of this. The model is that of
make_gpt2_goldens.py, computed in float64 from weights stored as F32. Ten steps of AdamW (Loshchilov & Hutter 2019,
torch.optim.AdamW) on three batches in turn; weight decay on matrices only, the gradient of the mean loss clipped to a
norm of 2.5 (torch.nn.utils.clip_grad_norm_).
"""

import json

import torch
import torch.nn.functional as F

from make_gpt2_goldens import DATA, forward, make_weights, write_safetensors

NAME = "training_gpt2"
CONFIG = {
    "model_type": "gpt2",
    "activation_function": "gelu_new",
    "vocab_size": 64,
    "n_positions": 16,
    "n_ctx": 16,
    "n_embd": 24,
    "n_head": 3,
    "n_layer": 2,
    "n_inner": None,
    "layer_norm_epsilon": 1e-5,
}
SETTINGS = {
    "learning_rate": 0.004,
    "beta1": 0.9,
    "beta2": 0.98,
    "epsilon": 1e-8,
    "weight_decay": 0.05,
    "clip_norm": 2.5,
}
BATCHES, ROWS, STEPS = 3, 4, 10


def make_batch(generator):
    """Inputs and targets (B, T): each row counts up by a random stride, so that there is something to learn. The
    targets of a row's first tokens, up to three, are −1: not counted."""
    V, T = CONFIG["vocab_size"], CONFIG["n_positions"]
    start, stride = (torch.randint(V, (ROWS, 1), generator=generator) for _ in range(2))
    tokens = (start + stride * torch.arange(T + 1)) % V
    inputs, targets = tokens[:, :-1], tokens[:, 1:].clone()
    for row, silent in enumerate(torch.randint(4, (ROWS,), generator=generator).tolist()):
        targets[row, :silent] = -1
    return inputs, targets


def mean_loss(weights, inputs, targets):
    logits = torch.cat([forward(CONFIG, weights, row)["logits"] for row in inputs])
    return F.cross_entropy(logits, targets.reshape(-1), ignore_index=-1)


def main():
    generator = torch.Generator().manual_seed(3)
    stored = make_weights(CONFIG, generator)
    batches = [make_batch(generator) for _ in range(BATCHES)]
    weights = {name: tensor.double().requires_grad_() for name, tensor in stored.items()}
    groups = [
        {"params": [p for p in weights.values() if p.dim() == 2], "weight_decay": SETTINGS["weight_decay"]},
        {"params": [p for p in weights.values() if p.dim() == 1], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(
        groups,
        lr=SETTINGS["learning_rate"],
        betas=(SETTINGS["beta1"], SETTINGS["beta2"]),
        eps=SETTINGS["epsilon"],
    )

    golden, losses, norms = {}, [], []
    for step in range(STEPS):
        optimizer.zero_grad()
        loss = mean_loss(weights, *batches[step % BATCHES])
        loss.backward()
        if step == 0:
            golden.update({f"gradient.{name}": p.grad.float() for name, p in weights.items()})
        norms.append(float(torch.nn.utils.clip_grad_norm_(weights.values(), SETTINGS["clip_norm"])))
        losses.append(loss.item())
        optimizer.step()
    golden.update({f"trained.{name}": p.detach().float() for name, p in weights.items()})

    metadata = {"rows": str(ROWS), "settings": json.dumps(SETTINGS)}
    for i, (inputs, targets) in enumerate(batches):
        metadata[f"batch.{i}.inputs"] = " ".join(map(str, inputs.reshape(-1).tolist()))
        metadata[f"batch.{i}.targets"] = " ".join(map(str, targets.reshape(-1).tolist()))
    metadata["losses"] = " ".join(map(repr, losses))
    metadata["norms"] = " ".join(map(repr, norms))

    folder = DATA / NAME
    folder.mkdir(parents=True, exist_ok=True)
    write_safetensors(folder / "model.safetensors", stored, {"format": "pt"})
    (folder / "config.json").write_text(json.dumps(CONFIG, indent=2) + "\n")
    write_safetensors(DATA / f"{NAME}.golden.safetensors", golden, metadata)
    print("losses", " ".join(f"{loss:.4f}" for loss in losses))
    print("norms ", " ".join(f"{norm:.3f}" for norm in norms))


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
