"""A seeded random source with the few ways of drawing that the text generators share."""

import random


class Draw(random.Random):
    """random.Random plus templates and weights."""

    def fill(self, templates, **slots):
        """One of the templates with its {slots} filled."""
        return self.choice(templates).format(**slots)

    def weighted(self, options):
        """One key of a {option: weight} mapping."""
        return self.choices(list(options), list(options.values()))[0]

    def chance(self, probability):
        """True with this probability."""
        return self.random() < probability
