"""Texts whose continuation stands in the text itself: lists said again, and who gave what to whom."""

import lexicon as lx

BAGS = [lx.NAMES_EN, lx.NAMES_EN, lx.NAMES_EN, lx.NAMES_ZH, lx.PETS_ZH, lx.ANIMALS_ZH, lx.ANIMALS_EN, lx.OBJECTS_ZH, lx.OBJECTS_EN,
        lx.FOODS_ZH, lx.FOODS_EN, lx.ACTIONS_ZH, lx.ACTIONS_EN, lx.ITEMS_ZH, lx.CONTAINERS_ZH, lx.ITEMS_EN, lx.CONTAINERS_EN,
        lx.COLOURS_ZH, lx.COLOURS_EN, lx.FEELINGS_ZH, lx.FEELINGS_EN, lx.PLACES_ZH, lx.PLACES_EN,
        list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), list("0123456789")]
ALL_WORDS = sorted({word for bag in BAGS for word in bag})
GIFTS_EN = ["When {n} and {m} went to the {p}, {n} gave a {x} to {m}. {m} said thank you to {n}.",
            "{n} has a {x} and {m} has a {y}. Who has the {x}? {n}. Who has the {y}? {m}.",
            "{n} has a {x} and {m} has a {y}. Who has the {y}? {m}. Who has the {x}? {n}."]
GIFTS_ZH = ["{n}和{m}去{p}，{n}给了{m}一{u}{x}。{m}对{n}说：“谢谢。”", "{n}有一{u}{x}，{m}有一{w}{y}。谁有{x}？{n}。谁有{y}？{m}。",
            "{n}有一{u}{x}，{m}有一{w}{y}。谁有{y}？{m}。谁有{x}？{n}。"]


def repeated_list(draw):
    """A list of words two or three times over."""
    source = draw.choice(BAGS) if draw.chance(0.6) else ALL_WORDS
    count = draw.randint(3, min(12, len(source)))
    words = draw.sample(source, count)
    separator = draw.choice([" ", " ", " ", "、", "、", ", ", "，"])
    said = words * draw.choice([2, 2, 3]) + words[:draw.randint(0, count)]
    return draw.choice(["", "", "", "跟我念：", "Repeat: "]) + separator.join(said) + draw.choice(["", "。", "."])


def gift(draw):
    """Two people and their things: each name is to be copied from its place."""
    chinese = draw.chance(0.5)
    n, m = draw.sample(lx.NAMES_ZH if chinese else lx.NAMES_EN, 2)
    x, y = draw.sample(lx.ITEMS_ZH if chinese else [w for w in lx.ITEMS_EN if w != "umbrella"], 2)
    return draw.fill(GIFTS_ZH if chinese else GIFTS_EN, n=n, m=m, x=x, y=y, u=lx.MEASURES_ZH.get(x, "个"),
                     w=lx.MEASURES_ZH.get(y, "个"), p=draw.choice(lx.PLACES_ZH if chinese else lx.PLACES_EN))
