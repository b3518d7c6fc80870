// Strings of glassbox-heads, glassbox-qkv and glassbox-knockout.
export const heads = {
  title: '一层里的几个头',
  titleAt: (from, layer) => `从「${from}」看出去：第 ${layer} 层的各个头`,
  lead: '选一个 token，看这一层的每个头从它出发看谁，再看各头的结果怎样合成一个向量。',
  from: '从哪个 token 看出去',
  looking: '一、各看各的',
  head: (i) => `头 ${i}`,
  short: (i) => `头 ${i}`,
  strip: (i, from, to, weight) => `头 ${i} 从「${from}」看各个 token 的权重，最多看「${to}」，${weight}`,
  looks: ({ from, layer, heads, count, to, at }) =>
    heads === 1
      ? `第 ${layer} 层只有一个头，从「${from}」看出去，看得最多的是「${to}」（第 ${at} 个）。`
      : count === heads
        ? `第 ${layer} 层从「${from}」看出去，${heads} 个头看得最多的都是「${to}」（第 ${at} 个）。`
        : count > 1
          ? `第 ${layer} 层从「${from}」看出去，${heads} 个头里有 ${count} 个看得最多的是「${to}」（第 ${at} 个）。`
          : `第 ${layer} 层从「${from}」看出去，${heads} 个头看得最多的 token 各不相同。`,
  roles: '没有人给头分配任务，分工是训练出来的。有的头看前一个词，有的看句首，也有许多说不清在看什么。',
  joined: '二、接起来，乘 W_O',
  joinedLabel: (heads, from, to) => `${heads} 个头的向量接成 ${from} 个数，乘上 W_O，得到 ${to} 个数`,
  concat: (heads, depth) => `${heads} 个头各给 ${depth} 个数，接成 ${heads * depth} 个`,
  times: (from, to) => `× W_O（${from} × ${to}），再加偏置`,
  out: (n) => `${n} 个数：这一层的注意力加给这个 token 的向量`,
  colours: (a, b) => `橙为正，蓝为负；最浓的颜色，上排是 ±${a}，下排是 ±${b}`,
  adding: '三、谁加得多',
  sum: '相加之后',
  adds: ({ heads, norms, sum, less }) =>
    heads === 1
      ? `只有一个头，它给出的向量长 ${sum}。`
      : `条长是各头给出的向量（乘过 W_O）有多长，百分比是它在这些长度之和里占几成。长度不能直接相加：${heads} 个长度之和是 ${norms}，${heads} 个向量加起来长 ${sum}，少了 ${less}%，因为方向不同，互相抵掉了一些。偏置不算在任何一个头里。`,
  header: ['头', '看得最多', '权重', '长度', '占比'],
};

export const qkv = {
  title: '一个向量，三副面孔',
  titleAt: (token, layer, head) => `「${token}」的 q、k、v：第 ${layer} 层第 ${head} 头`,
  lead: '同一个向量乘三个不同的矩阵，得到查询 q、键 k、值 v。矩阵里是模型训练出来的数。点 q、k、v 里的一个数，看它是怎么算出来的。',
  token: '哪个 token',
  which: '看哪个矩阵',
  sentence: ({ token, layer, head, channels, depth }) =>
    `「${token}」进入第 ${layer} 层时，过了 LayerNorm 的向量有 ${channels} 个数；第 ${head} 头用 W_Q、W_K、W_V 各把它变成 ${depth} 个数（${channels} → ${depth}）。GPT-2 里是 768\u00a0→\u00a064。`,
  inputLabel: (token, n) => `「${token}」过了 LayerNorm 的向量，${n} 个数`,
  matrix: (part, rows, columns) => `W_${part.toUpperCase()}（${rows} × ${columns}）`,
  matrixLabel: (part, rows, columns) => `矩阵 W_${part.toUpperCase()}，${rows} 行 ${columns} 列，颜色表示数的大小和正负`,
  output: (part, n) => `${part}：${n} 个数`,
  count: (n) => `：${n} 个数`,
  entry: (part, index, value) => `${part} 的第 ${index} 个数，${value}`,
  colours: (x) => `橙为正，蓝为负，矩阵里 ±${x} 以外颜色最浓。`,
  choose: '点矩阵的一列，或下面横条里的一格；键盘用方向键。编号从 0 数起。',
  products: (part, index, n) => `${part} 的第 ${index} 个数：x 乘 W_${part.toUpperCase()} 的第 ${index} 列`,
  adds: (part, index, sum, bias, value) => `乘积之和 ${sum}，加偏置 ${bias}，得到 ${part} 的第 ${index} 个数 ${value}`,
  number: (part) => `${part} 的第几个数`,
  multiply: '逐个相乘',
  inColumn: (index, n) => ` 的第 ${index} 列，${n} 次`,
  sum: '加起来',
  ofTerms: (n) => `，${n} 项之和`,
  bias: '加偏置',
  same: '和引擎算出的一样',
  first: '第 0 项',
  last: (n) => `第 ${n} 项`,
  header: ['i', 'x', 'W', '乘积', '累加'],
};

export const knockout = {
  title: '关掉几个头，看答案变不变',
  lead: '每个头是一个开关。关掉一个，再看两句话接下来的词各变了多少。',
  textA: '第一句',
  textB: '对照的一句',
  empty: '两句都空着。写一句话，或者点一个例子。',
  board: '每个头从最后一个词看哪里',
  help: (count) =>
    count > 1
      ? '格子里是这个头从最后一个词看得最多的词，和它的权重；上行是第一句，下行是第二句。点一格，关掉或打开它。'
      : '格子里是这个头从最后一个词看得最多的词，和它的权重。点一格，关掉或打开它。',
  headName: (head) => `头 ${head}`,
  layerName: (layer) => `第 ${layer} 层`,
  wholeLayer: (layer) => `第 ${layer} 层全部的头`,
  cell: (layer, head, looks, kl) =>
    `第 ${layer} 层第 ${head} 头，${looks.map(([label, weight]) => `看「${label}」${weight}`).join('；')}${kl === null ? '' : `；关掉它，KL 散度 ${kl} nat`}`,
  tryAll: '逐个关一遍',
  allOn: '全部打开',
  unknown: (words, layer, head) => `这个模型里没有 ${words}，没有理它。层是 0–${layer}，头是 0–${head}。`,
  dropped: (count, kept) => `模型一次最多看 ${kept} 个 token，最早的 ${count} 个没有放进来。`,
  others: (words) => `另外还关着 ${words}。`,
  tokens: (counts) => `${counts.join(' 和 ')} 个 token`,
  next: '接下来的词',
  before: '全开',
  after: '关掉后',
  restShort: '其余',
  allSays: (word, p) => `全部打开：「${word}」${p}。`,
  stays: (heads, others, word, from, to) => `${heads === 1 && !others ? '去掉这一个头' : `去掉这 ${heads + others} 处`}，「${word}」从 ${from} 到 ${to}。`,
  changes: (word, p, other, q) => `答案变了：从「${word}」${p} 变成「${other}」${q}。`,
  kl: '两次猜测相差（KL 散度，单位 nat）',
  spare: (label, weight, others) =>
    others
      ? `这个头把 ${weight} 的权重给了「${label}」，去掉它，答案却没有变：还有 ${others} 个头也盯着「${label}」，它有替补。`
      : `这个头把 ${weight} 的权重给了「${label}」，去掉它，答案却没有变。看着答案的头，不一定缺它不可。`,
  decides: (label, weight) => `这个头看得最多的是「${label}」（${weight}），并不是答案，去掉它，答案却变了。看哪里，和凭什么作答，是两回事。`,
  ranking: '逐个关掉，谁的影响大',
  fromAll: '每次从全开的样子只关一个头。',
  onTop: (words) => `每次在已经关掉 ${words} 的基础上，再关一个头。`,
  rankingHelp: (count) => (count > 1 ? '按两句里较大的 KL 散度排。点一行，就照它关；再点一次还原。' : '按 KL 散度排。点一行，就照它关；再点一次还原。'),
  looksAt: (label) => `看「${label}」`,
  effect: (word, from, to) => `「${word}」${from} → ${to}`,
  turns: (word) => `改成「${word}」`,
  more: (count) => `再列 ${count} 个`,
  fewer: '少列一些',
  sweepMeasured: (count, ms) => `共算 ${count} 遍，本机用了 ${ms} ms。`,
  columns: ['文字', '关掉的', 'token', '全开时的概率', '关掉后的概率', 'KL 散度（nat）'],
  prompts: [
    { label: '小猫：累 / 高', text: '小猫没有跳上桌子，因为它太累了。太累的是', textB: '小猫没有跳上桌子，因为它太高了。太高的是' },
    { label: 'cat：tired / high', text: 'The cat could not jump onto the table because it was too tired. The one that was too tired is the', textB: 'The cat could not jump onto the table because it was too high. The one that was too high is the' },
    { label: 'Thank you very', text: 'Thank you very', textB: '' },
  ],
};
