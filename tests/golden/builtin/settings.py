"""All settings of the built-in model in one place: paths, sizes, seeds, schedule."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = ROOT / "build" / "builtin"  # corpus, token ids, checkpoint, log; made again by the commands of README.md
MODEL = ROOT / "web" / "models" / "builtin"
GOLDENS = ROOT / "tests" / "golden" / "data" / "builtin_goldens.json"

CORPUS_SEED = 20
CORPUS_BYTES = 12_000_000

VOCAB_SIZE = 2048
CONTEXT = 128
WIDTH = 128
HEADS = 4
LAYERS = 4
LAYER_NORM_EPSILON = 1e-5

TRAIN_SEED = 1
TOKENS_PER_STEP = 2048
LEARNING_RATE = 2e-3
BETAS = (0.9, 0.98)
WEIGHT_DECAY = 0.05
CLIP_NORM = 1.0
WARM_UP_STEPS = 100
FINAL_RATE = 0.05  # of LEARNING_RATE, at the end of the cosine
# (steps, tokens a row, share of rows that are random tokens said again)
STAGES = [(800, 48, 0.4), (800, CONTEXT, 0.2), (1600, CONTEXT, 0.06)]
STEPS = sum(steps for steps, _, _ in STAGES)
HELD_OUT_DOCUMENTS = 0.02
CHECKPOINT_EVERY = 250
