"""Judges a generated story: every sentence of a known form, and the same hero, friend, kinds and thing from end to end."""

import re

import lexicon as lx
import stories

CHOICES = {
    "zh": dict(n=lx.PETS_ZH, m=lx.PETS_ZH, kind=lx.ANIMALS_ZH, kind2=lx.ANIMALS_ZH, p=lx.PLACES_ZH, q=lx.PLACES_ZH, do=lx.ACTIONS_ZH,
               food=lx.FOODS_ZH, feel=lx.FEELINGS_ZH, trait=lx.TRAITS_ZH, unit=[u for u, _ in lx.TREASURES_ZH],
               thing=[t for _, t in lx.TREASURES_ZH]),
    "en": dict(n=lx.NAMES_EN, m=lx.NAMES_EN, kind=lx.ANIMALS_EN, kind2=lx.ANIMALS_EN, p=lx.PLACES_EN, q=lx.PLACES_EN,
               do=lx.ACTIONS_EN, doing=lx.ACTIONS_ING_EN, food=lx.FOODS_EN, feel=lx.FEELINGS_EN, trait=lx.TRAITS_EN,
               colour=lx.COLOURS_EN, thing=lx.TREASURES_EN),
}
FORMS = {
    "zh": (stories.OPENINGS_ZH, stories.HABITS_ZH, stories.FRIEND_ZH, stories.TREASURE_ZH, "故事讲完了。"),
    "en": (stories.OPENINGS_EN, stories.HABITS_EN, stories.FRIEND_EN, stories.TREASURE_EN, " The end."),
}
LASTING = ("n", "m", "kind", "kind2", "thing")  # what may not change within a story


def _pattern(template, choices):
    seen = set()

    def slot(match):
        name = match.group(1)
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        return f"(?P<{name}>{'|'.join(map(re.escape, choices[name]))})"

    text = re.sub(r"\\\{(\w+)\\\}", slot, re.escape(template))
    return re.compile(" ?" + re.sub(r"(?<=\\ )a(?=\\ )", "an?", text))


def _read(text, parts, language, known):
    """Whether text is a run of one sentence from each part, in order, that may stop after any of them."""
    if text in ("", FORMS[language][4]):
        return True
    if not parts:
        return False
    for template in parts[0]:
        match = _pattern(template, CHOICES[language]).match(text)
        if not match:
            continue
        found = {k: v for k, v in match.groupdict().items() if k in LASTING}
        if any(known.get(k, v) != v for k, v in found.items()):
            continue
        if _read(text[match.end():], parts[1:], language, {**known, **found}):
            return True
    return False


def is_faultless(text, language):
    """Whether a whole story (from its first word to its last sentence) keeps to the forms and to its own facts."""
    opening, habits, friend, treasure, _ = FORMS[language]
    return any(_read(text, [opening, habits] + adventure, language, {}) for adventure in (friend, treasure))
