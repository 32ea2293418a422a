import { type EvalTask, all, keeps, passes, testScript } from '../task.js';

const slugTest = { 'check.mjs': testScript("import { slug } from './slug.mjs';", ["slug('Hello World') === 'hello-world'", "slug('  A  b ') === 'a-b'", "slug('Ärger!') === 'arger'"]) };
const cacheTest = {
  'check.mjs': testScript("import { Cache } from './cache.mjs';\nconst cache = new Cache(2);\ncache.set('a', 1); cache.set('b', 2); cache.get('a'); cache.set('c', 3);", [
    "cache.get('a') === 1",
    "cache.get('b') === undefined",
    "cache.get('c') === 3",
  ]),
};
const flagTest = { 'check.mjs': testScript("import { greet } from './greet.mjs';", ["greet('Ann') === 'Hello, Ann!'", "greet('Ann', { loud: true }) === 'HELLO, ANN!'"]) };
const debounceTest = {
  'check.mjs': testScript(
    "import { once } from './once.mjs';\nlet calls = 0;\nconst first = once(() => { calls += 1; return calls; });\nconst results = [first(), first(), first()];",
    ['calls === 1', "results.join() === '1,1,1'"],
  ),
};

/** Tasks in which something is to be added. */
export const features: readonly EvalTask[] = [
  {
    name: 'feature-new-file',
    prompt: 'Write slug.mjs, which exports slug(text): lower case, accents removed, words joined by one hyphen, nothing else kept. node check.mjs must pass.',
    files: slugTest,
    check: all(passes('check.mjs'), keeps(slugTest)),
    answers: [
      { calls: [['read', { file_path: 'check.mjs' }]] },
      {
        calls: [
          [
            'write',
            {
              file_path: 'slug.mjs',
              content:
                "/** A text as part of an address. */\nexport function slug(text) {\n  const plain = text.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase();\n  return plain.match(/[a-z0-9]+/g)?.join('-') ?? '';\n}\n",
            },
          ],
        ],
      },
      { calls: [['bash', { command: 'node check.mjs' }]] },
      { say: 'slug.mjs is there, and the check passes.' },
    ],
  },
  {
    name: 'feature-lru-cache',
    prompt: 'cache.mjs has a Map without a limit. Make it drop the entry that was used longest ago when there are more than its limit. node check.mjs must pass.',
    files: {
      'cache.mjs': 'export class Cache {\n  constructor(limit) {\n    this.limit = limit;\n    this.map = new Map();\n  }\n  get(key) {\n    return this.map.get(key);\n  }\n  set(key, value) {\n    this.map.set(key, value);\n  }\n}\n',
      ...cacheTest,
    },
    check: all(passes('check.mjs'), keeps(cacheTest)),
    answers: [
      { calls: [['read', { file_path: 'cache.mjs' }], ['read', { file_path: 'check.mjs' }]] },
      {
        calls: [
          ['edit', { file_path: 'cache.mjs', old_string: '    return this.map.get(key);', new_string: '    const value = this.map.get(key);\n    if (this.map.delete(key)) this.map.set(key, value);\n    return value;' }],
          [
            'edit',
            {
              file_path: 'cache.mjs',
              old_string: '    this.map.set(key, value);\n  }\n}',
              new_string: '    this.map.delete(key);\n    this.map.set(key, value);\n    if (this.map.size > this.limit) this.map.delete(this.map.keys().next().value);\n  }\n}',
            },
          ],
        ],
      },
      { calls: [['bash', { command: 'node check.mjs' }]] },
      { say: 'The cache keeps its limit now and drops what was used longest ago.' },
    ],
  },
  {
    name: 'feature-option',
    prompt: 'Give greet an option `loud` that makes the whole greeting upper case. node check.mjs must pass.',
    files: { 'greet.mjs': 'export const greet = (name) => `Hello, ${name}!`;\n', ...flagTest },
    check: all(passes('check.mjs'), keeps(flagTest)),
    answers: [
      { calls: [['read', { file_path: 'greet.mjs' }]] },
      {
        calls: [
          [
            'edit',
            {
              file_path: 'greet.mjs',
              old_string: 'export const greet = (name) => `Hello, ${name}!`;',
              new_string: 'export function greet(name, { loud = false } = {}) {\n  const text = `Hello, ${name}!`;\n  return loud ? text.toUpperCase() : text;\n}',
            },
          ],
        ],
      },
      { calls: [['bash', { command: 'node check.mjs' }]] },
      { say: 'greet takes { loud: true } now.' },
    ],
  },
  {
    name: 'feature-higher-order',
    prompt: 'Write once.mjs, which exports once(work): a function that runs work at its first call only and gives that result ever after. node check.mjs must pass.',
    files: debounceTest,
    check: all(passes('check.mjs'), keeps(debounceTest)),
    answers: [
      { calls: [['write', { file_path: 'once.mjs', content: 'export function once(work) {\n  let result;\n  return () => (result ??= { value: work() }).value;\n}\n' }]] },
      { calls: [['bash', { command: 'node check.mjs' }]] },
      { say: 'once.mjs is written and the check passes.' },
    ],
  },
  {
    name: 'feature-json-field',
    prompt: 'Add a script "lint" with the command "eslint ." to package.json. Keep everything else as it is, the indentation too.',
    files: { 'package.json': '{\n    "name": "sample",\n    "scripts": {\n        "test": "node --test"\n    }\n}\n' },
    check: async ({ read }) => {
      const wanted = '{\n    "name": "sample",\n    "scripts": {\n        "test": "node --test",\n        "lint": "eslint ."\n    }\n}\n';
      return (await read('package.json')) === wanted ? undefined : 'package.json is not as it should be.';
    },
    answers: [
      { calls: [['read', { file_path: 'package.json' }]] },
      { calls: [['edit', { file_path: 'package.json', old_string: '"test": "node --test"', new_string: '"test": "node --test",\n        "lint": "eslint ."' }]] },
      { say: 'package.json has the script lint.' },
    ],
  },
];
