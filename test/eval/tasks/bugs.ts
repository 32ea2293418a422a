import { type EvalTask, all, keeps, passes, testScript } from '../task.js';

/** The answers to a bug: run the check, read, edit, run again, say so. */
function repaired(file: string, [before, after]: readonly [string, string], words: string): EvalTask['answers'] {
  return [
    { say: 'I run the check first.', calls: [['bash', { command: 'node check.mjs' }]] },
    { calls: [['read', { file_path: file }]] },
    { calls: [['edit', { file_path: file, old_string: before, new_string: after }]] },
    { calls: [['bash', { command: 'node check.mjs' }]] },
    { say: words },
  ];
}

interface Bug {
  readonly name: string;
  readonly file: string;
  readonly source: string;
  readonly imports: string;
  readonly checks: readonly string[];
  readonly fix: readonly [before: string, after: string];
  readonly words: string;
}

function bug({ name, file, source, imports, checks, fix, words }: Bug): EvalTask {
  const test = { 'check.mjs': testScript(imports, checks) };
  return {
    name,
    prompt: 'node check.mjs fails. Find the cause and fix it. Do not change check.mjs.',
    files: { [file]: source, ...test },
    check: all(passes('check.mjs'), keeps(test)),
    answers: repaired(file, fix, words),
  };
}

/** Tasks in which something is broken. */
export const bugs: readonly EvalTask[] = [
  bug({
    name: 'bug-off-by-one',
    file: 'range.mjs',
    source: 'export function range(from, to) {\n  const list = [];\n  for (let n = from; n < to; n++) list.push(n);\n  return list;\n}\n',
    imports: "import { range } from './range.mjs';",
    checks: ["range(1, 3).join() === '1,2,3'", "range(2, 2).join() === '2'"],
    fix: ['n < to', 'n <= to'],
    words: 'range left out its last number; the comparison in range.mjs:3 is fixed and the check passes.',
  }),
  bug({
    name: 'bug-mutated-input',
    file: 'median.mjs',
    source: 'export function median(numbers) {\n  numbers.sort((a, b) => a - b);\n  return numbers[Math.floor(numbers.length / 2)];\n}\n',
    imports: "import { median } from './median.mjs';\nconst list = [3, 1, 2];",
    checks: ['median(list) === 2', "list.join() === '3,1,2'"],
    fix: ['numbers.sort((a, b) => a - b);\n  return numbers[', 'const sorted = [...numbers].sort((a, b) => a - b);\n  return sorted['],
    words: 'median sorted the list it was given; it sorts a copy now.',
  }),
  bug({
    name: 'bug-number-sort',
    file: 'top.mjs',
    source: 'export const top = (scores, count) => [...scores].sort().reverse().slice(0, count);\n',
    imports: "import { top } from './top.mjs';",
    checks: ["top([9, 10, 100], 2).join() === '100,10'"],
    fix: ['.sort().reverse()', '.sort((a, b) => b - a)'],
    words: 'The scores were compared as text; they are compared as numbers now.',
  }),
  bug({
    name: 'bug-missing-await',
    file: 'load.mjs',
    source: "export async function load(read) {\n  const text = read();\n  return text.trim();\n}\n",
    imports: "import { load } from './load.mjs';\nconst text = await load(async () => ' a ').catch((error) => String(error));",
    checks: ["text === 'a'"],
    fix: ['const text = read();', 'const text = await read();'],
    words: 'load did not wait for read; it does now.',
  }),
  bug({
    name: 'bug-leap-year',
    file: 'year.mjs',
    source: 'export const isLeap = (year) => year % 4 === 0;\n',
    imports: "import { isLeap } from './year.mjs';",
    checks: ['isLeap(2024)', '!isLeap(1900)', 'isLeap(2000)'],
    fix: ['year % 4 === 0', '(year % 4 === 0 && year % 100 !== 0) || year % 400 === 0'],
    words: 'Years that end a century are leap years only when 400 divides them; isLeap knows that now.',
  }),
  bug({
    name: 'bug-windows-lines',
    file: 'csv.mjs',
    source: "export const rows = (text) => text.split('\\n').map((line) => line.split(','));\n",
    imports: "import { rows } from './csv.mjs';",
    checks: ["rows('a,b\\r\\nc,d')[0][1] === 'b'", "rows('a\\nb').length === 2"],
    fix: ["text.split('\\n')", 'text.split(/\\r?\\n/)'],
    words: 'Lines that end with CR LF kept their CR; rows splits at both now.',
  }),
];
