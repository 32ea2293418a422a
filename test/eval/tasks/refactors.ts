import { type EvalTask, all, keeps, passes, says, testScript } from '../task.js';

const renameTest = { 'check.mjs': testScript("import { area } from './shape.mjs';\nimport { floor } from './house.mjs';", ['area(2, 3) === 6', 'floor() === 20']) };
const moveTest = { 'check.mjs': testScript("import { clamp } from './lib/numbers.mjs';\nimport { percent } from './percent.mjs';", ['clamp(5, 0, 3) === 3', 'percent(2, 1) === 100']) };
const crlf = 'first=1\r\nsecond=2\r\nthird=3\r\n';
const twice = 'export const limits = {\n  upload: 10,\n  download: 10,\n};\n';

/** The text of a file must be exactly this. */
function exactly(path: string, text: string): EvalTask['check'] {
  return async ({ read }) => ((await read(path)) === text ? undefined : `${path} is not as it should be.`);
}

/** Tasks that change code without changing what it does, or only one exact place. */
export const refactors: readonly EvalTask[] = [
  {
    name: 'refactor-rename',
    prompt: 'Rename the function calc to area wherever it is used. node check.mjs must pass.',
    files: {
      'shape.mjs': 'export function calc(width, height) {\n  return width * height;\n}\n',
      'house.mjs': "import { calc } from './shape.mjs';\n\nexport const floor = () => calc(4, 5);\n",
      ...renameTest,
    },
    check: all(passes('check.mjs'), keeps(renameTest), async ({ read }) => (/calc/.test(`${await read('house.mjs')}${await read('shape.mjs')}`) ? 'calc is still there.' : undefined)),
    answers: [
      { calls: [['grep', { pattern: 'calc', path: '.' }]] },
      { calls: [['read', { file_path: 'house.mjs' }], ['read', { file_path: 'shape.mjs' }]] },
      {
        calls: [
          ['edit', { file_path: 'house.mjs', old_string: 'calc', new_string: 'area', replace_all: true }],
          ['edit', { file_path: 'shape.mjs', old_string: 'calc', new_string: 'area', replace_all: true }],
        ],
      },
      { calls: [['bash', { command: 'node check.mjs' }]] },
      { say: 'calc is called area everywhere.' },
    ],
  },
  {
    name: 'refactor-move',
    prompt: 'Move clamp from percent.mjs into lib/numbers.mjs and import it from there. node check.mjs must pass.',
    files: {
      'percent.mjs': 'const clamp = (n, low, high) => Math.min(high, Math.max(low, n));\n\nexport const percent = (part, whole) => clamp((100 * part) / whole, 0, 100);\n',
      ...moveTest,
    },
    check: all(passes('check.mjs'), keeps(moveTest), async ({ read }) => ((await read('percent.mjs'))?.includes('Math.min') === true ? 'clamp is still in percent.mjs.' : undefined)),
    answers: [
      { calls: [['read', { file_path: 'percent.mjs' }]] },
      {
        calls: [
          ['write', { file_path: 'lib/numbers.mjs', content: 'export const clamp = (n, low, high) => Math.min(high, Math.max(low, n));\n' }],
          ['edit', { file_path: 'percent.mjs', old_string: 'const clamp = (n, low, high) => Math.min(high, Math.max(low, n));', new_string: "import { clamp } from './lib/numbers.mjs';" }],
        ],
      },
      { calls: [['bash', { command: 'node check.mjs' }]] },
      { say: 'clamp lives in lib/numbers.mjs now.' },
    ],
  },
  {
    name: 'edit-keeps-line-endings',
    prompt: 'In settings.ini change second to 20. Nothing else may change.',
    files: { 'settings.ini': crlf },
    check: exactly('settings.ini', crlf.replace('second=2', 'second=20')),
    answers: [
      { calls: [['read', { file_path: 'settings.ini' }]] },
      { calls: [['edit', { file_path: 'settings.ini', old_string: 'second=2', new_string: 'second=20' }]] },
      { say: 'second is 20 now.' },
    ],
  },
  {
    name: 'edit-one-of-two',
    prompt: 'In limits.mjs set the download limit to 50. The upload limit stays.',
    files: { 'limits.mjs': twice },
    check: exactly('limits.mjs', twice.replace('download: 10', 'download: 50')),
    answers: [
      { calls: [['read', { file_path: 'limits.mjs' }]] },
      { calls: [['edit', { file_path: 'limits.mjs', old_string: 'download: 10', new_string: 'download: 50' }]] },
      { say: 'The download limit is 50.' },
    ],
  },
  {
    name: 'edit-after-a-failed-edit',
    prompt: 'In note.md change “colour” to “color”.',
    files: { 'note.md': 'The colours are set in colour.css.\n' },
    check: all(exactly('note.md', 'The colors are set in color.css.\n'), says(/color/)),
    answers: [
      { calls: [['read', { file_path: 'note.md' }]] },
      { say: 'One edit first.', calls: [['edit', { file_path: 'note.md', old_string: 'colour', new_string: 'color' }]] },
      { say: 'It occurs more than once.', calls: [['edit', { file_path: 'note.md', old_string: 'colour', new_string: 'color', replace_all: true }]] },
      { say: 'note.md says color in both places.' },
    ],
  },
];
