import { type Check, all, changesOnly, holds, keeps, passes } from '../checks.js';
import { edited } from '../files.js';
import type { EvalTask } from '../task.js';

/** A build of three modules. Each of its faults is only reported once the one before it is gone. */
const build = {
  'build.mjs':
    "// Puts the modules of src/modules.json into one file.\nimport { mkdirSync, readFileSync, writeFileSync } from 'node:fs';\n\nconst names = JSON.parse(readFileSync('src/modules.json', 'utf8'));\nconst parts = names.map((name) => {\n  const text = readFileSync(`src/${name}.js`, 'utf8');\n  new Function(text.replaceAll('export ', ''));\n  return `// ${name}\\n${text.replaceAll('export ', '')}`;\n});\nmkdirSync('dist', { recursive: true });\nwriteFileSync('dist/app.cjs', `${parts.join('\\n')}\\nmodule.exports = { greet, shout };\\n`);\nconsole.log(`built ${names.length} modules`);\n",
  'src/modules.json': '["words", "greet", "shout",]\n',
  'src/words.js': "export const HELLO = 'Hello';\n",
  'src/greet.js': 'export function greet(name) {\n  return `${HELLO}, ${name}`;\n\n',
  'src/loud.js': 'export const shout = (name) => `${greet(name).toUpperCase()}!`;\n',
  'package.json': '{\n  "name": "greetings",\n  "scripts": { "build": "node build.mjs" }\n}\n',
};
const mended = { 'src/modules.json': '["words", "greet", "loud"]\n', 'src/greet.js': 'export function greet(name) {\n  return `${HELLO}, ${name}`;\n}\n' };

const merge =
  '/**\n * Joins intervals `[from, to]` that overlap or touch, such as `[1, 3]` and `[3, 5]`. They come in any order; the result is in\n * order. What is given is not changed.\n */\nexport function merge(intervals) {\n  const sorted = [...intervals].sort((a, b) => a[0] - b[0]);\n  const merged = [];\n  for (const interval of sorted) {\n    const last = merged.at(-1);\n    if (last !== undefined && interval[0] < last[1]) last[1] = interval[1];\n    else merged.push(interval);\n  }\n  return merged;\n}\n';
const MERGE_LINE = 'if (last !== undefined && interval[0] < last[1]) last[1] = interval[1];\n    else merged.push(interval);';
const mergeFixed = edited(
  merge,
  MERGE_LINE,
  'if (last !== undefined && interval[0] <= last[1]) last[1] = Math.max(last[1], interval[1]);\n    else merged.push([...interval]);',
);
const mergeTests =
  "import assert from 'node:assert/strict';\nimport { merge } from './merge.mjs';\n\nassert.deepEqual(merge([[3, 5], [1, 3]]), [[1, 5]]);\nassert.deepEqual(merge([[1, 9], [2, 3]]), [[1, 9]]);\nconst given = [[1, 2], [2, 4]];\nmerge(given);\nassert.deepEqual(given, [[1, 2], [2, 4]]);\n";

/** The tests that the agent wrote must notice each fault of the code that it was given. */
const testsNotice: Check = async ({ copyWith, read }) => {
  const fixed = await copyWith({ 'merge.mjs': mergeFixed });
  if (!(await fixed.run('node merge.test.mjs')).ok) return 'merge.test.mjs fails for code that is right.';
  const faults = [edited(mergeFixed, 'interval[0] <= last[1]', 'interval[0] < last[1]'), edited(mergeFixed, 'Math.max(last[1], interval[1])', 'interval[1]')];
  for (const code of faults) {
    const broken = await copyWith({ 'merge.mjs': code });
    if ((await broken.run('node merge.test.mjs')).ok) return 'merge.test.mjs passes for code that is wrong.';
  }
  return (await read('merge.test.mjs')) === undefined ? 'There is no merge.test.mjs.' : undefined;
};

const settings = {
  'main.mjs': "import { load } from './load.mjs';\n\nconst settings = load('settings.json');\nconsole.log(`port ${settings.port}`);\n",
  'load.mjs':
    "import { readFileSync } from 'node:fs';\n\n/** Reads settings. */\nexport function load(path) {\n  try {\n    return JSON.parse(readFileSync(path, 'utf8'));\n  } catch {\n    throw new Error(`${path} does not exist`);\n  }\n}\n",
  'settings.json': '\uFEFF{\n  "port": 4100\n}\n',
};
const loadFixed =
  "import { readFileSync } from 'node:fs';\n\n/** Reads settings; a byte order mark at the beginning does not count. */\nexport function load(path) {\n  let text;\n  try {\n    text = readFileSync(path, 'utf8');\n  } catch (error) {\n    throw new Error(error.code === 'ENOENT' ? `${path} does not exist` : `${path} cannot be read: ${error.message}`, { cause: error });\n  }\n  try {\n    return JSON.parse(text.replace(/^\\uFEFF/, ''));\n  } catch (error) {\n    throw new Error(`${path} is not JSON: ${error.message}`, { cause: error });\n  }\n}\n";

const loadWithCheck =
  "import { existsSync, readFileSync } from 'node:fs';\n\nexport function load(path) {\n  if (!existsSync(path)) throw new Error(`Settings file not found: ${path}`);\n  const text = readFileSync(path, 'utf8');\n  try {\n    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);\n  } catch (error) {\n    throw new SyntaxError(`Failed to parse ${path}: ${error.message}`);\n  }\n}\n";

const counter =
  '/** Counts in a store whose `get` and `set` take a while. */\nexport function createCounter(store) {\n  return {\n    async add(name, amount = 1) {\n      const value = (await store.get(name)) ?? 0;\n      await store.set(name, value + amount);\n      return value + amount;\n    },\n  };\n}\n';
const counterFixed =
  "/** Counts in a store whose `get` and `set` take a while; each name's additions take their turn. */\nexport function createCounter(store) {\n  const last = new Map();\n  const addOne = async (name, amount) => {\n    const value = (await store.get(name)) ?? 0;\n    await store.set(name, value + amount);\n    return value + amount;\n  };\n  return {\n    add(name, amount = 1) {\n      const before = last.get(name) ?? Promise.resolve();\n      const added = before.then(() => addOne(name, amount));\n      last.set(name, added.catch(() => undefined));\n      return added;\n    },\n  };\n}\n";
const counterLocked =
  'export function createCounter(store) {\n  const locks = new Map();\n  return {\n    async add(name, amount = 1) {\n      const before = locks.get(name);\n      let open;\n      const lock = new Promise((resolve) => (open = resolve));\n      locks.set(name, lock);\n      await before;\n      try {\n        const value = (await store.get(name)) ?? 0;\n        await store.set(name, value + amount);\n        return value + amount;\n      } finally {\n        open();\n        if (locks.get(name) === lock) locks.delete(name);\n      }\n    },\n  };\n}\n';
const STORE =
  "const values = new Map();\nlet failing = false;\nlet running = 0;\nlet most = 0;\nconst pause = () => new Promise((resolve) => setImmediate(resolve));\nconst store = {\n  async get(name) { running += 1; most = Math.max(most, running); await pause(); running -= 1; return values.get(name); },\n  async set(name, value) { await pause(); if (failing) throw new Error('full'); values.set(name, value); },\n};\n";

/** Tasks in which something is broken and does not say where. */
export const faults: readonly EvalTask[] = [
  {
    name: 'bug-failing-build',
    prompt: 'npm run build fails. Make it work again. build.mjs is right and stays as it is, and all three modules must be in the result.',
    files: build,
    check: all(
      keeps('build.mjs', 'package.json', 'src/words.js'),
      passes('build.mjs'),
      holds("import { createRequire } from 'node:module';\nconst app = createRequire(import.meta.url)('./dist/app.cjs');", [
        "app.greet('Ann') === 'Hello, Ann'",
        "app.shout('Ann') === 'HELLO, ANN!'",
      ]),
    ),
    solution: { files: mended },
    alternatives: [
      {
        files: {
          'src/modules.json': '["words", "greet", "shout"]\n',
          'src/greet.js': mended['src/greet.js'],
          'src/loud.js': undefined,
          'src/shout.js': build['src/loud.js'],
        },
      },
    ],
    wrong: [
      { files: { 'src/modules.json': '["words", "greet", "loud"]\n' } },
      {
        files: {
          ...mended,
          'build.mjs': edited(
            build['build.mjs'],
            "const names = JSON.parse(readFileSync('src/modules.json', 'utf8'));",
            "const names = ['words', 'greet', 'loud'];",
          ),
        },
      },
    ],
  },
  {
    name: 'bug-found-by-tests',
    prompt:
      'Write tests for merge.mjs into merge.test.mjs that cover what its comment says (node merge.test.mjs ends with exit code 0 when they pass; use node:assert), and fix what they reveal in merge.mjs.',
    files: { 'merge.mjs': merge },
    check: all(
      passes('merge.test.mjs'),
      holds("import { merge } from './merge.mjs';\nconst given = [[1, 2], [2, 4]];", [
        "JSON.stringify(merge([[3, 5], [1, 3]])) === '[[1,5]]'",
        "JSON.stringify(merge([[1, 9], [2, 3]])) === '[[1,9]]'",
        "JSON.stringify(merge([[4, 5], [1, 2]])) === '[[1,2],[4,5]]'",
        "JSON.stringify(merge(given)) === '[[1,4]]' && given[0][1] === 2",
      ]),
      testsNotice,
    ),
    solution: { files: { 'merge.mjs': mergeFixed, 'merge.test.mjs': mergeTests } },
    wrong: [
      { files: { 'merge.test.mjs': mergeTests } },
      {
        files: {
          'merge.mjs': mergeFixed,
          'merge.test.mjs':
            "import assert from 'node:assert/strict';\nimport { merge } from './merge.mjs';\n\nassert.deepEqual(merge([[4, 5], [1, 2]]), [[1, 2], [4, 5]]);\n",
        },
      },
      {
        files: {
          'merge.mjs': edited(mergeFixed, '[...interval]', 'interval'),
          'merge.test.mjs': edited(mergeTests, 'assert.deepEqual(given, [[1, 2], [2, 4]]);', ''),
        },
      },
    ],
  },
  {
    name: 'bug-misleading-error',
    prompt:
      'node main.mjs says that settings.json does not exist, but it does. Another program writes that file as it is, so it must not be changed: make main.mjs work with it. Its error messages must be true from now on, too: about a file that does not exist, and about one that cannot be parsed.',
    files: settings,
    check: all(
      keeps('settings.json'),
      async ({ run }) => ((await run('node main.mjs')).output.includes('port 4100') ? undefined : 'node main.mjs does not print the port.'),
      holds(
        "import { writeFileSync, rmSync } from 'node:fs';\nimport { load } from './load.mjs';\nconst failure = (path) => { try { load(path); return ''; } catch (error) { return error.message; } };\nwriteFileSync('broken-check.json', '{ \"port\": ');\nconst broken = failure('broken-check.json');\nrmSync('broken-check.json');\nconst missing = failure('missing-check.json');",
        ['/not exist|no such file|not found|missing/i.test(missing)', "broken !== '' && !/not exist|no such file|not found|missing/i.test(broken)"],
      ),
    ),
    solution: { files: { 'load.mjs': loadFixed } },
    alternatives: [{ files: { 'load.mjs': loadWithCheck } }],
    wrong: [
      { files: { 'settings.json': '{\n  "port": 4100\n}\n' } },
      { files: { 'load.mjs': edited(settings['load.mjs'], "readFileSync(path, 'utf8')", "readFileSync(path, 'utf8').replace(/^\\uFEFF/, '')") } },
    ],
  },
  {
    name: 'bug-lost-updates',
    prompt:
      'Users report that counters miss additions when many come at once. Fix counter.mjs. Counters of different names must not wait for each other, and an addition that fails must not keep later ones from working.',
    files: { 'counter.mjs': counter },
    check: holds(
      `import { createCounter } from './counter.mjs';\n${STORE}const counter = createCounter(store);\nconst sums = await Promise.all(Array.from({ length: 20 }, () => counter.add('a')));\nmost = 0;\nawait Promise.all([counter.add('b'), counter.add('c'), counter.add('d')]);\nconst together = most;\nfailing = true;\nconst failed = await counter.add('a').catch((error) => error.message);\nfailing = false;\nconst after = await counter.add('a', 5);`,
      ["values.get('a') === 25", 'sums.join() === Array.from({ length: 20 }, (_, at) => at + 1).join()', 'together === 3', "failed === 'full'", 'after === 25'],
    ),
    solution: { files: { 'counter.mjs': counterFixed } },
    alternatives: [{ files: { 'counter.mjs': counterLocked } }],
    wrong: [
      { files: { 'counter.mjs': counterFixed.replaceAll('last.get(name)', "last.get('')").replaceAll('last.set(name,', "last.set('',") } },
      { files: { 'counter.mjs': edited(counterFixed, 'added.catch(() => undefined)', 'added') } },
    ],
  },
  {
    name: 'bug-in-another-place',
    prompt: 'The invoice of a customer shows a total of NaN: node main.mjs. Fix the cause, not its symptom, and change no more than needed.',
    files: {
      'main.mjs':
        "import { readFileSync } from 'node:fs';\nimport { invoice } from './src/invoice.mjs';\nimport { table } from './src/table.mjs';\n\nconsole.log(invoice(table(readFileSync('data/sales.csv', 'utf8'))));\n",
      'src/invoice.mjs':
        "import { sum } from './sum.mjs';\n\nexport const invoice = (rows) => `Total: ${sum(rows.map(({ amount, price }) => amount * price)).toFixed(2)}`;\n",
      'src/sum.mjs': 'export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);\n',
      'src/table.mjs':
        "/** Rows of a table whose first line names the columns. Numbers may be grouped by apostrophes, as in 1'200. */\nexport function table(text) {\n  const [head, ...lines] = text.trim().split('\\n');\n  const names = head.split(';');\n  return lines.map((line) => Object.fromEntries(line.split(';').map((cell, at) => [names[at], value(cell)])));\n}\n\nfunction value(cell) {\n  return /^[\\d'.]+$/.test(cell) ? Number(cell.replace(\"'\", '')) : cell;\n}\n",
      'data/sales.csv': "name;amount;price\nPen;1'200;1.20\nHouse;1;1'250'000\n",
    },
    check: all(
      changesOnly('src/table.mjs'),
      async ({ run }) => ((await run('node main.mjs')).output.includes('Total: 1251440.00') ? undefined : 'node main.mjs does not print the right total.'),
      holds("import { table } from './src/table.mjs';", ["table(\"n\\n1'000'000'000\")[0].n === 1e9", "table('n\\nx')[0].n === 'x'"]),
    ),
    solution: {
      files: {
        'src/table.mjs':
          "/** Rows of a table whose first line names the columns. Numbers may be grouped by apostrophes, as in 1'200. */\nexport function table(text) {\n  const [head, ...lines] = text.trim().split('\\n');\n  const names = head.split(';');\n  return lines.map((line) => Object.fromEntries(line.split(';').map((cell, at) => [names[at], value(cell)])));\n}\n\nfunction value(cell) {\n  return /^[\\d'.]+$/.test(cell) ? Number(cell.replaceAll(\"'\", '')) : cell;\n}\n",
      },
    },
    wrong: [
      {
        files: {
          'src/sum.mjs': 'export const sum = (numbers) => numbers.filter((number) => !Number.isNaN(number)).reduce((total, number) => total + number, 0);\n',
        },
      },
      { files: { 'data/sales.csv': 'name;amount;price\nPen;1200;1.20\nHouse;1;1250000\n' } },
    ],
  },
];
