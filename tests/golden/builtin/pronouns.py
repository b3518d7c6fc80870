"""Sentences in which a later adjective settles what "it" means, each with a question about it.

Held-out pairs never appear here, so a right answer about one can't come from memory."""

from lexicon import (ANIMALS_EN, ANIMALS_ZH, BIG_EN, BIG_ZH, BOYS_ZH, CONTAINERS_EN, CONTAINERS_ZH, CROSSINGS_EN,
                     CROSSINGS_ZH, HIGH_EN, HIGH_ZH, ITEMS_EN, ITEMS_ZH, NAMES_ZH, OBJECTS_EN, OBJECTS_ZH, PLACES_ZH,
                     ACTIONS_ZH, SMALL_EN, SMALL_ZH, TIRED_EN, TIRED_ZH, WIDE_EN, WIDE_ZH, pairs)

# The ways of asking that are measured. {x} adjective, {a} animal, {o} object, {v} verb, {who} 谁 or 什么; the answer follows.
QUESTIONS_ZH = {
    "which": "太{x}的是",
    "means": "“它”指的是",
    "ask": "问：{who}太{x}了？答：",
    "reread": "再读一遍：{a}{no}{v}{o}，因为它（",
}
QUESTIONS_EN = {
    "which": " The one that was too {x} is the",
    "means": " The word it means the",
    "ask": " Question: what was too {x}? Answer: the",
}
STATEMENT_ZH = "{a}{no}{v}{o}，因为它太{x}了。"
STATEMENT_EN = "The {a} {no} {v} the {o} because it was too {x}."

SCENES_ZH = [  # (pairs that may be trained on, adjectives of the object, verbs)
    (pairs(ANIMALS_ZH, OBJECTS_ZH, False), HIGH_ZH, ["跳上", "跳上", "爬上", "登上"], 62),
    (pairs(ANIMALS_ZH, CROSSINGS_ZH, False), WIDE_ZH, ["穿过", "越过", "走过"], 38),
]
SCENES_EN = [
    (pairs(ANIMALS_EN, OBJECTS_EN, False), HIGH_EN, ["jump onto", "jump onto", "climb onto", "get on"], 60),
    (pairs(ANIMALS_EN, CROSSINGS_EN, False), WIDE_EN, ["cross", "walk across"], 40),
]
FITTING_ZH = pairs(ITEMS_ZH, CONTAINERS_ZH, False)
FITTING_EN = pairs(ITEMS_EN, CONTAINERS_EN, False)


def scene(draw, scenes, tired):
    """Slots of one scene: animal a, object o, verb v, adjective x, its referent ref, and whether that is the animal."""
    pairs_, adjectives, verbs, _ = draw.choices(scenes, [s[3] for s in scenes])[0]
    a, o = draw.choice(pairs_)
    of_animal = draw.chance(0.5)
    x = draw.choice(tired if of_animal else adjectives)
    return dict(a=a, o=o, v=draw.choice(verbs), x=x, ref=a if of_animal else o, of_animal=of_animal,
                who="谁" if of_animal else "什么")


def animal_zh(draw):
    """小猫没有跳上桌子，因为它太累了。太累的是小猫。 and its other forms."""
    s = scene(draw, SCENES_ZH, TIRED_ZH)
    s["no"] = draw.choice(["没有", "没有", "没有", "不敢", "不愿"])
    shape = draw.weighted({"plain": 78, "because first": 13, "but": 9})
    if shape == "plain":
        text = STATEMENT_ZH.format(**s)
    elif shape == "but":
        text = "{a}想{v}{o}，可是它太{x}了。".format(**s)
    elif s["of_animal"]:
        text = "因为{a}太{x}了，它{no}{v}{o}。".format(**s)
    else:
        text = "因为{o}太{x}了，{a}{no}{v}它。".format(**s)
    form = draw.weighted({"which": 36, "means": 14, "ask": 15, "reread": 15, "then": 12, "really": 4, "": 4})
    if form == "reread" and shape != "plain":
        form = "which"
    if form == "reread":
        return text + QUESTIONS_ZH[form].format(**s) + "{ref}）太{x}了。".format(**s)
    if form in QUESTIONS_ZH:
        return text + QUESTIONS_ZH[form].format(**s) + s["ref"] + "。"
    if form == "then" and s["of_animal"]:
        return text + draw.fill(["于是{a}躺下睡着了。", "于是{a}回家休息了。", "于是{a}在旁边坐下来。"], **s)
    if form == "then":
        return text + draw.fill(["于是{o}一直没有客人。", "于是{o}只好空着。"], **s)
    return text + ("{ref}真的太{x}了。".format(**s) if form == "really" else "")


def animal_en(draw):
    """The cat could not jump onto the table because it was too tired. The one that was too tired is the cat."""
    s = scene(draw, SCENES_EN, TIRED_EN)
    s["no"] = draw.choice(["did not", "didn't", "could not", "could not"])
    text = STATEMENT_EN.format(**s)
    form = draw.weighted({"which": 42, "means": 18, "ask": 20, "then": 14, "": 6})
    if form in QUESTIONS_EN:
        return text + QUESTIONS_EN[form].format(**s) + " " + s["ref"] + "."
    if form == "then" and s["of_animal"]:
        return text + draw.fill([" So the {a} lay down and slept.", " So the {a} went home to rest.", " So the {a} sat down."], **s)
    return text + (" The {ref} was really too {x}.".format(**s) if form else "")


def fitting_zh(draw):
    """西瓜放不进书包，因为它太大了。太大的是西瓜。"""
    item, container = draw.choice(FITTING_ZH)
    of_item = draw.chance(0.5)
    s = dict(i=item, c=container, x=draw.choice(BIG_ZH if of_item else SMALL_ZH), ref=item if of_item else container)
    return draw.fill(["{i}放不进{c}，因为它太{x}了。太{x}的是{ref}。", "{i}放不进{c}，因为它太{x}了。太{x}的是{ref}。",
                      "{i}放不进{c}，因为它太{x}了。“它”指的是{ref}。", "{i}放不进{c}，因为它太{x}了。问：什么太{x}了？答：{ref}。"], **s)


def fitting_en(draw):
    """The coat does not fit in the bag because it is too big. The one that is too big is the coat."""
    item, container = draw.choice(FITTING_EN)
    of_item = draw.chance(0.5)
    s = dict(i=item, c=container, x=draw.choice(BIG_EN if of_item else SMALL_EN), ref=item if of_item else container)
    return ("The {i} does not fit in the {c} because it is too {x}.".format(**s)
            + draw.fill([" The one that is too {x} is the {ref}.", " The one that is too {x} is the {ref}.",
                         " Question: what is too {x}? Answer: the {ref}.", " The word it means the {ref}."], **s))


def person_zh(draw):
    """小明很高兴，因为他…: the pronoun of a person agrees with the name."""
    n = draw.choice(NAMES_ZH)
    s = dict(n=n, p="他" if n in BOYS_ZH else "她", do=draw.choice(ACTIONS_ZH), place=draw.choice(PLACES_ZH))
    return draw.fill(["{n}很高兴，因为{p}学会了{do}。", "{n}很高兴，因为{p}收到了礼物。", "{n}没有去{place}，因为{p}要在家{do}。"], **s)
