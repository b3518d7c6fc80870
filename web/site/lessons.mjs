/**
 * The ten lessons in their order. `name` is the file name of the lesson and of its page;
 * `line` says in one sentence what one does there.
 */
export const lessons = [
  { number: 1, name: '01-next-word', title: '一切从「猜下一个词」开始', line: '给它半句话，看它给每一个可能的下文多少把握。' },
  { number: 2, name: '02-tokens', title: 'Token：大模型眼中的「字」长什么样', line: '把任何文字切成模型真正看到的碎片。' },
  { number: 3, name: '03-embeddings', title: '向量与 Embedding：把文字变成数学', line: '一个词变成一串数，用法相近的词，数也相近。' },
  { number: 4, name: '04-attention', title: 'Attention：大模型的「阅读理解」机制', line: '每个词回头看别的词；看谁、看多少，都算给你看。' },
  { number: 5, name: '05-transformer', title: 'Transformer 全景：积木怎么搭成大厦', line: '从输入到猜测，沿途每一处的数都能查。' },
  { number: 6, name: '06-training', title: '训练：70 亿个参数是怎么「学」出来的', line: '就在网页里，从随机数开始训练一个小模型。' },
  { number: 7, name: '07-inference', title: '推理：你按下回车后的这一秒发生了什么', line: '把一次回答拆成一条量出来的时间线。' },
  { number: 8, name: '08-context', title: '上下文窗口：大模型的「工作记忆」', line: '先告诉它一件事，再把这件事挤出窗口。' },
  { number: 9, name: '09-scaling', title: 'Scaling Law：为什么「大力出奇迹」有效', line: '一族自己训练的小模型，一条自己量出的直线。' },
  { number: 10, name: '10-agent', title: '从大模型到 Agent：下一个词预测如何长出手脚', line: '它写下一次调用，程序真的去做，再把结果念给它。' },
];
