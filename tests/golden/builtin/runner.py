"""Runs the shipped model on texts: probabilities, attention, greedy and sampled continuation."""

import collections

import torch

import checkpoint
from settings import CONTEXT, MODEL
from tokenizer import Tokenizer

BATCH = 64


class Runner:
    """A model with its tokenizer, in evaluation mode."""

    def __init__(self, folder=MODEL):
        self.tokenizer = Tokenizer.load(folder)
        self.model = checkpoint.load_model(folder)

    def probabilities(self, prompts, silent=()):
        """Next-token probabilities (N,V) after each prompt (a text, or a list of ids)."""
        sequences = [self.tokenizer.encode(p) if isinstance(p, str) else list(p) for p in prompts]
        groups = collections.defaultdict(list)
        for i, ids in enumerate(sequences):
            groups[len(ids)].append(i)
        rows = [None] * len(prompts)
        with torch.no_grad():
            for members in groups.values():
                for k in range(0, len(members), BATCH):
                    some = members[k:k + BATCH]
                    hidden = self.model.hidden(torch.tensor([sequences[i] for i in some]), silent)[0][:, -1]
                    for i, row in zip(some, (hidden @ self.model.wte.weight.T).softmax(-1)):
                        rows[i] = row
        return torch.stack(rows)

    def first(self, text):
        """The first token's id of a text."""
        return self.tokenizer.encode(text)[0]

    def attention(self, ids):
        """Attention weights (L,H,T,T) over ids."""
        with torch.no_grad():
            return torch.stack([w[0] for w in self.model.hidden(torch.tensor([ids]))[1]])

    def stream(self, ids):
        """The residual stream after each layer (L,T,C)."""
        with torch.no_grad():
            return torch.stack([x[0] for x in self.model.hidden(torch.tensor([ids]))[2]])

    def continue_text(self, prompt, tokens, temperature=0.0, seed=0):
        """The text that follows prompt, up to a number of tokens or the end of the text; also whether it ended by itself."""
        generator = torch.Generator().manual_seed(seed)
        ids = self.tokenizer.encode(prompt)
        begin = len(ids)
        while len(ids) < min(CONTEXT, begin + tokens):
            with torch.no_grad():
                logits = self.model(torch.tensor([ids]))[0, -1]
            if temperature == 0:
                chosen = int(logits.argmax())
            else:
                chosen = int(torch.multinomial((logits / temperature).softmax(-1), 1, generator=generator))
            if chosen == self.tokenizer.end_of_text:
                return self.tokenizer.decode(ids[begin:]), True
            ids.append(chosen)
        return self.tokenizer.decode(ids[begin:]), False
