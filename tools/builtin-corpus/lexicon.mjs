// The words of the built-in model's corpus, and which of them are one token each.

const words = (text) => text.split(/\s+/).filter((word) => word !== '');

// Who acts in a pronoun sentence, what it jumps onto, what it crosses.
export const animalsZh = words('小猫 小狗 小兔 小熊 猴子 小鸡 小鸭 小羊 小猪 小马 小鸟 狐狸 老虎 松鼠 刺猬 大象 乌龟 青蛙 老鼠 山羊');
export const objectsZh = words('桌子 沙发 台阶 屋顶 椅子 围墙 窗台 树枝 箱子 石头 书架 栏杆 木板 柜子 梯子 土坡');
export const crossingsZh = words('小河 马路 水沟 草地 木桥 山谷 院子 广场 沙滩 田野');
export const animalsEn = words('cat dog rabbit monkey bear chick duck lamb pig horse bird fox tiger mouse goat frog turtle');
export const objectsEn = words('table sofa wall roof chair shelf branch box step rock bench fence desk ladder');
export const crossingsEn = words('river street road bridge field valley yard beach garden ditch');

// What can be wrong with whom: the adjective alone decides what "it" means.
export const tiredZh = words('累 困 饿 渴 胆小 害怕 虚弱 疲倦 懒 紧张');
export const highZh = words('高 滑 陡 烫 旧 破 脏 湿 尖 硬');
export const wideZh = words('宽 深 远 长 吵 泥泞 危险 热闹 空旷 冷清');
export const tiredEn = words('tired sleepy hungry thirsty shy scared weak lazy nervous ill');
export const highEn = words('high slippery steep hot old broken dirty wet sharp hard');
export const wideEn = words('wide deep far long noisy muddy dangerous busy empty cold');

// What does not fit in what: here the place in the sentence decides, not the kind of word.
export const itemsZh = words('皮球 玩具 大衣 雨伞 西瓜 花瓶 枕头 课本 水壶 毛毯 面包 帽子');
const measures = { 大衣: '件', 雨伞: '把', 课本: '本', 毛毯: '条', 帽子: '顶' };
/** The measure word of an item in Chinese. */
export const measureOf = (item) => measures[item] ?? '个';
export const containersZh = words('书包 盒子 抽屉 篮子 口袋 袋子 罐子 提包 木箱 冰箱');
export const bigZh = words('大 长 厚');
export const smallZh = words('小 窄 浅');
export const itemsEn = words('ball toy coat umbrella melon vase pillow book kettle blanket loaf hat');
export const containersEn = words('bag case drawer basket pocket sack jar trunk fridge');
export const bigEn = words('big long thick');
export const smallEn = words('small narrow tight');

export const boysEn = words('Tom Sam Ben Jack Max Leo Finn Owen Peter Henry');
export const girlsEn = words('Lily Anna Mia Lucy Emma Nora Ella Ruby Alice Kate');
export const namesEn = [...boysEn, ...girlsEn];
export const boysZh = words('小明 小刚 小军 小亮 小强 小龙 小东 小华');
export const girlsZh = words('小红 小丽 小芳 小美 小雨 小云 小梅 小雪');
export const namesZh = [...boysZh, ...girlsZh];
export const petsZh = words('咪咪 旺旺 豆豆 球球 毛毛 花花 乐乐 点点 圆圆 皮皮 贝贝 糖糖');

export const placesZh = words('公园 河边 森林 学校 花园 商店 山上 湖边 图书馆 海边 村子 市场 医院 操场 动物园');
export const placesEn = words('park river forest school garden shop hill lake library beach village market farm zoo station');
export const foodsZh = words('鱼 苹果 面包 蛋糕 西瓜 牛奶 米饭 饺子 面条 香蕉 葡萄 糖果 蜂蜜 花生');
export const foodsEn = words('fish apples bread cake melons milk rice soup noodles bananas grapes candy honey nuts');
export const actionsZh = words('跑步 唱歌 跳舞 画画 看书 游泳 睡觉 爬山 钓鱼 踢球 骑车 做饭 讲故事 放风筝 打球');
export const actionsEn = words('run sing dance draw read swim sleep climb fish play ride cook dream jump hide');
export const doingEn = words('running singing dancing drawing reading swimming sleeping climbing fishing playing riding cooking dreaming jumping hiding');
// [measure word, thing]
export const treasuresZh = [
  ['个', '红色的气球'], ['把', '金色的钥匙'], ['本', '旧书'], ['条', '小船'], ['个', '漂亮的贝壳'], ['块', '奇怪的石头'],
  ['顶', '蓝色的帽子'], ['个', '会唱歌的盒子'], ['颗', '闪亮的星星'], ['个', '木头小人'],
];
export const treasuresEn = ['red balloon', 'golden key', 'old book', 'little boat', 'pretty shell', 'strange stone', 'blue hat', 'singing box', 'shiny star', 'wooden doll'];
export const feelingsZh = words('高兴 难过 生气 害怕 惊讶 开心 骄傲 孤单');
export const feelingsEn = words('happy sad angry scared surprised glad proud lonely');
export const traitsZh = words('可爱 聪明 勇敢 调皮 善良');
export const traitsEn = words('little clever brave naughty kind white lovely');
export const coloursZh = words('红色 蓝色 绿色 黄色 白色 黑色 紫色 金色');
export const coloursEn = words('red blue green yellow white black purple golden');
// What a recall text tells the colour of.
export const thingsZh = words('帽子 书包 雨伞 大衣 杯子 裙子 围巾 气球 水壶 毛毯 盒子 铅笔');
export const thingsEn = words('hat bag umbrella coat cup skirt scarf balloon kettle blanket box pencil');

// [country, capital] in Chinese and in English.
export const capitals = [
  ['中国', '北京', 'China', 'Beijing'], ['法国', '巴黎', 'France', 'Paris'], ['英国', '伦敦', 'England', 'London'], ['日本', '东京', 'Japan', 'Tokyo'],
  ['德国', '柏林', 'Germany', 'Berlin'], ['意大利', '罗马', 'Italy', 'Rome'], ['西班牙', '马德里', 'Spain', 'Madrid'],
  ['俄罗斯', '莫斯科', 'Russia', 'Moscow'], ['埃及', '开罗', 'Egypt', 'Cairo'], ['希腊', '雅典', 'Greece', 'Athens'], ['韩国', '首尔', 'Korea', 'Seoul'],
  ['泰国', '曼谷', 'Thailand', 'Bangkok'], ['美国', '华盛顿', 'America', 'Washington'], ['印度', '新德里', 'India', 'Delhi'],
];
export const sounds = [['小猫', '喵喵', 'cat', 'meow'], ['小狗', '汪汪', 'dog', 'woof'], ['小鸭', '嘎嘎', 'duck', 'quack'], ['小羊', '咩咩', 'lamb', 'baa'], ['青蛙', '呱呱', 'frog', 'croak']];

const zip = (zh, en) => words(zh).map((word, i) => [word, words(en)[i]]);
// [Chinese, English]: what the dictionary of the tool texts holds. The first ones are told without the tool too.
export const translations = [
  ...zip('小狗 狐狸 老虎 青蛙 老鼠 小鸟 小猪 小马 小猫', 'dog fox tiger frog mouse bird pig horse cat'),
  ...zip('桌子 椅子 石头 梯子 面包 牛奶 银行', 'table chair rock ladder bread milk bank'),
  ...coloursZh.map((colour, i) => [colour, coloursEn[i]]),
  ...feelingsZh.map((feeling, i) => [feeling, feelingsEn[i]]),
];
export const dictionary = [
  ...translations,
  ...zip('小兔 小熊 猴子 小鸡 小鸭 小羊 山羊 乌龟', 'rabbit bear monkey chick duck lamb goat turtle'),
  ...zip('沙发 屋顶 树枝 箱子 书架 台阶 小河 马路 山谷 花园', 'sofa roof branch box shelf step river street valley garden'),
  ...zip('皮球 玩具 大衣 雨伞 花瓶 枕头 水壶 毛毯 帽子 书包 抽屉 篮子 罐子 气球 铅笔', 'ball toy coat umbrella vase pillow kettle blanket hat bag drawer basket jar balloon pencil'),
  ...zip('公园 森林 学校 商店 图书馆 村子 市场 医院', 'park forest school shop library village market hospital'),
  ...zip('鱼 米饭 面条 香蕉 葡萄 糖果 蜂蜜 苹果 蛋糕 西瓜', 'fish rice noodles bananas grapes candy honey apple cake melon'),
  ...zip('书 水 月亮 太阳 春天 夏天 秋天 冬天 国王 王后 朋友 天空 星星 今天 明天', 'book water moon sun spring summer autumn winter king queen friend sky star today tomorrow'),
  ['谢谢', 'thank you'], ['你好', 'hello'], ['故事', 'story'], ['礼物', 'gift'], ['生日', 'birthday'],
];

// Chinese words besides the lists above that are single tokens. GPT-2's splitter takes a run of Chinese for one word,
// so the tokenizer learns from text cut by these words.
const commonZh = words(`没有 不敢 不愿 因为 可是 于是 的是 指的是 什么 跳上 爬上 登上 穿过 越过 走过 再读 一遍 放不进 真的 躺下 睡着
  休息 回家 旁边 坐下 后来 客人 一直 只好 从前 有一天 一只 一个 名叫 名字 大家 遇到 看见 捡到 送给 帮助 一起 喜欢 最爱 每天 很想 我们
  他们 她们 它们 你好 今天 天气 谢谢 不客气 高兴 认识 朋友 首都 英文 中文 银行 手机 电脑 公司 非常 永远 从此 最好 幸福 生活 太阳 下山
  故事 大雨 早上 下午 晚上 星期天 放学 打电话 国王 王后 男人 女人 男孩 女孩 爸爸 妈妈 春天 夏天 秋天 冬天 月亮 星期 白天 天空 礼物 花开
  生日 快乐 新年 好久 不见 明天 没关系 对不起 跟我念 存钱 取钱 多少 等于 一共 还剩 现在 几点 怎么说 词典 错误 除以 再加 密码 颜色
  哪里 住在 养了 请记住 最想学 算不出 时间 飞走 买来 星星 旧书 小船`);

// English words besides the lists above that are single tokens (with the space before them).
const commonEn = words(`the it was too one that is onto could not did because jump climb cross get on walk across so it does fit in means
  word lay down went home to rest sat really much very you are welcome thank said gave asked with and of a an capital would like cup
  please morning night birthday meet time money bank account clerk loan cash check coins opened put took paid water grass boat boats
  caught watched looked fed sun flowers walked ran stopped drove swam deposited upon lived named called found saw friend friends
  wanted played together good best has king queen man woman boy girl says likes today day nice weather he she
  what plus minus times how many left more there now password colour lives near wears loves where say Chinese English dictionary have`);

// Words that begin a text or a quotation, so that they need a token without a space before them.
const initialEn = words('The Thank Once One Good Nice Happy When Question Answer It He She In I Hello How What Remember Repeat');

const unique = (list) => [...new Set(list)];

/** Chinese words that are one token each. */
export const tokensZh = unique([
  ...animalsZh, ...objectsZh, ...crossingsZh, ...tiredZh, ...highZh, ...wideZh, ...itemsZh, ...containersZh, ...bigZh, ...smallZh,
  ...namesZh, ...petsZh, ...placesZh, ...foodsZh, ...feelingsZh, ...coloursZh, ...traitsZh, ...thingsZh,
  ...capitals.flatMap(([country, capital]) => [country, capital]), ...actionsZh.filter((word) => word.length === 2), ...commonZh, ...'它他她的是太了加减乘问答',
]);
/** English words that are one token each with the space before them. */
export const tokensEn = unique([
  ...animalsEn, ...objectsEn, ...crossingsEn, ...tiredEn, ...highEn, ...wideEn, ...itemsEn, ...containersEn, ...bigEn, ...smallEn,
  ...namesEn, ...placesEn, ...foodsEn, ...actionsEn, ...feelingsEn, ...coloursEn, ...thingsEn,
  ...capitals.flatMap(([, , country, capital]) => [country, capital]), ...commonEn,
]);

/** Every word that must become one token, as it stands in a text: Chinese bare, English with its space, and English that begins a text without. */
export const singleTokens = unique([...tokensZh, ...tokensEn.map((word) => ` ${word}`), ...initialEn, ...namesEn]);
