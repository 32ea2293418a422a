import { all, keeps, passes } from '../checks.js';
import { edited, testScript } from '../files.js';
import type { EvalTask } from '../task.js';

interface Bug {
  readonly name: string;
  readonly file: string;
  readonly source: string;
  readonly imports: string;
  readonly checks: readonly string[];
  /** The place with the fault. */
  readonly fault: string;
  readonly fix: string;
  /** A change there that repairs nothing, or not all. */
  readonly noFix: string;
}

function bug({ name, file, source, imports, checks, fault, fix, noFix }: Bug): EvalTask {
  return {
    name,
    prompt: 'node check.mjs fails. Find the cause and fix it. Do not change check.mjs.',
    files: { [file]: source, 'check.mjs': testScript(imports, checks) },
    check: all(keeps('check.mjs'), passes('check.mjs')),
    solution: { files: { [file]: edited(source, fault, fix) } },
    wrong: [{ files: { [file]: edited(source, fault, noFix) } }, { files: { 'check.mjs': "console.log('ok');\n" } }],
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
    fault: 'n < to',
    fix: 'n <= to',
    noFix: 'n !== to + 2',
  }),
  bug({
    name: 'bug-mutated-input',
    file: 'median.mjs',
    source: 'export function median(numbers) {\n  numbers.sort((a, b) => a - b);\n  return numbers[Math.floor(numbers.length / 2)];\n}\n',
    imports: "import { median } from './median.mjs';\nconst list = [3, 1, 2];",
    checks: ['median(list) === 2', "list.join() === '3,1,2'"],
    fault: 'numbers.sort((a, b) => a - b);\n  return numbers[',
    fix: 'const sorted = [...numbers].sort((a, b) => a - b);\n  return sorted[',
    noFix: 'return numbers[',
  }),
  bug({
    name: 'bug-number-sort',
    file: 'top.mjs',
    source: 'export const top = (scores, count) => [...scores].sort().reverse().slice(0, count);\n',
    imports: "import { top } from './top.mjs';",
    checks: ["top([9, 10, 100], 2).join() === '100,10'"],
    fault: '.sort().reverse()',
    fix: '.sort((a, b) => b - a)',
    noFix: '.sort((a, b) => a - b)',
  }),
  bug({
    name: 'bug-missing-await',
    file: 'load.mjs',
    source: 'export async function load(read) {\n  const text = read();\n  return text.trim();\n}\n',
    imports: "import { load } from './load.mjs';\nconst text = await load(async () => ' a ').catch((error) => String(error));",
    checks: ["text === 'a'"],
    fault: 'const text = read();',
    fix: 'const text = await read();',
    noFix: 'const text = String(read());',
  }),
  bug({
    name: 'bug-leap-year',
    file: 'year.mjs',
    source: 'export const isLeap = (year) => year % 4 === 0;\n',
    imports: "import { isLeap } from './year.mjs';",
    checks: ['isLeap(2024)', '!isLeap(1900)', 'isLeap(2000)'],
    fault: 'year % 4 === 0',
    fix: '(year % 4 === 0 && year % 100 !== 0) || year % 400 === 0',
    noFix: 'year % 4 === 0 && year % 100 !== 0',
  }),
  bug({
    name: 'bug-windows-lines',
    file: 'csv.mjs',
    source: "export const rows = (text) => text.split('\\n').map((line) => line.split(','));\n",
    imports: "import { rows } from './csv.mjs';",
    checks: ["rows('a,b\\r\\nc,d')[0][1] === 'b'", "rows('a\\nb').length === 2"],
    fault: "text.split('\\n')",
    fix: 'text.split(/\\r?\\n/)',
    noFix: "text.split('\\r\\n')",
  }),
];
