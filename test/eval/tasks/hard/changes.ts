import { all, contains, holds, keeps, nowhere, passes } from '../checks.js';
import { edited, testScript } from '../files.js';
import type { EvalTask } from '../task.js';

/** An order goes from the text through the model and the sums to the page. */
const orders = {
  'src/parse.mjs':
    '/** Reads a line such as `3 x Pen @ 120`: amount, name, price in cents. */\nexport function parse(line) {\n  const [, amount, name, price] = /^(\\d+) x (.+) @ (\\d+)$/.exec(line);\n  return { amount: Number(amount), name, price: Number(price) };\n}\n',
  'src/totals.mjs':
    '/** What an order costs, in cents. */\nexport const total = (order) => order.reduce((sum, { amount, price }) => sum + amount * price, 0);\n',
  'src/page.mjs':
    "import { total } from './totals.mjs';\n\nconst money = (cents) => (cents / 100).toFixed(2);\n\nexport function page(order) {\n  const lines = order.map(({ amount, name, price }) => `${amount} ${name}: ${money(amount * price)}`);\n  return [...lines, `Total: ${money(total(order))}`].join('\\n');\n}\n",
  'README.md': '# Orders\n\nA line of an order is `3 x Pen @ 120`: amount, name, price in cents.\n',
  'check.mjs': testScript("import { parse } from './src/parse.mjs';\nimport { page } from './src/page.mjs';", [
    "page(['3 x Pen @ 120', '1 x Ink @ 500'].map(parse)) === '3 Pen: 3.60\\n1 Ink: 5.00\\nTotal: 8.60'",
  ]),
};
const discountParse =
  "/** Reads a line such as `3 x Pen @ 120 -10%`: amount, name, price in cents, discount in percent. */\nexport function parse(line) {\n  const [, amount, name, price, discount = '0'] = /^(\\d+) x (.+) @ (\\d+)(?: -(\\d+)%)?$/.exec(line);\n  return { amount: Number(amount), name, price: Number(price), discount: Number(discount) };\n}\n";
const discountTotals =
  '/** What a line of an order costs, in cents. */\nexport const cost = ({ amount, price, discount }) => Math.round((amount * price * (100 - discount)) / 100);\n\n/** What an order costs, in cents. */\nexport const total = (order) => order.reduce((sum, line) => sum + cost(line), 0);\n';
const discountPage =
  "import { cost, total } from './totals.mjs';\n\nconst money = (cents) => (cents / 100).toFixed(2);\n\nexport function page(order) {\n  const lines = order.map((line) => `${line.amount} ${line.name}: ${money(cost(line))}`);\n  return [...lines, `Total: ${money(total(order))}`].join('\\n');\n}\n";
const discountReadme = `${orders['README.md']}A discount may follow: \`3 x Pen @ 120 -10%\`.\n`;

const validation = (field: string): string =>
  `  if (typeof ${field} !== 'string') throw new TypeError('${field} must be text');\n  if (${field}.trim() === '') throw new RangeError('${field} must not be empty');\n  if (${field}.length > 40) throw new RangeError('${field} is too long');\n`;
const people = {
  'people.mjs': `export function addPerson(list, name) {\n${validation('name')}  return [...list, { name }];\n}\n\nexport function renamePerson(list, at, name) {\n${validation('name')}  return list.map((person, index) => (index === at ? { ...person, name } : person));\n}\n`,
  'teams.mjs': `export function addTeam(list, title) {\n${validation('title')}  return [...list, { title, people: [] }];\n}\n`,
  'check.mjs': testScript(
    "import { addPerson, renamePerson } from './people.mjs';\nimport { addTeam } from './teams.mjs';\nconst failure = (work) => { try { work(); return ''; } catch (error) { return `${error.name}: ${error.message}`; } };",
    [
      "addPerson([], 'Ann')[0].name === 'Ann'",
      "renamePerson([{ name: 'Ann' }], 0, 'Bo')[0].name === 'Bo'",
      "addTeam([], 'Red')[0].people.length === 0",
      "failure(() => addPerson([], 3)) === 'TypeError: name must be text'",
      "failure(() => renamePerson([], 0, ' ')) === 'RangeError: name must not be empty'",
      "failure(() => addTeam([], 'x'.repeat(41))) === 'RangeError: title is too long'",
    ],
  ),
};
const sharedCheck =
  "/** @throws when a value cannot be the text of a field */\nexport function checkText(value, field) {\n  if (typeof value !== 'string') throw new TypeError(`${field} must be text`);\n  if (value.trim() === '') throw new RangeError(`${field} must not be empty`);\n  if (value.length > 40) throw new RangeError(`${field} is too long`);\n}\n";

/** A function under a name, used in several ways: called, in a table by its name, in words; another name begins like it. */
function users(name: string): Readonly<Record<string, string>> {
  return {
    'src/users.mjs': `export const ${name} = (id) => ({ id, name: \`user \${id}\` });\nexport const fetchUserAgent = () => 'agent/1';\n`,
    'src/index.mjs': `export { ${name}, fetchUserAgent } from './users.mjs';\n`,
    'src/actions.mjs': `import * as all from './index.mjs';\n\nconst byCommand = { user: '${name}', agent: 'fetchUserAgent' };\nexport const act = (command, ...args) => all[byCommand[command]](...args);\n`,
    'src/page.mjs': `import { ${name} as load } from './index.mjs';\n\nexport const title = (id) => load(id).name;\n`,
    'docs/api.md': `# API\n\n- \`${name}(id)\`: a user.\n- \`fetchUserAgent()\`: who asks.\n`,
    'check.mjs': testScript(`import { act } from './src/actions.mjs';\nimport { title } from './src/page.mjs';`, [
      "act('user', 3).id === 3",
      "act('agent') === 'agent/1'",
      "title(4) === 'user 4'",
    ]),
  };
}

const flagged = {
  'src/flags.mjs': 'export const flags = { newSearch: true, darkMode: false };\n',
  'src/search.mjs':
    "import { flags } from './flags.mjs';\nimport { oldSearch } from './old-search.mjs';\n\nexport function search(list, text) {\n  if (!flags.newSearch) return oldSearch(list, text);\n  const wanted = text.toLowerCase();\n  return list.filter((entry) => entry.toLowerCase().includes(wanted));\n}\n",
  'src/old-search.mjs': 'export const oldSearch = (list, text) => list.filter((entry) => entry === text);\n',
  'src/theme.mjs': "import { flags } from './flags.mjs';\n\nexport const theme = () => (flags.darkMode ? 'dark' : 'light');\n",
  'src/box.mjs':
    "import { flags } from './flags.mjs';\nimport { search } from './search.mjs';\n\nexport const box = (list, text) => ({ hint: flags.newSearch ? 'Search anything' : 'Search exact names', found: search(list, text) });\n",
  'check.mjs': testScript("import { box } from './src/box.mjs';\nimport { theme } from './src/theme.mjs';", [
    "box(['Pen', 'Ink'], 'pen').found.join() === 'Pen'",
    "box([], '').hint === 'Search anything'",
    "theme() === 'light'",
  ]),
};
const unflagged = {
  'src/flags.mjs': 'export const flags = { darkMode: false };\n',
  'src/search.mjs':
    'export function search(list, text) {\n  const wanted = text.toLowerCase();\n  return list.filter((entry) => entry.toLowerCase().includes(wanted));\n}\n',
  'src/old-search.mjs': undefined,
  'src/box.mjs': "import { search } from './search.mjs';\n\nexport const box = (list, text) => ({ hint: 'Search anything', found: search(list, text) });\n",
};

const format = `# The format

- A line is \`key = value\`. Spaces around both do not count.
- Blank lines and lines that begin with \`#\`, also after spaces, are left out. A \`#\` elsewhere is a part of the value.
- A value in double quotes keeps its spaces; in it, \`\\"\` is a quote and \`\\n\` a line break. Nothing else is escaped.
- \`[name]\` begins a section: the keys after it are \`name.key\`.
- When a key comes again, the last one counts.
- A line that is nothing of this is an error: \`Line 3 is not understood.\`, counted from 1.
`;
const parser = `/** Reads a text as docs/format.md says. */
export function parse(text) {
  const values = {};
  let section = '';
  for (const [index, raw] of text.split(/\\r?\\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, name] = /^\\[([^\\]]+)\\]$/.exec(line) ?? [];
    if (name !== undefined) {
      section = \`\${name.trim()}.\`;
      continue;
    }
    const at = line.indexOf('=');
    if (at <= 0) throw new Error(\`Line \${index + 1} is not understood.\`);
    values[section + line.slice(0, at).trim()] = valueOf(line.slice(at + 1).trim());
  }
  return values;
}

function valueOf(text) {
  if (!/^".*"$/.test(text)) return text;
  return text.slice(1, -1).replace(/\\\\(["n])/g, (_, letter) => (letter === 'n' ? '\\n' : '"'));
}
`;

const slowUnique =
  '/** The items whose keys were not there before, in order. */\nexport function uniqueBy(items, keyOf) {\n  return items.filter((item, index) => items.findIndex((other) => keyOf(other) === keyOf(item)) === index);\n}\n';
const fastUnique =
  '/** The items whose keys were not there before, in order. */\nexport function uniqueBy(items, keyOf) {\n  const seen = new Set();\n  return items.filter((item) => {\n    const key = keyOf(item);\n    return !seen.has(key) && seen.add(key);\n  });\n}\n';

/** Tasks that change code in several places, or must get everything right at once. */
export const changes: readonly EvalTask[] = [
  {
    name: 'feature-over-files',
    prompt:
      'A line of an order may end with a discount, such as `3 x Pen @ 120 -10%`. Support that everywhere: when orders are read, in the sums (each line rounded to whole cents) and on the page, which shows what a line costs after its discount. Mention it in the README. Lines without a discount stay as they are; node check.mjs must pass.',
    files: orders,
    check: all(
      keeps('check.mjs'),
      passes('check.mjs'),
      contains('README.md', /-\s?\d+\s?%/),
      holds(
        "import { parse } from './src/parse.mjs';\nimport { page } from './src/page.mjs';\nimport { total } from './src/totals.mjs';\nconst order = ['3 x Pen @ 120 -10%', '1 x Ink @ 333 -50%', '2 x Red Cap @ 100'].map(parse);",
        ["order[0].name === 'Pen'", 'total(order) === 324 + 167 + 200', "page(order) === '3 Pen: 3.24\\n1 Ink: 1.67\\n2 Red Cap: 2.00\\nTotal: 6.91'"],
      ),
    ),
    solution: { files: { 'src/parse.mjs': discountParse, 'src/totals.mjs': discountTotals, 'src/page.mjs': discountPage, 'README.md': discountReadme } },
    wrong: [
      { files: { 'src/parse.mjs': discountParse, 'src/totals.mjs': discountTotals, 'README.md': discountReadme } },
      { files: { 'src/parse.mjs': discountParse, 'src/totals.mjs': discountTotals, 'src/page.mjs': discountPage } },
    ],
  },
  {
    name: 'refactor-duplicates',
    prompt:
      'The same three checks of a text are written in people.mjs and teams.mjs again and again. Put them into one function in text-checks.mjs and use it everywhere. Nothing else about the behavior may change, error messages included; node check.mjs must stay green.',
    files: people,
    check: all(
      keeps('check.mjs'),
      passes('check.mjs'),
      contains('people.mjs', /text-checks\.mjs/),
      contains('teams.mjs', /text-checks\.mjs/),
      nowhere(/RangeError/, 'text-checks.mjs', 'check.mjs'),
    ),
    solution: {
      files: {
        'text-checks.mjs': sharedCheck,
        'people.mjs': `import { checkText } from './text-checks.mjs';\n\n${people['people.mjs'].replaceAll(validation('name'), "  checkText(name, 'name');\n")}`,
        'teams.mjs': `import { checkText } from './text-checks.mjs';\n\n${people['teams.mjs'].replaceAll(validation('title'), "  checkText(title, 'title');\n")}`,
      },
    },
    wrong: [
      {
        files: {
          'text-checks.mjs': sharedCheck,
          'people.mjs': `import { checkText } from './text-checks.mjs';\n\n${people['people.mjs'].replaceAll(validation('name'), "  checkText(name, 'name');\n")}`,
        },
      },
      {
        files: {
          'text-checks.mjs': sharedCheck,
          'people.mjs': `import { checkText } from './text-checks.mjs';\n\n${people['people.mjs'].replaceAll(validation('name'), "  checkText(name, 'name');\n")}`,
          'teams.mjs': `import { checkText } from './text-checks.mjs';\n\n${people['teams.mjs'].replaceAll(validation('title'), "  checkText(title, 'name');\n")}`,
        },
      },
    ],
  },
  {
    name: 'refactor-rename-over-files',
    prompt: 'Rename fetchUser to loadUser in the whole project, documentation included. fetchUserAgent keeps its name. node check.mjs must pass.',
    files: users('fetchUser'),
    check: all(
      keeps('check.mjs'),
      passes('check.mjs'),
      nowhere(/fetchUser(?!Agent)/, 'check.mjs'),
      contains('docs/api.md', /loadUser\(id\)/),
      contains('src/users.mjs', /fetchUserAgent/),
    ),
    solution: { files: users('loadUser') },
    wrong: [
      { files: { ...users('loadUser'), 'src/actions.mjs': users('fetchUser')['src/actions.mjs'] } },
      { files: Object.fromEntries(Object.entries(users('fetchUser')).map(([path, text]) => [path, text.replaceAll('fetchUser', 'loadUser')])) },
      { files: { ...users('loadUser'), 'docs/api.md': users('fetchUser')['docs/api.md'] } },
    ],
  },
  {
    name: 'refactor-remove-flag',
    prompt:
      'The flag newSearch is on for everybody. Remove it with everything that was only there for when it is off. The other flag stays. node check.mjs must pass.',
    files: flagged,
    check: all(
      keeps('check.mjs', 'src/theme.mjs'),
      passes('check.mjs'),
      nowhere(/newSearch|oldSearch|old-search|exact names/),
      contains('src/flags.mjs', /darkMode: false/),
      async ({ read }) => ((await read('src/old-search.mjs')) === undefined ? undefined : 'src/old-search.mjs is still there.'),
    ),
    solution: { files: unflagged },
    wrong: [{ files: { 'src/flags.mjs': unflagged['src/flags.mjs'] } }, { files: { ...unflagged, 'src/old-search.mjs': 'export {};\n' } }],
  },
  {
    name: 'feature-from-a-specification',
    prompt:
      'Write parse.mjs, which exports parse(text) for the format that docs/format.md describes: it gives an object with all keys and their values as text. Keep to every line of it; it is tested with cases that are not here.',
    files: { 'docs/format.md': format },
    check: all(
      keeps('docs/format.md'),
      holds("import { parse } from './parse.mjs';\nconst failure = (text) => { try { parse(text); return ''; } catch (error) { return error.message; } };", [
        "parse('a = 1\\n\\n  # no\\nb=2').b === '2'",
        "parse('a = 1 # one').a === '1 # one'",
        "parse('a = \"  x  \"').a === '  x  '",
        String.raw`parse('a = "say \\"hi\\"\\n\\t"').a === 'say "hi"\n\\t'`,
        "parse('[net]\\nport = 1\\n[disk]\\nport = 2')['net.port'] === '1'",
        "parse('a = 1\\na = x = y').a === 'x = y'",
        "failure('a = 1\\n# no\\nnothing') === 'Line 3 is not understood.'",
        "Object.keys(parse('')).length === 0",
      ]),
    ),
    solution: { files: { 'parse.mjs': parser } },
    wrong: [
      {
        files: {
          'parse.mjs': edited(
            parser,
            'if (!/^".*"$/.test(text)) return text;',
            'text = text.split(\'#\')[0].trim();\n  if (!/^".*"$/.test(text)) return text;',
          ),
        },
      },
      { files: { 'parse.mjs': edited(parser, 'index + 1', 'index') } },
    ],
  },
  {
    name: 'feature-faster',
    prompt:
      'uniqueBy in unique.mjs takes minutes for long lists. Make it fast for a million items with the same results, and ask for the key of each item only once.',
    files: { 'unique.mjs': slowUnique },
    // Counted, not timed: the same on every machine.
    check: holds(
      "import { uniqueBy } from './unique.mjs';\nlet asked = 0;\nconst items = Array.from({ length: 2000 }, (_, id) => ({ id, key: id % 1500 }));\nconst found = uniqueBy(items, ({ key }) => { asked += 1; return key; });",
      [
        'asked === 2000',
        'found.map(({ id }) => id).join() === items.slice(0, 1500).map(({ id }) => id).join()',
        'uniqueBy([0, undefined, undefined, null, 0], (item) => item).length === 3',
        'uniqueBy([], (item) => item).length === 0',
      ],
    ),
    solution: { files: { 'unique.mjs': fastUnique } },
    alternatives: [
      {
        files: {
          'unique.mjs':
            'export function uniqueBy(items, keyOf) {\n  const found = new Map();\n  for (const item of items) {\n    const key = keyOf(item);\n    if (!found.has(key)) found.set(key, item);\n  }\n  return [...found.values()];\n}\n',
        },
      },
    ],
    wrong: [
      {
        files: {
          'unique.mjs': edited(
            fastUnique,
            'return !seen.has(key) && seen.add(key);',
            'if (seen.has(key)) return false;\n    seen.add(key);\n    return keyOf(item) === key;',
          ),
        },
      },
      {
        files: {
          'unique.mjs': '/** The items. */\nexport const uniqueBy = (items, keyOf) => [...new Map(items.map((item) => [keyOf(item), item])).values()];\n',
        },
      },
    ],
  },
];
