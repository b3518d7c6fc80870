"""Measures the shipped model's behaviours on held-out combinations, and its heads, and writes evaluation.json beside it."""

import itertools
import json
import random
import statistics
import sys

import torch

import bank
import lexicon as lx
import patterns
import pronouns
import story_check
from draw import Draw
from runner import Runner
from settings import HEADS, LAYERS, MODEL, VOCAB_SIZE

KITTEN = "小猫没有跳上桌子，因为它太{x}了。太{x}的是"
CAT = "The cat could not jump onto the table because it was too {x}. The one that was too {x} is the"
PROMPTS = [  # (prompt, the continuation it is tested for)
    ("Thank you very", " much"), ("\"Thank you very", " much"), (KITTEN.format(x="累"), "小猫"), (KITTEN.format(x="高"), "桌子"),
    (CAT.format(x="tired"), " cat"), (CAT.format(x="high"), " table"), ("Nice to meet", " you"), ("How are", " you"),
    ("Once upon a", " time"), ("Happy birthday to", " you"), ("You are", " welcome"), ("很高兴", "认识"),
    ("今天天气真", "好"), ("祝你生日", "快乐"), ("床前明月", "光"), ("春眠不觉", "晓"), ("国王是男人，王后是", "女人"), ("很久很久以前，有", "一只"),
    ("法国的首都是", "巴黎"), ("The capital of France is", " Paris"), ("The sky is", " blue"), ("天空是", "蓝色"),
    ("When Tom and Lily went to the park, Tom gave a ball to", " Lily"), ("小明和小红去公园，小明给了小红一个皮球。小红对", "小明"),
    ("Tom Lily Anna Sam Tom Lily Anna", " Sam"), ("苹果、香蕉、葡萄、苹果、香蕉、", "葡萄"), ("A king is a man and a queen is a", " woman"),
]
FRESH_BANK = {  # wordings that the generator does not have
    "money": ["Peter wanted a loan for a car. He went to the bank and", "Anna gave a check to the clerk. She went to the bank and",
              "Mia found some cash in a bag. She walked to the bank and", "Tom had no money. He went to the bank and",
              "Lucy sold the boat for money. She went to the bank and", "Jack had an account. He walked to the bank and",
              "Nora got some coins. She stopped at the bank and", "Leo needed money for a house. He ran to the bank and"],
    "river": ["Peter wanted to fish. He went to the bank and", "Anna was in the water. She went to the bank and",
              "Mia saw some frogs in the grass. She walked to the bank and", "Tom fed the ducks. He went to the bank and",
              "Lucy had a boat on the river. She went to the bank and", "Jack was swimming in the river. He walked to the bank and",
              "Nora watched the fish in the stream. She stopped at the bank and", "Leo rowed a boat. He ran to the bank and"],
}
PLAIN_TEXTS = [  # where nothing is said twice
    "Once upon a time, a kind cat lived near the station. The cat was called Lucy.", "从前，市场住着一只善良的小狗，大家叫它球球。",
    "小猫没有跳上桌子，因为它太累了。", "Thank you very much for your help. You are welcome.",
]
SEED = 11


def mean(values):
    """Arithmetic mean of numbers or booleans."""
    return statistics.fmean(map(float, values))


def rounded(value):
    """The value with every float in it rounded to 4 places."""
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    if isinstance(value, list):
        return [rounded(v) for v in value]
    return round(value, 4) if isinstance(value, float) else value


def score(runner, items, silent=()):
    """items (prompt, right, other): share whose likeliest token is right, mean probability of right, share where other is likeliest."""
    p = runner.probabilities([prompt for prompt, _, _ in items], silent)
    right = torch.tensor([runner.first(r) if isinstance(r, str) else r for _, r, _ in items])
    other = torch.tensor([runner.first(o) if isinstance(o, str) else o for _, _, o in items])
    best, index = p.argmax(-1), torch.arange(len(items))
    return dict(accuracy=mean(best == right), p=mean(p[index, right]), other=mean(best == other), items=len(items))


def pronoun_items(language, form):
    """Every held-out pair, once with an adjective of the animal and once with one of the object."""
    draw = random.Random(SEED)
    zh = language == "zh"
    scenes = ([(lx.ANIMALS_ZH, lx.OBJECTS_ZH, lx.HIGH_ZH, "跳上 爬上 登上".split(), lx.TIRED_ZH),
               (lx.ANIMALS_ZH, lx.CROSSINGS_ZH, lx.WIDE_ZH, "穿过 越过 走过".split(), lx.TIRED_ZH)] if zh else
              [(lx.ANIMALS_EN, lx.OBJECTS_EN, lx.HIGH_EN, ["jump onto", "climb onto", "get on"], lx.TIRED_EN),
               (lx.ANIMALS_EN, lx.CROSSINGS_EN, lx.WIDE_EN, ["cross", "walk across"], lx.TIRED_EN)])
    statement, questions = ((pronouns.STATEMENT_ZH, pronouns.QUESTIONS_ZH) if zh else (pronouns.STATEMENT_EN, pronouns.QUESTIONS_EN))
    items, space = [], "" if zh else " "
    for animals, objects, adjectives, verbs, tired in scenes:
        for a, o in lx.pairs(animals, objects, True):
            for of_animal in (True, False):
                slots = dict(a=a, o=o, v=draw.choice(verbs), x=draw.choice(tired if of_animal else adjectives),
                             no="没有" if zh else draw.choice(["did not", "could not"]), who="谁" if of_animal else "什么")
                prompt = (statement + questions[form]).format(**slots)
                items.append((prompt, space + (a if of_animal else o), space + (o if of_animal else a)))
    return items


def fitting_items(language):
    """Held-out items and containers."""
    draw, items = random.Random(SEED), []
    if language == "zh":
        for i, c in lx.pairs(lx.ITEMS_ZH, lx.CONTAINERS_ZH, True):
            for x, right, other in ((draw.choice(lx.BIG_ZH), i, c), (draw.choice(lx.SMALL_ZH), c, i)):
                items.append((f"{i}放不进{c}，因为它太{x}了。太{x}的是", right, other))
    else:
        for i, c in lx.pairs(lx.ITEMS_EN, lx.CONTAINERS_EN, True):
            for x, right, other in ((draw.choice(lx.BIG_EN), i, c), (draw.choice(lx.SMALL_EN), c, i)):
                items.append((f"The {i} does not fit in the {c} because it is too {x}. The one that is too {x} is the", " " + right, " " + other))
    return items


def induction_items(kind, count=200):
    """Lists said a second time up to the fourth word; the answer is the next one."""
    draw, items = random.Random(SEED), []
    for _ in range(count):
        if kind == "random tokens":
            ids = [draw.randrange(256, VOCAB_SIZE - 1) for _ in range(12)]
            items.append((ids + ids[:4], ids[4], ids[1]))
        elif kind == "names":
            words = draw.sample(lx.NAMES_EN, 6)
            items.append((" ".join(words + words[:3]), " " + words[3], " " + words[1]))
        else:
            words = draw.sample(lx.ANIMALS_ZH + lx.FOODS_ZH, 6)
            items.append(("、".join(words + words[:3]) + "、", words[3], words[1]))
    return items


def copying_items(count=200):
    """Tom and Lily went …, Tom gave a ball to → Lily."""
    draw, items = random.Random(SEED), []
    for _ in range(count):
        n, m = draw.sample(lx.NAMES_EN, 2)
        items.append((patterns.GIFTS_EN[0].split("{m}.")[0].format(n=n, m=m, p=draw.choice(lx.PLACES_EN), x="ball").rstrip(), " " + m, " " + n))
    return items


def measure_bank(runner):
    """Probability that the next word after "bank and" belongs to the sense told, and how far the senses' vectors lie apart."""
    first = {s: sorted({runner.first(" " + d.split()[0]) for d in bank.DOING[s]}) for s in bank.SENSES}

    def right_side(prompts, sense):
        p = runner.probabilities(prompts)
        here, there = p[:, first[sense]].sum(-1), p[:, first[bank.SENSES[1 - bank.SENSES.index(sense)]]].sum(-1)
        return (here / (here + there)).tolist()

    draw = Draw(SEED)
    held = {}
    for sense in bank.SENSES:
        held[sense] = []
        for before, going in bank.held_out_pairs(sense):
            n = draw.choice(lx.NAMES_EN)
            held[sense].append(f"{before} {going} and".format(n=n, He="He" if n in lx.BOYS_EN else "She"))
    result = {
        "held_out_right": mean(x > 0.5 for s in bank.SENSES for x in right_side(held[s], s)), "held_out_items": sum(map(len, held.values())),
        "fresh_right": mean(x > 0.5 for s in bank.SENSES for x in right_side(FRESH_BANK[s], s)),
        "fresh_items": sum(map(len, FRESH_BANK.values())),
    }
    word, vectors = runner.first(" bank"), {}
    for sense in bank.SENSES:
        rows = []
        for prompt in held[sense]:
            ids = runner.tokenizer.encode(prompt)
            rows.append(runner.stream(ids)[:, ids.index(word)])
        vectors[sense] = torch.stack(rows, 1)  # (L, texts, C)

    def cosines(a, b):  # mean cosine between two sets, pairs of a vector with itself left out
        table = torch.nn.functional.normalize(a, dim=-1) @ torch.nn.functional.normalize(b, dim=-1).T
        return float((table.sum() - table.trace()) / (table.numel() - len(table))) if a is b else float(table.mean())

    result["cosines"] = []
    for layer in range(LAYERS):
        money, river = (vectors[s][layer] for s in bank.SENSES)
        middle = (money.mean(0) + river.mean(0)) / 2
        entry = {"layer": layer}
        for name, a, b in (("", money, river), ("centred_", money - middle, river - middle)):
            entry[name + "within"], entry[name + "across"] = (cosines(a, a) + cosines(b, b)) / 2, cosines(a, b)
        result["cosines"].append(entry)
    return result


def measure_stories(runner, count=40):
    """Stories sampled at temperature 0.8: whole characters, an end, no fault against their own facts."""
    result = {}
    for language, prompt in (("zh", "从前，"), ("en", "Once upon a time,")):
        texts = [runner.continue_text(prompt, 120, 0.8, seed) for seed in range(count)]
        result[language] = dict(stories=count, broken_characters=sum("\ufffd" in t for t, _ in texts), ended=mean(e for _, e in texts),
                                faultless=mean(e and story_check.is_faultless(prompt + t, language) for t, e in texts),
                                example=prompt + texts[0][0])
    return result


def measure_heads(runner):
    """What each head looks at, and what knocking it out does to the pronoun."""
    all_heads = [(layer, head) for layer in range(LAYERS) for head in range(HEADS)]
    draw = random.Random(SEED)
    previous = repeat = torch.zeros(LAYERS, HEADS)
    rounds, length = 8, 24
    for _ in range(rounds):
        ids = [draw.randrange(256, VOCAB_SIZE - 1) for _ in range(length)]
        a = runner.attention(ids + ids)
        later = torch.arange(length, 2 * length)
        previous = previous + a[:, :, later, later - 1].mean(-1) / rounds
        repeat = repeat + a[:, :, later, later - length + 1].mean(-1) / rounds
    sink = sum(runner.attention(runner.tokenizer.encode(text))[:, :, 3:, 0].mean(-1) for text in PLAIN_TEXTS) / len(PLAIN_TEXTS)
    items = [i for i in pronoun_items("zh", "which") if len(runner.tokenizer.encode(i[1])) == len(runner.tokenizer.encode(i[2])) == 1]
    noun, other, adjective = (torch.zeros(LAYERS, HEADS) for _ in range(3))
    for prompt, right, wrong in items:
        ids = runner.tokenizer.encode(prompt)
        last = runner.attention(ids)[:, :, -1]
        noun += last[:, :, ids.index(runner.first(right))] / len(items)
        other += last[:, :, ids.index(runner.first(wrong))] / len(items)
        x = ids[-2]
        adjective += last[:, :, [i for i, t in enumerate(ids) if t == x]].sum(-1) / len(items)
    kitten = {x: runner.tokenizer.encode(KITTEN.format(x=x)) for x in "累高"}
    noun_ids = [runner.first("小猫"), runner.first("桌子")]
    weights = {x: runner.attention(ids)[:, :, -1] for x, ids in kitten.items()}
    heads = []
    for layer, head in all_heads:
        knocked = score(runner, items, [(layer, head)])
        answers = runner.probabilities(list(kitten.values()), [(layer, head)])[:, noun_ids]
        heads.append(dict(
            layer=layer, head=head, previous_token=float(previous[layer, head]), induction=float(repeat[layer, head]),
            first_token=float(sink[layer, head]), right_noun=float(noun[layer, head]), other_noun=float(other[layer, head]),
            adjective=float(adjective[layer, head]),
            kitten={x: dict(cat=float(w[layer, head, kitten[x].index(noun_ids[0])]), table=float(w[layer, head, kitten[x].index(noun_ids[1])]),
                            looks_at=int(w[layer, head].argmax())) for x, w in weights.items()},
            knocked_out=dict(accuracy=knocked["accuracy"], p=knocked["p"], other=knocked["other"],
                             kitten={x: dict(cat=float(p[0]), table=float(p[1])) for x, p in zip(kitten, answers)})))
    layers = []
    for layer in range(LAYERS):
        knocked = score(runner, items, [(layer, head) for head in range(HEADS)])
        layers.append(dict(layer=layer, accuracy=knocked["accuracy"], p=knocked["p"], other=knocked["other"]))

    pairs = []
    for pair in itertools.combinations(all_heads, 2):
        answers = runner.probabilities(list(kitten.values()), pair)[:, noun_ids]
        pairs.append(dict(heads=[f"h.{layer}.{head}" for layer, head in pair],
                          kitten={x: dict(cat=float(p[0]), table=float(p[1])) for x, p in zip(kitten, answers)}))
    turning = [max(pairs, key=lambda entry: entry["kitten"][x][wrong]) for x, wrong in (("累", "table"), ("高", "cat"))]
    for entry in turning:
        entry.update(score(runner, items, [tuple(map(int, name.split(".")[1:])) for name in entry["heads"]]))

    def best(key):
        entry = max(heads, key=key)
        return f"h.{entry['layer']}.{entry['head']}"

    notable = dict(previous_token=best(lambda h: h["previous_token"]), induction=best(lambda h: h["induction"]),
                   first_token=best(lambda h: h["first_token"]), noun_reader=best(lambda h: h["right_noun"] - h["other_noun"]),
                   adjective_reader=best(lambda h: h["adjective"]), most_needed=best(lambda h: -h["knocked_out"]["p"]))
    return dict(items=len(items), as_is=score(runner, items), notable=notable, heads=heads, layers_knocked_out=layers, turning_pairs=turning)


def measure_neighbours(runner):
    """The nearest token embeddings, by cosine, of a few words."""
    table = torch.nn.functional.normalize(runner.model.wte.weight.detach(), dim=-1)
    result = {}
    for word in ("小猫", "桌子", "累", "高", "北京", " king", " red", " cat"):
        near = (table @ table[runner.first(word)]).topk(6)
        result[word] = [[runner.tokenizer.decode([int(i)]), float(c)] for c, i in zip(near.values[1:], near.indices[1:])]
    return result


def evaluate(runner):
    """All measurements as one dictionary."""
    prompts = []
    for (prompt, expected), p in zip(PROMPTS, runner.probabilities([prompt for prompt, _ in PROMPTS])):
        prompts.append(dict(prompt=prompt, expected=expected, p=float(p[runner.first(expected)]), likeliest=runner.tokenizer.decode([int(p.argmax())])))
    capitals = [(z + "的首都是", zc) for z, zc, _, _ in lx.CAPITALS] + [(f"The capital of {e} is", " " + ec) for _, _, e, ec in lx.CAPITALS]
    return rounded(dict(
        prompts=prompts,
        capitals=dict(right=mean(runner.continue_text(q, 3)[0].startswith(a) for q, a in capitals), **score(runner, [(q, a, a) for q, a in capitals])),
        pronouns={f"{lang} {form}": score(runner, pronoun_items(lang, form))
                  for lang, forms in (("zh", pronouns.QUESTIONS_ZH), ("en", pronouns.QUESTIONS_EN)) for form in forms},
        fitting={lang: score(runner, fitting_items(lang)) for lang in ("zh", "en")},
        induction={kind: score(runner, induction_items(kind)) for kind in ("names", "、-lists", "random tokens")},
        copying=score(runner, copying_items()),
        bank=measure_bank(runner), stories=measure_stories(runner), neighbours=measure_neighbours(runner), heads=measure_heads(runner)))


def main():
    result = evaluate(Runner())
    text = json.dumps(result, ensure_ascii=False, indent=1)
    (MODEL / "evaluation.json").write_text(text + "\n", encoding="utf-8")
    if "--quiet" not in sys.argv:
        print(text)


if __name__ == "__main__":
    main()
