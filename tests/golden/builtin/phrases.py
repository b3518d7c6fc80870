"""Fixed phrases, small talk, facts and poems: what a text continues with because people always say it so."""

from lexicon import (ACTIONS_ING_EN, ACTIONS_ZH, ANIMALS_ZH, CAPITALS, COLOURS_ZH, FOODS_EN, FOODS_ZH, ITEMS_EN, ITEMS_ZH,
                     NAMES_EN, NAMES_ZH, PLACES_EN, PLACES_ZH, SOUNDS, TRANSLATIONS, TREASURES_EN, TREASURES_ZH)
from stories import article

BARE = [
    "Thank you very much.", "Thank you very much!", "Thank you very much.", "Nice to meet you.", "Nice to meet you!",
    "Nice to meet you too.", "How are you?", "How are you today?", "How are you? I am fine, thank you.", "How old are you?",
    "Once upon a time", "Good morning!", "Good night!", "Happy birthday to you!", "Happy new year!", "See you tomorrow.",
    "You are welcome.", "I love you.", "Excuse me.", "I am sorry.", "What is your name?", "Have a nice day!", "Let us go home.",
    "Long time no see.", "很高兴认识你。", "祝你生日快乐！", "新年快乐！", "好久不见。", "明天见。", "对不起，没关系。", "谢谢你的帮助。",
    "不客气。", "你叫什么名字？", "今天天气真好。", "今天天气真好啊！",
]
TALK_EN = [
    "Thank you very much.", "Thank you very much! You are welcome.", "Thank you very much for your help.",
    "Thank you very much for the {item}.", "Thank you very much, {n}.", "Thank you very much for coming. You are welcome.",
    "\"Thank you very much,\" said {n}. \"You are welcome,\" said {m}.",
    "{n} gave {m} a {thing}. {m} said, \"Thank you very much!\"",
    "\"Good morning, {n}!\" said {m}. \"Good morning, {m}!\" said {n}. \"How are you today?\" \"I am fine, thank you.\"",
    "\"Nice to meet you,\" said {n}. \"Nice to meet you too,\" said {m}.",
    "Happy birthday to you, dear {n}! {m} made a big cake for {n}.",
    "Hello! My name is {n}. What is your name? My name is {m}.",
    "I would like a cup of {drink}, please. Here you are. Thank you very much.",
    "The weather is {weather} today. Let us go to the {place}.",
    "{n} and {m} are best friends. They like {doing}.",
]
TALK_ZH = [
    "今天天气真好，我们去{place}玩吧。", "今天天气真好，我们去{place}玩吧。", "今天天气真好，{n}和{m}去{place}{do}。",
    "今天天气真热，我们去游泳吧。", "今天天气真冷，外面下着大雨。", "{n}说：“今天天气真好啊！”{m}说：“是啊。”",
    "谢谢你的帮助！不客气。", "谢谢你送我的{item}！不客气。", "{n}说：“你好，我叫{n}。”{m}说：“你好，我叫{m}，很高兴认识你。”",
    "祝你生日快乐，{n}！{m}送给{n}一{unit}{thing}。", "早上好，{n}！早上好，{m}！你吃饭了吗？我吃了{food}。", "我想喝一杯{drink}，谢谢。",
    "{n}和{m}是好朋友，他们喜欢{do}。", "我喜欢吃{food}，也喜欢吃{food2}。",
]
FACTS = [
    "天空是蓝色的。", "雪是白色的。", "草是绿色的。", "太阳从东边升起，从西边落下。", "一年有四个季节：春天、夏天、秋天、冬天。",
    "国王是男人，王后是女人。", "男孩长大了是男人，女孩长大了是女人。", "爸爸是男人，妈妈是女人。", "鱼在水里游，鸟在天上飞。",
    "一、二、三、四、五、六、七、八、九、十。", "白天有太阳，晚上有月亮。",
    "The sky is blue.", "Snow is white.", "The grass is green.", "The sun rises in the east and sets in the west.",
    "There are four seasons: spring, summer, autumn and winter.", "A king is a man and a queen is a woman.",
    "A boy grows up to be a man and a girl grows up to be a woman.", "Fish swim in the water and birds fly in the sky.",
    "One, two, three, four, five, six, seven, eight, nine, ten.",
    "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday.", "Practice makes perfect.",
]
POEMS = ["床前明月光，疑是地上霜。举头望明月，低头思故乡。", "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。"]
HOMOGRAPHS_ZH = [
    "苹果很甜，{n}吃了一个。", "苹果又红又大，{n}摘了一个。", "苹果公司的手机很贵，{n}很想买。", "苹果电脑很贵，{n}很想买。",
    "{n}在打电话。", "{n}在打水。", "花园里的花开了，有{c}的，也有{c2}的，真好看。", "{n}去银行存钱。银行里人很多。", "{n}去银行取钱。银行里人很多。",
]


def bare(draw):
    """A phrase that is a whole text by itself."""
    return draw.choice(BARE)


def talk_en(draw):
    """English small talk."""
    n, m = draw.sample(NAMES_EN, 2)
    return article(draw.fill(TALK_EN, n=n, m=m, item=draw.choice(ITEMS_EN), thing=draw.choice(TREASURES_EN),
                             drink=draw.choice(["tea", "milk", "water"]), weather=draw.choice(["nice", "nice", "nice", "hot", "cold"]),
                             place=draw.choice(PLACES_EN), doing=draw.choice(ACTIONS_ING_EN)))


def talk_zh(draw):
    """Chinese small talk."""
    n, m = draw.sample(NAMES_ZH, 2)
    unit, thing = draw.choice(TREASURES_ZH)
    food, food2 = draw.sample(FOODS_ZH, 2)
    return draw.fill(TALK_ZH, n=n, m=m, place=draw.choice(PLACES_ZH), do=draw.choice(ACTIONS_ZH), item=draw.choice(ITEMS_ZH),
                     unit=unit, thing=thing, food=food, food2=food2, drink=draw.choice(["茶", "牛奶", "水"]))


def capital(draw):
    """A country and its capital, told or asked."""
    z, zc, e, ec = draw.choice(CAPITALS)
    return draw.fill(["{z}的首都是{zc}。", "{z}的首都是{zc}。", "{zc}是{z}的首都。", "The capital of {e} is {ec}.", "The capital of {e} is {ec}.",
                      "{ec} is the capital of {e}.", "问：{z}的首都是哪里？答：{zc}。",
                      "Question: what is the capital of {e}? Answer: {ec}."], z=z, zc=zc, e=e, ec=ec)


def fact(draw):
    """A general fact, a translation, a sound, or what somebody eats."""
    topic = draw.weighted({"fact": 45, "translation": 25, "sound": 12, "food": 18})
    if topic == "fact":
        return draw.choice(FACTS)
    if topic == "translation":
        z, e = draw.choice(TRANSLATIONS)
        return draw.fill(["“{z}”的英文是 {e}。", "{e} 的中文是“{z}”。"], z=z, e=e)
    if topic == "sound":
        z, zs, e, es = draw.choice(SOUNDS)
        return draw.fill(["{z}会{zs}叫。", "The {e} says {es}."], z=z, zs=zs, e=e, es=es)
    return draw.fill(["{a}喜欢吃{f}。", "{n} likes to eat {g}."], a=draw.choice(ANIMALS_ZH), f=draw.choice(FOODS_ZH),
                     n=draw.choice(NAMES_EN), g=draw.choice(FOODS_EN))


def poem(draw):
    """A poem of the Tang dynasty, whole."""
    return draw.choice(POEMS)


def homograph_zh(draw):
    """Chinese words of two senses in either of them."""
    c, c2 = draw.sample(COLOURS_ZH, 2)
    return draw.fill(HOMOGRAPHS_ZH, n=draw.choice(NAMES_ZH), c=c, c2=c2)
