// The tasks of one lesson in Markdown → what is printed of them. A task begins with `### title {lines}`, where lines is how many empty lines there
// are to write on; its last block is a quotation, the answer.

const MOST_LINES = 12;

/**
 * @param {string} html the rendered file
 * @returns {{title: string, lines: number, task: string, answer: string}[]} mark-up
 * @throws {Error} naming the task that is no such task
 */
export function readTasks(html) {
  const [before, ...tasks] = html.split(/<h3>/);
  if (before.trim()) throw new Error('something stands before the first task, which begins with ### title {lines}');
  return tasks.map((source) => {
    const end = source.indexOf('</h3>');
    const heading = /^(.+?)\s*\{(\d+)\}$/.exec(source.slice(0, end));
    const lines = Number(heading?.[2]);
    if (!heading || lines > MOST_LINES) throw new Error(`a task begins with ### title {lines}, of at most ${MOST_LINES} lines: ${source.slice(0, end)}`);
    const parts = /^\s*(.*\S)\s*<blockquote>\s*(.*?)\s*<\/blockquote>\s*$/s.exec(source.slice(end + '</h3>'.length));
    if (!parts || parts[2].includes('<blockquote>')) throw new Error(`a task ends with its answer, the one quotation in it: ${heading[1]}`);
    return { title: heading[1], lines, task: parts[1], answer: parts[2] };
  });
}
