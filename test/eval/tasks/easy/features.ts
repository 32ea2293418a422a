import { all, exactly, keeps, passes } from '../checks.js';
import { testScript } from '../files.js';
import type { EvalTask } from '../task.js';

const slugTest = testScript("import { slug } from './slug.mjs';", [
  "slug('Hello World') === 'hello-world'",
  "slug('  A  b ') === 'a-b'",
  "slug('Ärger!') === 'arger'",
]);
const cacheTest = testScript(
  "import { Cache } from './cache.mjs';\nconst cache = new Cache(2);\ncache.set('a', 1); cache.set('b', 2); cache.get('a'); cache.set('c', 3);",
  ["cache.get('a') === 1", "cache.get('b') === undefined", "cache.get('c') === 3"],
);
const greetTest = testScript("import { greet } from './greet.mjs';", ["greet('Ann') === 'Hello, Ann!'", "greet('Ann', { loud: true }) === 'HELLO, ANN!'"]);
const onceTest = testScript(
  "import { once } from './once.mjs';\nlet calls = 0;\nconst first = once(() => { calls += 1; return calls; });\nconst results = [first(), first(), first()];",
  ['calls === 1', "results.join() === '1,1,1'"],
);

const slug = `/** A text as part of an address. */
export function slug(text) {
  const plain = text.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase();
  return plain.match(/[a-z0-9]+/g)?.join('-') ?? '';
}
`;

/** @param used what happens to an entry that is read */
function cache(used: string, dropped: string): string {
  return `export class Cache {\n  constructor(limit) {\n    this.limit = limit;\n    this.map = new Map();\n  }\n  get(key) {\n${used}    return this.map.get(key);\n  }\n  set(key, value) {\n    this.map.set(key, value);\n${dropped}  }\n}\n`;
}

const DROP_FIRST = '    if (this.map.size > this.limit) this.map.delete(this.map.keys().next().value);\n';

/** Tasks in which something is to be added. */
export const features: readonly EvalTask[] = [
  {
    name: 'feature-new-file',
    prompt: 'Write slug.mjs, which exports slug(text): lower case, accents removed, words joined by one hyphen, nothing else kept. node check.mjs must pass.',
    files: { 'check.mjs': slugTest },
    check: all(keeps('check.mjs'), passes('check.mjs')),
    solution: { files: { 'slug.mjs': slug } },
    wrong: [{ files: { 'slug.mjs': "export const slug = (text) => text.toLowerCase().replaceAll(' ', '-');\n" } }],
  },
  {
    name: 'feature-lru-cache',
    prompt:
      'cache.mjs has a Map without a limit. Make it drop the entry that was used longest ago when there are more than its limit. node check.mjs must pass.',
    files: { 'cache.mjs': cache('', ''), 'check.mjs': cacheTest },
    check: all(keeps('check.mjs'), passes('check.mjs')),
    solution: { files: { 'cache.mjs': cache('    const value = this.map.get(key);\n    if (this.map.delete(key)) this.map.set(key, value);\n', DROP_FIRST) } },
    wrong: [{ files: { 'cache.mjs': cache('', DROP_FIRST) } }],
  },
  {
    name: 'feature-option',
    prompt: 'Give greet an option `loud` that makes the whole greeting upper case. node check.mjs must pass.',
    files: { 'greet.mjs': 'export const greet = (name) => `Hello, ${name}!`;\n', 'check.mjs': greetTest },
    check: all(keeps('check.mjs'), passes('check.mjs')),
    solution: {
      files: {
        'greet.mjs': 'export function greet(name, { loud = false } = {}) {\n  const text = `Hello, ${name}!`;\n  return loud ? text.toUpperCase() : text;\n}\n',
      },
    },
    wrong: [{ files: { 'greet.mjs': 'export const greet = (name, { loud }) => `Hello, ${loud ? name.toUpperCase() : name}!`;\n' } }],
  },
  {
    name: 'feature-higher-order',
    prompt:
      'Write once.mjs, which exports once(work): a function that runs work at its first call only and gives that result ever after. node check.mjs must pass.',
    files: { 'check.mjs': onceTest },
    check: all(keeps('check.mjs'), passes('check.mjs')),
    solution: { files: { 'once.mjs': 'export function once(work) {\n  let result;\n  return () => (result ??= { value: work() }).value;\n}\n' } },
    wrong: [{ files: { 'once.mjs': 'export const once = (work) => () => work();\n' } }],
  },
  {
    name: 'feature-json-field',
    prompt: 'Add a script "lint" with the command "eslint ." to package.json. Keep everything else as it is, the indentation too.',
    files: { 'package.json': '{\n    "name": "sample",\n    "scripts": {\n        "test": "node --test"\n    }\n}\n' },
    check: exactly('package.json', '{\n    "name": "sample",\n    "scripts": {\n        "test": "node --test",\n        "lint": "eslint ."\n    }\n}\n'),
    solution: {
      files: { 'package.json': '{\n    "name": "sample",\n    "scripts": {\n        "test": "node --test",\n        "lint": "eslint ."\n    }\n}\n' },
    },
    wrong: [{ files: { 'package.json': '{\n  "name": "sample",\n  "scripts": {\n    "test": "node --test",\n    "lint": "eslint ."\n  }\n}\n' } }],
  },
];
