"""The words of the built-in model's corpus, and the rule that says which pairs are held out of it."""

import zlib

# Who acts in a pronoun sentence, what it jumps onto, what it crosses.
ANIMALS_ZH = "小猫 小狗 小兔 小熊 猴子 小鸡 小鸭 小羊 小猪 小马 小鸟 狐狸 老虎 松鼠 刺猬 大象 乌龟 青蛙 老鼠 山羊".split()
OBJECTS_ZH = "桌子 沙发 台阶 屋顶 椅子 围墙 窗台 树枝 箱子 石头 书架 栏杆 木板 柜子 梯子 土坡".split()
CROSSINGS_ZH = "小河 马路 水沟 草地 木桥 山谷 院子 广场 沙滩 田野".split()
ANIMALS_EN = "cat dog rabbit monkey bear chick duck lamb pig horse bird fox tiger mouse goat frog turtle".split()
OBJECTS_EN = "table sofa wall roof chair shelf branch box step rock bench fence desk ladder".split()
CROSSINGS_EN = "river street road bridge field valley yard beach garden ditch".split()

# What can be wrong with whom: the adjective alone decides what "it" means.
TIRED_ZH = "累 困 饿 渴 胆小 害怕 虚弱 疲倦 懒 紧张".split()
HIGH_ZH = "高 滑 陡 烫 旧 破 脏 湿 尖 硬".split()
WIDE_ZH = "宽 深 远 长 吵 泥泞 危险 热闹 空旷 冷清".split()
TIRED_EN = "tired sleepy hungry thirsty shy scared weak lazy nervous ill".split()
HIGH_EN = "high slippery steep hot old broken dirty wet sharp hard".split()
WIDE_EN = "wide deep far long noisy muddy dangerous busy empty cold".split()

# What does not fit in what: here the place in the sentence decides, not the kind of word.
ITEMS_ZH = "皮球 玩具 大衣 雨伞 西瓜 花瓶 枕头 书本 水壶 毛毯 面包 帽子".split()
MEASURES_ZH = {"大衣": "件", "雨伞": "把", "书本": "本", "毛毯": "条", "帽子": "顶"}  # the others take 个
CONTAINERS_ZH = "书包 盒子 抽屉 篮子 口袋 袋子 罐子 提包 木箱 冰箱".split()
BIG_ZH = "大 长 厚".split()
SMALL_ZH = "小 窄 浅".split()
ITEMS_EN = "ball toy coat umbrella melon vase pillow book kettle blanket loaf hat".split()
CONTAINERS_EN = "bag case drawer basket pocket sack jar trunk fridge".split()
BIG_EN = "big long thick".split()
SMALL_EN = "small narrow tight".split()

BOYS_EN = "Tom Sam Ben Jack Max Leo Finn Owen Peter Henry".split()
GIRLS_EN = "Lily Anna Mia Lucy Emma Nora Ella Ruby Alice Kate".split()
NAMES_EN = BOYS_EN + GIRLS_EN
BOYS_ZH = "小明 小刚 小军 小亮 小强 小龙 小东 小华".split()
GIRLS_ZH = "小红 小丽 小芳 小美 小雨 小云 小梅 小雪".split()
NAMES_ZH = BOYS_ZH + GIRLS_ZH
PETS_ZH = "咪咪 旺旺 豆豆 球球 毛毛 花花 乐乐 点点 圆圆 皮皮 贝贝 糖糖".split()

PLACES_ZH = "公园 河边 森林 学校 花园 商店 山上 湖边 图书馆 海边 村子 市场 医院 操场 动物园".split()
PLACES_EN = "park river forest school garden shop hill lake library beach village market farm zoo station".split()
FOODS_ZH = "鱼 苹果 面包 蛋糕 西瓜 牛奶 米饭 饺子 面条 香蕉 葡萄 糖果 蜂蜜 花生".split()
FOODS_EN = "fish apples bread cake melons milk rice soup noodles bananas grapes candy honey nuts".split()
ACTIONS_ZH = "跑步 唱歌 跳舞 画画 看书 游泳 睡觉 爬山 钓鱼 踢球 骑车 做饭 讲故事 放风筝 打球".split()
ACTIONS_EN = "run sing dance draw read swim sleep climb fish play ride cook dream jump hide".split()
ACTIONS_ING_EN = ("running singing dancing drawing reading swimming sleeping climbing fishing playing riding cooking "
                  "dreaming jumping hiding").split()
# (measure word, thing)
TREASURES_ZH = [("个", "红色的气球"), ("把", "金色的钥匙"), ("本", "旧书"), ("条", "小船"), ("个", "漂亮的贝壳"), ("块", "奇怪的石头"),
                ("顶", "蓝色的帽子"), ("个", "会唱歌的盒子"), ("颗", "闪亮的星星"), ("个", "木头小人")]
TREASURES_EN = ["red balloon", "golden key", "old book", "little boat", "pretty shell", "strange stone", "blue hat",
                "singing box", "shiny star", "wooden doll"]
FEELINGS_ZH = "高兴 难过 生气 害怕 惊讶 开心 骄傲 孤单".split()
FEELINGS_EN = "happy sad angry scared surprised glad proud lonely".split()
TRAITS_ZH = "可爱 聪明 勇敢 调皮 善良".split()
TRAITS_EN = "little clever brave naughty kind white lovely".split()
COLOURS_ZH = "红色 蓝色 绿色 黄色 白色 黑色 紫色 金色".split()
COLOURS_EN = "red blue green yellow white black purple golden".split()

# (country, capital) in Chinese and in English.
CAPITALS = [
    ("中国", "北京", "China", "Beijing"), ("法国", "巴黎", "France", "Paris"), ("英国", "伦敦", "England", "London"),
    ("日本", "东京", "Japan", "Tokyo"), ("德国", "柏林", "Germany", "Berlin"), ("意大利", "罗马", "Italy", "Rome"),
    ("西班牙", "马德里", "Spain", "Madrid"), ("俄罗斯", "莫斯科", "Russia", "Moscow"),
    ("埃及", "开罗", "Egypt", "Cairo"), ("希腊", "雅典", "Greece", "Athens"), ("韩国", "首尔", "Korea", "Seoul"),
    ("泰国", "曼谷", "Thailand", "Bangkok"), ("美国", "华盛顿", "America", "Washington"),
    ("印度", "新德里", "India", "Delhi"),
]
SOUNDS = [("小猫", "喵喵", "cat", "meow"), ("小狗", "汪汪", "dog", "woof"), ("小鸭", "嘎嘎", "duck", "quack"),
          ("小羊", "咩咩", "lamb", "baa"), ("青蛙", "呱呱", "frog", "croak")]
TRANSLATIONS = (list(zip("小狗 狐狸 老虎 青蛙 老鼠 小鸟 小猪 小马".split(), "dog fox tiger frog mouse bird pig horse".split()))
                + [("小猫", "cat"), ("桌子", "table"), ("椅子", "chair"), ("石头", "rock"), ("梯子", "ladder")]
                + list(zip(COLOURS_ZH, COLOURS_EN)) + list(zip(FEELINGS_ZH, FEELINGS_EN))
                + [("苹果", "apples"), ("面包", "bread"), ("牛奶", "milk"), ("银行", "bank")])

# Chinese words besides the lists above that should become single tokens. GPT-2's splitter takes a run of Chinese for
# one word, so the tokenizer learns from text cut by these words.
COMMON_ZH = """没有 不敢 不愿 因为 可是 于是 的是 指的是 什么 跳上 爬上 登上 穿过 越过 走过 再读 一遍 放不进 真的 躺下 睡着
休息 回家 旁边 坐下 后来 客人 一直 只好 从前 有一天 一只 一个 名叫 名字 大家 遇到 看见 捡到 送给 帮助 一起 喜欢 最爱 每天 很想 我们
他们 她们 它们 你好 今天 天气 谢谢 不客气 高兴 认识 朋友 首都 英文 中文 银行 手机 电脑 公司 非常 永远 从此 最好 幸福 生活 太阳 下山
故事 大雨 早上 下午 晚上 星期天 放学 打电话 国王 王后 男人 女人 男孩 女孩 爸爸 妈妈 春天 夏天 秋天 冬天 月亮 星期 白天 天空 礼物 花开
生日 快乐 新年 好久 不见 明天 没关系 对不起 跟我念 存钱 取钱 多少""".split()

# English words besides the lists above that should become single tokens (with the space before them).
COMMON_EN = """the it was too one that is onto could not did because jump climb cross get on walk across so it does fit in means
word lay down went home to rest sat really much very you are welcome thank said gave asked with and of a an capital would like cup
please morning night birthday meet time money bank account clerk loan cash check coins opened put took paid water grass boat boats
caught watched looked fed sun flowers walked ran stopped drove swam deposited upon lived named called found saw friend friends
wanted played together good best has king queen man woman boy girl says likes today day nice weather""".split()

# Words that begin a text, so that they need a token without a space before them.
INITIAL_EN = "The Thank Once One Good Nice Happy When Question It He In Hello How What".split()

HELD_OUT_BY_NAME = {("小猫", "桌子"), ("cat", "table"), ("小狗", "沙发"), ("小兔", "小河"), ("dog", "street"), ("rabbit", "roof")}


def is_held_out(first, second):
    """Whether this pair stands in no training text of its family: six named pairs and about one in seven others."""
    return (first, second) in HELD_OUT_BY_NAME or zlib.crc32((first + second).encode()) % 7 == 0


def pairs(firsts, seconds, held_out):
    """All pairs of the two lists that are (or are not) held out."""
    return [(a, b) for a in firsts for b in seconds if is_held_out(a, b) == held_out]


def single_token_words():
    """Words that must become one token each: Chinese as written, English with a leading space where it has one."""
    lists_zh = (ANIMALS_ZH, OBJECTS_ZH, CROSSINGS_ZH, TIRED_ZH, HIGH_ZH, WIDE_ZH, ITEMS_ZH, CONTAINERS_ZH, BIG_ZH, SMALL_ZH,
                NAMES_ZH, PETS_ZH, PLACES_ZH, FOODS_ZH, FEELINGS_ZH, COLOURS_ZH, TRAITS_ZH, [c[0] for c in CAPITALS],
                [c[1] for c in CAPITALS], [w for w in ACTIONS_ZH if len(w) == 2], COMMON_ZH, list("它他她的是太了"))
    lists_en = (ANIMALS_EN, OBJECTS_EN, CROSSINGS_EN, TIRED_EN, HIGH_EN, WIDE_EN, ITEMS_EN, CONTAINERS_EN, BIG_EN, SMALL_EN,
                NAMES_EN, PLACES_EN, FOODS_EN, ACTIONS_EN, FEELINGS_EN, COLOURS_EN, [c[2] for c in CAPITALS],
                [c[3] for c in CAPITALS], COMMON_EN)
    words = [w for words in lists_zh for w in words] + [" " + w for words in lists_en for w in words] + INITIAL_EN
    return list(dict.fromkeys(words))
