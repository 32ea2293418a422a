import { createHash } from 'node:crypto';
import { type Check, all, changesOnly, contains, exactly, holds, keeps } from '../checks.js';
import { edited } from '../files.js';
import type { EvalTask } from '../task.js';

const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
const server = crlf(
  "import { route } from './route.mjs';\n\nexport function handle(request) {\n  const { status, body } = route(request.path);\n  return { status, body };\n}\n\nexport function log(line) {\n  return `> ${line}`;\n}\n",
);
const serverLogged = edited(
  server,
  '  return { status, body };\r\n',
  '  if (status >= 400) return { status, body: `Error ${status}: ${body}` };\r\n  return { status, body };\r\n',
);
const route = "export const route = (path) => (path === '/' ? { status: 200, body: 'home' } : { status: 404, body: 'nothing here' });\n";

/** Lines of the large file; more than a model reads at once. */
const RATE_LINES = 6_000;
const FIRST_PLACE = 2_870;
const SECOND_PLACE = 4_711;
const rateLines = Array.from({ length: RATE_LINES }, (_, at) => {
  if (at === SECOND_PLACE) return `  K${FIRST_PLACE}: 0.5125,`;
  return `  K${at}: ${(((at * 7919) % 10_000) / 10_000).toFixed(4)},`;
});
const ratesOf = (lines: readonly string[]): string => `// Rates by code.\nexport const rates = {\n${lines.join('\n')}\n};\n`;
const rates = ratesOf(rateLines);
const ratesMended = ratesOf(rateLines.filter((_, at) => at !== FIRST_PLACE));

const release = {
  'RELEASE.md':
    '# How to make a release\n\nThe order matters; each step needs what the one before it made.\n\n1. Set the version in package.json.\n2. `node tools/stamp.mjs` writes stamp.txt.\n3. In CHANGELOG.md, change “Unreleased” to the version and the stamp: `## 2.0.0 (stamp)`.\n4. `node tools/bundle.mjs` writes dist/bundle.txt.\n5. Write the second line of dist/bundle.txt into release.txt, followed by a line break.\n',
  'package.json': '{\n  "name": "sample",\n  "version": "1.4.0"\n}\n',
  'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n- Faster.\n',
  'tools/stamp.mjs':
    "import { createHash } from 'node:crypto';\nimport { readFileSync, writeFileSync } from 'node:fs';\n\nconst { version } = JSON.parse(readFileSync('package.json', 'utf8'));\nwriteFileSync('stamp.txt', `${createHash('sha256').update(version).digest('hex').slice(0, 8)}\\n`);\n",
  'tools/bundle.mjs':
    "import { createHash } from 'node:crypto';\nimport { mkdirSync, readFileSync, writeFileSync } from 'node:fs';\n\nconst parts = ['package.json', 'stamp.txt', 'CHANGELOG.md'].map((name) => readFileSync(name, 'utf8'));\nmkdirSync('dist', { recursive: true });\nwriteFileSync('dist/bundle.txt', `bundle\\n${createHash('sha256').update(parts.join('')).digest('hex')}\\n`);\n",
};
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const stamp = sha256('2.0.0').slice(0, 8);
const released = {
  'package.json': edited(release['package.json'], '1.4.0', '2.0.0'),
  'stamp.txt': `${stamp}\n`,
  'CHANGELOG.md': edited(release['CHANGELOG.md'], 'Unreleased', `2.0.0 (${stamp})`),
};
const bundle = sha256(Object.values(released).join(''));

const counterServer =
  "// Prints its address, and adds up the numbers that it is sent: POST /add, GET /sum.\nimport { appendFileSync } from 'node:fs';\nimport { createServer } from 'node:http';\nimport { randomInt } from 'node:crypto';\n\nlet sum = randomInt(1000, 9_000_000);\nconst server = createServer(async (request, response) => {\n  let body = '';\n  for await (const chunk of request) body += chunk;\n  if (request.url === '/add') sum += Number(body);\n  response.end(`${sum}\\n`);\n  if (request.url === '/sum') appendFileSync('server.log', `sum ${sum}\\n`);\n  else appendFileSync('server.log', `${request.method} ${request.url} ${body}\\n`);\n});\nserver.listen(0, '127.0.0.1', () => console.log(`listening at http://127.0.0.1:${server.address().port}`));\n";
/** The sum begins at random, so the answer can only come from a server that ran. */
const askedServer: Check = async ({ read }) => {
  const log = ((await read('server.log')) ?? '').trim().split('\n');
  const [added, asked] = [log.indexOf('POST /add 25'), log.findLastIndex((line) => line.startsWith('sum '))];
  if (added < 0 || asked < added) return 'The server was not asked to add 25 and then for the sum.';
  return (await read('sum.txt'))?.trim() === log[asked]?.slice('sum '.length) ? undefined : 'sum.txt does not have the sum.';
};
const asking = [
  "import { readFileSync, writeFileSync } from 'node:fs';",
  "const [at] = /http.*/.exec(readFileSync('out.txt', 'utf8'));",
  "await (await fetch(`${at}/add`, { method: 'POST', body: '25' })).text();",
  "writeFileSync('sum.txt', await (await fetch(`${at}/sum`)).text());",
  '',
].join('\n');
const askServer = 'node server.mjs > out.txt & until grep -q listening out.txt; do sleep 0.02; done; node ask.mjs; kill $!';

/** Tasks about where and in which order. */
export const places: readonly EvalTask[] = [
  {
    name: 'edit-windows-file',
    prompt:
      'In server.mjs, handle must put “Error STATUS: ” before the body when the status is 400 or above, such as “Error 404: nothing here”. The file has Windows line endings; they stay.',
    files: { 'server.mjs': server, 'route.mjs': route },
    check: all(
      changesOnly('server.mjs'),
      async ({ read }) => (/(?<!\r)\n/.test((await read('server.mjs')) ?? '') ? 'server.mjs has lines that do not end with CR LF.' : undefined),
      holds("import { handle, log } from './server.mjs';", [
        "handle({ path: '/x' }).body === 'Error 404: nothing here'",
        "handle({ path: '/' }).body === 'home'",
        "handle({ path: '/x' }).status === 404",
        "log('a') === '> a'",
      ]),
    ),
    solution: { files: { 'server.mjs': serverLogged } },
    wrong: [
      { files: { 'server.mjs': serverLogged.replaceAll('\r\n', '\n') } },
      { files: { 'server.mjs': edited(serverLogged, '{\r\n  const { status', '{\n  const { status') } },
    ],
  },
  {
    name: 'edit-large-file',
    prompt: `In data/rates.mjs the code K${FIRST_PLACE} is there twice. Remove the first one; the second is right. Nothing else may change.`,
    files: { 'data/rates.mjs': rates },
    check: exactly('data/rates.mjs', ratesMended),
    solution: { files: { 'data/rates.mjs': ratesMended } },
    wrong: [
      { files: { 'data/rates.mjs': ratesOf(rateLines.filter((_, at) => at !== SECOND_PLACE)) } },
      { files: { 'data/rates.mjs': ratesOf(rateLines.slice(0, FIRST_PLACE)) } },
    ],
  },
  {
    name: 'steps-in-order',
    prompt: 'Make release 2.0.0 as RELEASE.md says, all of its steps.',
    files: release,
    check: all(
      keeps('RELEASE.md', 'tools/stamp.mjs', 'tools/bundle.mjs'),
      contains('package.json', /"version": "2\.0\.0"/),
      exactly('stamp.txt', released['stamp.txt']),
      contains('CHANGELOG.md', new RegExp(`^## 2\\.0\\.0 \\(${stamp}\\)$`, 'm')),
      async ({ copyWith, read }) => {
        const again = await copyWith({});
        if (!(await again.run('node tools/bundle.mjs')).ok) return 'node tools/bundle.mjs fails.';
        const made = await again.read('dist/bundle.txt');
        if ((await read('dist/bundle.txt')) !== made) return 'dist/bundle.txt was made before the other steps were done.';
        return (await read('release.txt')) === `${made?.split('\n')[1] ?? ''}\n` ? undefined : 'release.txt does not have the second line of dist/bundle.txt.';
      },
    ),
    solution: { files: { ...released, 'release.txt': `${bundle}\n` }, commands: ['node tools/bundle.mjs'] },
    wrong: [
      { files: { ...released, 'stamp.txt': `${sha256('1.4.0').slice(0, 8)}\n`, 'release.txt': `${bundle}\n` }, commands: ['node tools/bundle.mjs'] },
      { files: { ...released, 'release.txt': `${bundle}\n`, 'dist/bundle.txt': 'bundle\n0000\n' } },
    ],
  },
  {
    name: 'background-server',
    prompt:
      'Start server.mjs, send it the number 25 (POST /add), then ask it for the sum (GET /sum) and write that into sum.txt. Do not change server.mjs; it prints its address.',
    files: { 'server.mjs': counterServer },
    network: true,
    check: all(keeps('server.mjs'), askedServer),
    solution: { files: { 'ask.mjs': asking }, commands: [askServer] },
    wrong: [{ files: { 'sum.txt': '25\n' } }, { files: { 'ask.mjs': edited(asking, "body: '25'", "body: '24'") }, commands: [askServer] }],
  },
];
