"""Short stories and scenes. Nobody is named, and nothing called by its kind, before the text has introduced it."""

from lexicon import (ACTIONS_EN, ACTIONS_ING_EN, ACTIONS_ZH, ANIMALS_EN, ANIMALS_ZH, BOYS_ZH, COLOURS_EN, FEELINGS_EN,
                     FEELINGS_ZH, FOODS_EN, FOODS_ZH, ITEMS_EN, ITEMS_ZH, MEASURES_ZH, NAMES_EN, NAMES_ZH, PETS_ZH,
                     PLACES_EN, PLACES_ZH, TRAITS_EN, TRAITS_ZH, TREASURES_EN, TREASURES_ZH)

OPENINGS_ZH = ["从前，有一只{trait}的{kind}，名叫{n}。", "从前，{p}住着一只{trait}的{kind}，大家叫它{n}。",
               "有一天，一只叫{n}的{kind}来到{p}。", "很久很久以前，有一只{kind}，它的名字叫{n}。"]
HABITS_ZH = ["{n}喜欢{do}，还喜欢吃{food}。", "{n}每天都去{p}{do}。", "{n}很想学{do}。", "{n}最爱吃{food}。"]
FRIEND_ZH = [
    ["一天早上，{n}遇到了一只叫{m}的{kind2}。", "在{q}，{n}看见了一只叫{m}的{kind2}。", "有一天，一只叫{m}的{kind2}来到{q}。"],
    ["“我们一起玩好吗？”{n}问。“好啊！”{m}说。", "{n}送给{m}一些{food}。{m}说：“谢谢你！”", "{m}很{feel}，{n}帮助了{m}。",
     "{n}说：“很高兴认识你。”{m}说：“我也很高兴认识你。”"],
    ["{n}和{m}一起玩到太阳下山。", "{n}和{m}在{q}吃了{food}。", "可是天下起了大雨，{n}和{m}跑回家了。"],
    ["从此，{n}和{m}成了最好的朋友。", "{n}和{m}从此过上了幸福的生活。", "{kind}和{kind2}成了好朋友。"],
]
TREASURE_ZH = [
    ["有一天，{n}在{q}捡到了一{unit}{thing}。", "今天天气真好，{n}在树下看见了一{unit}{thing}。"],
    ["{n}非常{feel}。", "“这是什么？”{n}问。", "{kind}非常{feel}。"],
    ["{n}把{thing}带回家。", "{n}把{thing}放进盒子里。", "后来，{n}带着{thing}回家睡觉了。"],
    ["{n}开心极了。", "{n}永远忘不了这一天。", "{kind}很喜欢{thing}。"],
]
OPENINGS_EN = ["Once upon a time, there was a {trait} {kind} named {n}.",
               "Once upon a time, a {trait} {kind} lived near the {p}. The {kind} was called {n}.",
               "One day, a {kind} named {n} went to the {p}.",
               "Once upon a time, there lived a {trait} {kind} in a {colour} house. The name of the {kind} was {n}."]
HABITS_EN = ["{n} liked to {do} and eat {food}.", "{n} loved {doing} in the {p}.", "Every day, {n} went to the {p} to {do}.",
             "{n} wanted to learn to {do}."]
FRIEND_EN = [
    ["One morning, {n} met a {kind2} named {m}.", "In the {q}, {n} saw a {kind2} named {m}.",
     "One day, a {kind2} named {m} came to the {q}."],
    ["\"Do you want to play with me?\" asked {n}. \"Yes!\" said {m}.", "{n} gave {m} some {food}. \"Thank you very much,\" said {m}.",
     "\"Nice to meet you,\" said {n}. \"Nice to meet you too,\" said {m}.", "{m} was {feel}. {n} helped {m}."],
    ["{n} and {m} played together until the sun went down.", "{n} and {m} ate {food} by the {q}.",
     "But it began to rain, and {n} and {m} ran home."],
    ["From that day on, {n} and {m} were best friends.", "{n} and {m} lived happily ever after.",
     "The {kind} and the {kind2} became good friends."],
]
TREASURE_EN = [
    ["One day, {n} found a {thing} in the {q}.", "One sunny day, {n} saw a {thing} under a tree."],
    ["{n} was very {feel}.", "\"What is this?\" asked {n}.", "The {kind} was very {feel}."],
    ["{n} took the {thing} home.", "{n} put the {thing} in a box.", "Then {n} took the {thing} home and went to sleep."],
    ["{n} was happy.", "And {n} never forgot that day.", "The {kind} loved the {thing} very much."],
]


def article(text):
    """The English text with "an" before vowels."""
    for vowel in "aeiou":
        text = text.replace(f" a {vowel}", f" an {vowel}")
    return text


def tell(draw, slots, opening, habits, friend, treasure):
    """The sentences of one story: two of introduction, then an adventure, cut off at a random place."""
    adventure = friend if draw.chance(0.6) else treasure
    sentences = [draw.fill(choices, **slots) for choices in [opening, habits] + adventure]
    return sentences[:draw.choice([3, 4, 5, 6, 6, 6])]


def story_zh(draw):
    """从前，有一只可爱的小猫，名叫咪咪。……"""
    n, m = draw.sample(PETS_ZH, 2)
    kind, kind2 = draw.sample(ANIMALS_ZH, 2)
    p, q = draw.sample(PLACES_ZH, 2)
    unit, thing = draw.choice(TREASURES_ZH)
    slots = dict(n=n, m=m, kind=kind, kind2=kind2, p=p, q=q, do=draw.choice(ACTIONS_ZH), food=draw.choice(FOODS_ZH),
                 feel=draw.choice(FEELINGS_ZH), trait=draw.choice(TRAITS_ZH), unit=unit, thing=thing)
    sentences = tell(draw, slots, OPENINGS_ZH, HABITS_ZH, FRIEND_ZH, TREASURE_ZH)
    return "".join(sentences) + ("故事讲完了。" if len(sentences) == 6 and draw.chance(0.3) else "")


def story_en(draw):
    """Once upon a time, there was a little cat named Lily. …"""
    n, m = draw.sample(NAMES_EN, 2)
    kind, kind2 = draw.sample(ANIMALS_EN, 2)
    p, q = draw.sample(PLACES_EN, 2)
    verb = draw.randrange(len(ACTIONS_EN))
    slots = dict(n=n, m=m, kind=kind, kind2=kind2, p=p, q=q, do=ACTIONS_EN[verb], doing=ACTIONS_ING_EN[verb],
                 food=draw.choice(FOODS_EN), feel=draw.choice(FEELINGS_EN), trait=draw.choice(TRAITS_EN),
                 colour=draw.choice(COLOURS_EN), thing=draw.choice(TREASURES_EN))
    sentences = tell(draw, slots, OPENINGS_EN, HABITS_EN, FRIEND_EN, TREASURE_EN)
    return article(" ".join(sentences)) + (" The end." if len(sentences) == 6 and draw.chance(0.3) else "")


def scene_zh(draw):
    """早上，小明去公园跑步。他看见了小红。……"""
    n, m = draw.sample(NAMES_ZH, 2)
    s = dict(n=n, m=m, he="他" if n in BOYS_ZH else "她", when=draw.choice("早上 下午 晚上 星期天 放学后".split()),
             place=draw.choice(PLACES_ZH), do=draw.choice(ACTIONS_ZH), feel=draw.choice(FEELINGS_ZH),
             food=draw.choice(FOODS_ZH), item=draw.choice(ITEMS_ZH))
    s["unit"] = MEASURES_ZH.get(s["item"], "个")
    s["they"] = "他们" if s["he"] == "他" or m in BOYS_ZH else "她们"
    return "{when}，{n}去{place}{do}。{he}看见了{m}。".format(**s) + draw.fill([
        "{n}说：“你好，{m}！”{m}很{feel}。", "{they}一起{do}，玩得很开心。", "{m}送给{n}一{unit}{item}，{n}说：“谢谢你！”",
        "{n}问{m}：“你喜欢吃什么？”{m}说：“我喜欢吃{food}。”"], **s)


def scene_en(draw):
    """In the morning, Tom went to the park to run. Lily was there too. …"""
    n, m = draw.sample(NAMES_EN, 2)
    s = dict(n=n, m=m, when=draw.choice(["In the morning", "In the afternoon", "On Sunday", "After school"]),
             place=draw.choice(PLACES_EN), do=draw.choice(ACTIONS_EN), food=draw.choice(FOODS_EN), item=draw.choice(ITEMS_EN))
    return article("{when}, {n} went to the {place} to {do}. {m} was there too.".format(**s) + draw.fill([
        " {n} said, \"Hello, {m}!\"", " {n} and {m} had a good time.", " {m} gave {n} a {item}. \"Thank you very much,\" said {n}.",
        " \"What do you like to eat?\" asked {n}. \"I like {food},\" said {m}."], **s))
