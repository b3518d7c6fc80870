"""Writes tests/golden/data/builtin_goldens.json: ids, last logits and attention weights of the shipped model.

Computed by PyTorch in double precision from the float16 weights as shipped, then rounded to float32."""

import hashlib
import json

import numpy as np
import torch

from runner import Runner
from settings import GOLDENS, MODEL

TEXTS = ["Thank you very", "小猫没有跳上桌子，因为它太累了。太累的是", "小猫没有跳上桌子，因为它太高了。太高的是",
         "The cat could not jump onto the table because it was too tired. The one that was too tired is the", "法国的首都是",
         "Once upon a time, there was a little cat named", "Tom Lily Anna Sam Tom Lily Anna", "床前明月光，疑是 12 \n\t🐱é"]


def numbers(tensor):
    """Nested lists of the shortest decimals that give the same float32 again."""
    return np.vectorize(lambda x: float(str(np.float32(x))), otypes=[float])(tensor.numpy()).tolist()


def main():
    runner = Runner()
    model = runner.model.double()
    notable = json.loads((MODEL / "evaluation.json").read_text(encoding="utf-8"))["heads"]["notable"]
    heads = [tuple(map(int, notable[name].split(".")[1:])) for name in ("previous_token", "noun_reader")]
    cases = []
    for text in TEXTS:
        ids = runner.tokenizer.encode(text)
        with torch.no_grad():
            hidden, weights, _ = model.hidden(torch.tensor([ids]))
            logits = hidden[0, -1] @ model.wte.weight.T
        cases.append(dict(text=text, ids=ids, tokens=[list(runner.tokenizer.bytes_of(i)) for i in ids], logits=numbers(logits),
                          attention=[dict(layer=l, head=h, weights=numbers(weights[l][0, h])) for l, h in heads]))
    result = dict(model_sha256=hashlib.sha256((MODEL / "model.safetensors").read_bytes()).hexdigest(), cases=cases)
    GOLDENS.parent.mkdir(parents=True, exist_ok=True)
    GOLDENS.write_text(json.dumps(result, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    print(GOLDENS.name, GOLDENS.stat().st_size)


if __name__ == "__main__":
    main()
