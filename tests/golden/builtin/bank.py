"""English sentences with "bank" in its two senses; what comes before settles which."""

from lexicon import BOYS_EN, NAMES_EN, is_held_out

BEFORE = {
    "money": ["{n} had a lot of money.", "{n} had some money.", "{n} wanted to save some money.", "{n} wanted a loan.",
              "{n} needed cash.", "{n} got a check from work.", "{n} needed a loan to buy a house.", "{n} carried some coins and notes.",
              "{n} had a bag full of coins.", "{n} was paid today.", "{n} sold the old car for cash.", "{n} counted the coins.",
              "{n} wanted to borrow money."],
    "river": ["{n} liked fishing in the river.", "{n} had a small boat.", "{n} was tired of swimming.", "{n} saw some ducks in the river.",
              "{n} wanted to watch the water.", "{n} followed the stream.", "{n} carried a fishing rod.", "{n} heard the frogs by the stream.",
              "{n} was wet from the river.", "{n} rowed the boat down the river.", "{n} wanted to catch fish.",
              "{n} swam in the cold water.", "The river was wide and {n} was tired."],
}
GOING = {
    "money": ["{He} went to the bank", "{He} walked to the bank", "{He} drove to the bank", "{He} ran to the bank", "{He} stopped at the bank"],
    "river": ["{He} went to the bank", "{He} walked to the bank", "{He} swam to the bank", "{He} ran to the bank", "{He} stopped at the bank"],
}
DOING = {
    "money": ["opened an account", "put the money in the account", "talked to the clerk about a loan", "took out some cash",
              "paid the money in", "asked the clerk for a loan", "saved the money"],
    "river": ["sat on the grass", "caught a fish", "watched the boats", "looked at the water", "fed the ducks", "lay in the sun",
              "picked some flowers"],
}
AFTER = {
    "money": [" The bank was closed, so {he} came back later.", " The bank kept the money safe.", " The bank lends money to people.",
              " The clerk at the bank said, \"Thank you very much.\"", " The bank account was full of money."],
    "river": [" The bank was muddy and wet.", " The bank of the river was green.", " The river flowed past the bank.",
              " Frogs sat on the bank.", " Grass grew on the bank."],
}
ALONE = {
    "money": ["I deposited money at the bank.", "I deposited money at the bank and opened an account.", "{n} deposited money at the bank.",
              "{n} deposited some cash at the bank and took out some coins.", "I put my money in the bank.", "{n} asked the bank for a loan.",
              "The money is in the bank.", "{n} called the bank about a loan."],
    "river": ["The river bank was green.", "The river bank is muddy and wet.", "I sat on the river bank and watched the boats.",
              "{n} sat on the river bank and looked at the water.", "{n} sat near the bank of the river.",
              "{n} walked along the river bank and picked some flowers.", "Ducks live on the river bank.", "The boat is near the bank of the river."],
}
SENSES = list(BEFORE)


def held_out_pairs(sense):
    """(before, going) templates of one sense that no training text joins."""
    return [(b, g) for b in BEFORE[sense] for g in GOING[sense] if is_held_out(b, g)]


def bank(draw):
    """One text about one of the two banks."""
    sense = draw.choice(SENSES)
    n = draw.choice(NAMES_EN)
    he = "he" if n in BOYS_EN else "she"
    slots = dict(n=n, he=he, He=he.capitalize())
    if draw.chance(0.3):
        return draw.fill(ALONE[sense], **slots)
    while True:
        before, going = draw.choice(BEFORE[sense]), draw.choice(GOING[sense])
        if not is_held_out(before, going):
            break
    if draw.chance(0.12):
        text, more = before, draw.choice([1, 2])
    else:
        text, more = f"{before} {going} and {draw.choice(DOING[sense])}.", draw.choice([0, 0, 1, 1, 2])
    return (text + "".join(draw.sample(AFTER[sense], more))).format(**slots)
