"""Writes the trained model into web/models/builtin as a Hugging Face GPT-2: weights in float16, configuration, tokenizer."""

import json

import numpy as np
import torch

import checkpoint
from settings import BUILD, CONTEXT, HEADS, LAYER_NORM_EPSILON, LAYERS, MODEL, VOCAB_SIZE, WIDTH
from tokenizer import Tokenizer
from train import WEIGHTS


def main():
    MODEL.mkdir(parents=True, exist_ok=True)
    weights = torch.load(WEIGHTS)
    checkpoint.write(MODEL / "model.safetensors", {name: tensor.numpy().astype(np.float16) for name, tensor in weights.items()})
    tokenizer = Tokenizer.load(BUILD)
    tokenizer.save(MODEL)
    config = dict(model_type="gpt2", architectures=["GPT2LMHeadModel"], vocab_size=VOCAB_SIZE, n_positions=CONTEXT, n_embd=WIDTH,
                  n_head=HEADS, n_layer=LAYERS, n_inner=4 * WIDTH, activation_function="gelu_new",
                  layer_norm_epsilon=LAYER_NORM_EPSILON, tie_word_embeddings=True,
                  bos_token_id=tokenizer.end_of_text, eos_token_id=tokenizer.end_of_text, torch_dtype="float16")
    (MODEL / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    for path in sorted(MODEL.iterdir()):
        print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main()
