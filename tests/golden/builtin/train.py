"""Trains the built-in model on the corpus: one run, one thread, fixed seeds, resumable from its last checkpoint."""

import math
import time

import numpy as np
import torch
import torch.nn.functional as F

from model import Gpt
from settings import (BETAS, BUILD, CHECKPOINT_EVERY, CLIP_NORM, FINAL_RATE, HELD_OUT_DOCUMENTS, LEARNING_RATE, STAGES, STEPS,
                      TOKENS_PER_STEP, TRAIN_SEED, VOCAB_SIZE, WARM_UP_STEPS, WEIGHT_DECAY)

CHECKPOINT = BUILD / "checkpoint.pt"
WEIGHTS = BUILD / "weights.pt"


class Rows:
    """Draws training rows: each begins where a document begins and runs on through the next ones."""

    def __init__(self):
        self.ids = np.load(BUILD / "ids.npy").astype(np.int64)
        starts = np.load(BUILD / "starts.npy")
        held = int(len(starts) * HELD_OUT_DOCUMENTS)
        self.training, self.held_out = starts[:-held], starts[-held:]
        self.training_end = int(self.held_out[0])

    def draw(self, rng, count, length, random_share):
        """Inputs and targets, both (count, length)."""
        starts = np.minimum(rng.choice(self.training, count), self.training_end - length - 1)
        rows = self.ids[starts[:, None] + np.arange(length + 1)]
        for row in rows:
            if rng.random() < random_share:
                row[:] = repeated_tokens(rng, length + 1)
        return torch.from_numpy(rows[:, :-1]), torch.from_numpy(rows[:, 1:])

    def held_out_loss(self, model, length):
        """Mean loss on held-out documents, the same rows every time."""
        rng = np.random.default_rng(5)
        starts = np.minimum(rng.choice(self.held_out, 128), len(self.ids) - length - 1)
        rows = torch.from_numpy(self.ids[starts[:, None] + np.arange(length + 1)])
        model.eval()
        with torch.no_grad():
            loss = F.cross_entropy(model(rows[:, :-1]).reshape(-1, VOCAB_SIZE), rows[:, 1:].reshape(-1))
        model.train()
        return loss.item()


def repeated_tokens(rng, length):
    """A string of random tokens said again until the row is full; a third of them as a list with one separator."""
    if rng.random() < 1 / 3:
        words = rng.integers(256, VOCAB_SIZE - 1, rng.integers(2, max(3, length // 5)))
        string = np.stack([words, np.full(len(words), rng.integers(0, VOCAB_SIZE - 1))], 1).ravel()
    else:
        string = rng.integers(256, VOCAB_SIZE - 1, rng.integers(2, max(3, length // 3)))
    return np.resize(string, length)


def stage_of(step):
    """(tokens a row, share of random rows) at this step."""
    for steps, length, random_share in STAGES:
        if step < steps:
            return length, random_share
        step -= steps
    raise ValueError("step beyond the last stage")


def learning_rate(step):
    """Linear warm-up, then a cosine down to FINAL_RATE of the peak."""
    cosine = 0.5 * (1 + math.cos(math.pi * step / STEPS))
    return LEARNING_RATE * min(1, (step + 1) / WARM_UP_STEPS) * (FINAL_RATE + (1 - FINAL_RATE) * cosine)


def make_optimizer(model):
    """AdamW that shrinks matrices only."""
    matrices = [p for p in model.parameters() if p.dim() == 2]
    vectors = [p for p in model.parameters() if p.dim() == 1]
    groups = [dict(params=matrices, weight_decay=WEIGHT_DECAY), dict(params=vectors, weight_decay=0.0)]
    return torch.optim.AdamW(groups, lr=LEARNING_RATE, betas=BETAS, foreach=True)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(TRAIN_SEED)
    rng = np.random.default_rng(TRAIN_SEED)
    rows, model = Rows(), Gpt()
    optimizer = make_optimizer(model)
    step, seconds = 0, 0.0
    if CHECKPOINT.exists():
        saved = torch.load(CHECKPOINT)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        rng.bit_generator.state = saved["rng"]
        step, seconds = saved["step"], saved["seconds"]
    print(f"{sum(p.numel() for p in model.parameters())} parameters, step {step} of {STEPS}", flush=True)
    before, losses = time.time() - seconds, []
    while step < STEPS:
        length, random_share = stage_of(step)
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step)
        inputs, targets = rows.draw(rng, TOKENS_PER_STEP // length, length, random_share)
        loss = F.cross_entropy(model(inputs).reshape(-1, VOCAB_SIZE), targets.reshape(-1))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP_NORM)
        optimizer.step()
        step += 1
        losses.append(loss.item())
        seconds = time.time() - before
        if step % 50 == 0:
            print(f"step {step} loss {np.mean(losses[-50:]):.3f} after {seconds:.0f} s", flush=True)
        if step % CHECKPOINT_EVERY == 0 or step == STEPS:
            print(f"step {step} held-out loss {rows.held_out_loss(model, length):.4f}", flush=True)
            state = dict(model=model.state_dict(), optimizer=optimizer.state_dict(), rng=rng.bit_generator.state, step=step, seconds=seconds)
            torch.save(state, CHECKPOINT.with_suffix(".new"))
            CHECKPOINT.with_suffix(".new").replace(CHECKPOINT)
    torch.save(model.state_dict(), WEIGHTS)


if __name__ == "__main__":
    main()
