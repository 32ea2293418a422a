import { all, contains, exactly, keeps, nowhere, passes } from '../checks.js';
import { testScript } from '../files.js';
import type { EvalTask } from '../task.js';

const renameTest = testScript("import { area } from './shape.mjs';\nimport { floor } from './house.mjs';", ['area(2, 3) === 6', 'floor() === 20']);
const moveTest = testScript("import { clamp } from './lib/numbers.mjs';\nimport { percent } from './percent.mjs';", [
  'clamp(5, 0, 3) === 3',
  'percent(2, 1) === 100',
]);
const crlf = 'first=1\r\nsecond=2\r\nthird=3\r\n';
const limits = 'export const limits = {\n  upload: 10,\n  download: 10,\n};\n';
const clamp = 'const clamp = (n, low, high) => Math.min(high, Math.max(low, n));\n';
const percent = 'export const percent = (part, whole) => clamp((100 * part) / whole, 0, 100);\n';

/** The files of a rename. */
function shapes(name: string): { readonly 'shape.mjs': string; readonly 'house.mjs': string } {
  return {
    'shape.mjs': `export function ${name}(width, height) {\n  return width * height;\n}\n`,
    'house.mjs': `import { ${name} } from './shape.mjs';\n\nexport const floor = () => ${name}(4, 5);\n`,
  };
}

/** Tasks that change code without changing what it does, or only one exact place. */
export const refactors: readonly EvalTask[] = [
  {
    name: 'refactor-rename',
    prompt: 'Rename the function calc to area wherever it is used. node check.mjs must pass.',
    files: { ...shapes('calc'), 'check.mjs': renameTest },
    check: all(keeps('check.mjs'), passes('check.mjs'), nowhere(/calc/)),
    solution: { files: shapes('area') },
    wrong: [{ files: { 'shape.mjs': `${shapes('calc')['shape.mjs']}export const area = calc;\n` } }, { files: { 'shape.mjs': shapes('area')['shape.mjs'] } }],
  },
  {
    name: 'refactor-move',
    prompt: 'Move clamp from percent.mjs into lib/numbers.mjs and import it from there. node check.mjs must pass.',
    files: { 'percent.mjs': `${clamp}\n${percent}`, 'check.mjs': moveTest },
    check: all(keeps('check.mjs'), passes('check.mjs'), contains('percent.mjs', /import .*numbers\.mjs/), nowhere(/Math\.min/, 'lib/numbers.mjs')),
    solution: { files: { 'lib/numbers.mjs': `export ${clamp}`, 'percent.mjs': `import { clamp } from './lib/numbers.mjs';\n\n${percent}` } },
    wrong: [{ files: { 'lib/numbers.mjs': `export ${clamp}` } }],
  },
  {
    name: 'edit-keeps-line-endings',
    prompt: 'In settings.ini change second to 20. Nothing else may change.',
    files: { 'settings.ini': crlf },
    check: exactly('settings.ini', crlf.replace('second=2', 'second=20')),
    solution: { files: { 'settings.ini': crlf.replace('second=2', 'second=20') } },
    wrong: [{ files: { 'settings.ini': 'first=1\nsecond=20\nthird=3\n' } }],
  },
  {
    name: 'edit-one-of-two',
    prompt: 'In limits.mjs set the download limit to 50. The upload limit stays.',
    files: { 'limits.mjs': limits },
    check: exactly('limits.mjs', limits.replace('download: 10', 'download: 50')),
    solution: { files: { 'limits.mjs': limits.replace('download: 10', 'download: 50') } },
    wrong: [{ files: { 'limits.mjs': limits.replaceAll('10', '50') } }],
  },
  {
    name: 'edit-after-a-failed-edit',
    prompt: 'In note.md change “colour” to “color”.',
    files: { 'note.md': 'The colours are set in colour.css.\n' },
    check: exactly('note.md', 'The colors are set in color.css.\n'),
    solution: { files: { 'note.md': 'The colors are set in color.css.\n' } },
    wrong: [{ files: { 'note.md': 'The colors are set in colour.css.\n' } }],
  },
];
