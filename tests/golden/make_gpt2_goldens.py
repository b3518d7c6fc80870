#!/usr/bin/python3
"""Writes small random GPT-2 checkpoints and every activation that PyTorch computes from them.

Run it only to make the golden files anew; building, running and testing need none of this. The model follows
Radford et al. 2019 (GPT-2) and Vaswani et al. 2017 (attention): layer norm before each half block, causal
attention, GELU by tanh, weights stored [in, out]. Everything is computed in float64 from the weights exactly as
the checkpoint stores them (rounded to F32, F16 or BF16 first), and stored as F32.

Dimension letters: T tokens, C channels, H heads, D head size, F inner width of the MLP, V vocabulary.
"""

import json
import math
import pathlib
import struct

import torch
import torch.nn.functional as F

DATA = pathlib.Path(__file__).resolve().parent / "data"
DTYPES = {torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.uint8: "U8"}


def tensor_bytes(tensor):
    """The tensor's elements, row-major and little-endian. NumPy has no bfloat16, hence the detour by int16."""
    tensor = tensor.contiguous()
    return (tensor.view(torch.int16) if tensor.dtype == torch.bfloat16 else tensor).numpy().tobytes()


def write_safetensors(path, tensors, metadata):
    """Writes {name: tensor} in the given order; the header is padded with spaces to a multiple of 8 bytes."""
    header, data = {"__metadata__": metadata}, bytearray()
    for name, tensor in tensors.items():
        begin = len(data)
        data += tensor_bytes(tensor)
        header[name] = {
            "dtype": DTYPES[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [begin, len(data)],
        }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + bytes(data))


def make_weights(config, generator):
    """Random parameters {name: float32}, far enough from the identity that a wrong bias or scale shows."""
    C, V, P = config["n_embd"], config["vocab_size"], config["n_positions"]
    inner = config["n_inner"] or 4 * C
    weights = {}

    def normal(name, *shape, mean=0.0, std):
        weights[name] = mean + std * torch.randn(*shape, generator=generator, dtype=torch.float32)

    def layer_norm(name):
        normal(f"{name}.weight", C, mean=1.0, std=0.3)
        normal(f"{name}.bias", C, std=0.2)

    def linear(name, n_in, n_out):
        normal(f"{name}.weight", n_in, n_out, std=0.25)
        normal(f"{name}.bias", n_out, std=0.2)

    normal("wte.weight", V, C, std=0.5)
    normal("wpe.weight", P, C, std=0.25)
    for l in range(config["n_layer"]):
        layer_norm(f"h.{l}.ln_1")
        linear(f"h.{l}.attn.c_attn", C, 3 * C)
        linear(f"h.{l}.attn.c_proj", C, C)
        layer_norm(f"h.{l}.ln_2")
        linear(f"h.{l}.mlp.c_fc", C, inner)
        linear(f"h.{l}.mlp.c_proj", inner, C)
    layer_norm("ln_f")
    if not config.get("tie_word_embeddings", True):
        normal("lm_head.weight", V, C, std=0.25)
    return weights


def forward(config, weights, ids):
    """All activations {trace name: float64} of the token ids (T)."""
    w = {name: tensor.double() for name, tensor in weights.items()}
    T, C, H = len(ids), config["n_embd"], config["n_head"]
    D = C // H
    trace = {}

    def keep(name, tensor):
        trace[name] = tensor
        return tensor

    def layer_norm(name, x):
        return F.layer_norm(x, (C,), w[f"{name}.weight"], w[f"{name}.bias"], config["layer_norm_epsilon"])

    def linear(name, x):
        return x @ w[f"{name}.weight"] + w[f"{name}.bias"]

    def gelu(x):
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))

    def heads(x):  # (T,C) → (H,T,D)
        return x.view(T, H, D).transpose(0, 1)

    future = torch.ones(T, T, dtype=torch.bool).triu(1)
    x = keep("wte", w["wte.weight"][ids]) + keep("wpe", w["wpe.weight"][:T])
    for l in range(config["n_layer"]):
        h = f"h.{l}"
        keep(f"{h}.resid_in", x)
        a = keep(f"{h}.ln_1", layer_norm(f"{h}.ln_1", x))
        q, k, v = (heads(part) for part in linear(f"{h}.attn.c_attn", a).split(C, dim=1))
        keep(f"{h}.attn.q", q), keep(f"{h}.attn.k", k), keep(f"{h}.attn.v", v)
        scaled = keep(f"{h}.attn.scaled", q @ k.transpose(1, 2) / math.sqrt(D))
        attention = keep(f"{h}.attn.weights", scaled.masked_fill(future, -math.inf).softmax(-1))
        z = keep(f"{h}.attn.z", attention @ v)
        out = keep(f"{h}.attn.out", linear(f"{h}.attn.c_proj", z.transpose(0, 1).reshape(T, C)))
        x = keep(f"{h}.resid_mid", x + out)
        m = keep(f"{h}.ln_2", layer_norm(f"{h}.ln_2", x))
        act = keep(f"{h}.mlp.act", gelu(keep(f"{h}.mlp.pre", linear(f"{h}.mlp.c_fc", m))))
        x = keep(f"{h}.resid_out", x + keep(f"{h}.mlp.out", linear(f"{h}.mlp.c_proj", act)))
    final = keep("ln_f", layer_norm("ln_f", x))
    keep("logits", final @ w.get("lm_head.weight", w["wte.weight"]).T)
    return trace


def make(name, config, *, seed, tokens, dtype=torch.float32, prefix="", mask_buffers=False):
    """Writes NAME/model.safetensors, NAME/config.json and NAME.golden.safetensors."""
    generator = torch.Generator().manual_seed(seed)
    weights = {key: tensor.to(dtype) for key, tensor in make_weights(config, generator).items()}
    ids = torch.randint(config["vocab_size"], (tokens,), generator=generator)
    trace = forward(config, weights, ids)

    stored = {key if key.startswith("lm_head") else prefix + key: tensor for key, tensor in weights.items()}
    if mask_buffers:
        P = config["n_positions"]
        for l in range(config["n_layer"]):
            stored[f"{prefix}h.{l}.attn.bias"] = torch.ones(1, 1, P, P, dtype=torch.uint8).tril()
            stored[f"{prefix}h.{l}.attn.masked_bias"] = torch.tensor(-1e4)

    folder = DATA / name
    folder.mkdir(parents=True, exist_ok=True)
    # Hugging Face's writer sorts tensors by name, so that the parameters don't come in the model's order.
    write_safetensors(folder / "model.safetensors", dict(sorted(stored.items())), {"format": "pt"})
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    golden = {key: tensor.float() for key, tensor in trace.items()}
    write_safetensors(DATA / f"{name}.golden.safetensors", golden, {"ids": " ".join(map(str, ids.tolist()))})

    # A golden of nearly uniform attention would pass whatever the scores are; say how far from it this one is.
    T = tokens
    uniform = torch.ones(T, T).tril() / torch.arange(1, T + 1)[:, None]
    far = max(float((trace[f"h.{l}.attn.weights"] - uniform).abs().max()) for l in range(config["n_layer"]))
    print(f"{name}: T {T}, largest distance from uniform attention {far:.3f}, "
          f"logits {float(trace['logits'].min()):.2f} … {float(trace['logits'].max()):.2f}")


def main():
    tied = {
        "model_type": "gpt2",
        "activation_function": "gelu_new",
        "vocab_size": 61,
        "n_positions": 24,
        "n_ctx": 24,
        "n_embd": 24,
        "n_head": 3,
        "n_layer": 2,
        "n_inner": None,
        "layer_norm_epsilon": 1e-5,
    }
    untied = {
        "model_type": "gpt2",
        "activation_function": "gelu_new",
        "vocab_size": 53,
        "n_positions": 17,
        "n_ctx": 17,
        "n_embd": 40,
        "n_head": 4,
        "n_layer": 3,
        "n_inner": 72,
        "layer_norm_epsilon": 1e-3,
        "tie_word_embeddings": False,
    }
    make("gpt2_tied", tied, seed=1, tokens=13)
    make("gpt2_untied", untied, seed=2, tokens=17, prefix="transformer.", mask_buffers=True)
    make("gpt2_f16", tied, seed=1, tokens=5, dtype=torch.float16)
    make("gpt2_bf16", tied, seed=1, tokens=5, dtype=torch.bfloat16)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
