import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ToolResultMessage } from '../../../src/domain/model/message.js';
import { createAgentSession } from '../../../src/engine/live-session.js';
import { createDiskDocuments } from '../../../src/node/files/disk-documents.js';
import { type LocalProcesses, createProcesses } from '../../../src/node/process/processes.js';
import { createRipgrepSearch } from '../../../src/node/search/ripgrep.js';
import { createWorkspace } from '../../../src/node/files/workspace.js';
import { createTools } from '../../../src/tool/index.js';
import { memorySession } from '../../support/memory-session.js';
import { type Script, ScriptedProvider, TEST_MODEL } from '../../support/scripted-provider/index.js';
import { textOf } from './rig.js';

/**
 * What a call must come to: the text of a good result, or of an error that the model can act on, and what a file must
 * hold afterwards.
 */
interface Outcome {
  readonly ok?: RegExp;
  readonly error?: RegExp;
  readonly file?: readonly [path: string, holds: RegExp];
}

/** A call as models write it: the name, the raw arguments, what must come of it. `{ws}` is the workspace folder. */
type Row = readonly [tool: string, args: string, outcome: Outcome];

const FILES: Readonly<Record<string, string>> = {
  'src/app.ts': [
    "import { greet } from './greet';",
    '',
    'export function main(name: string): void {',
    '  const message = greet(name);',
    '  console.log(message);   ',
    '  if (name === "") {',
    '    throw new Error("It’s empty");',
    '  }',
    '}',
    '',
  ].join('\n'),
  'src/greet.ts': 'export const greet = (name: string) => `Hello, ${name}!`;\n',
  'src/tabs.ts': 'export class A {\n\tone(): number {\n\t\treturn 1;\n\t}\n}\n',
  'src/crlf.ts': 'const a = 1;\r\nconst b = 2;\r\nconst c = 3;\r\n',
  'src/twice.ts': 'log("x");\nrun();\nlog("x");\n',
  'src/dollar.ts': "export const pattern = 'x';\n",
  'src/utf.ts': 'export const café = "naïve";\n',
  'docs/Guide.md': '# Guide\n\nUse the thing.  \nThen stop.\n',
  'data/big.txt': `${Array.from({ length: 5_000 }, (_, line) => `line ${line + 1}`).join('\n')}\n`,
  'data/blob.bin': '\u0000\u0001\u0002\u0003binary\u0000',
  'package.json': '{\n  "name": "sample",\n  "version": "1.0.0"\n}\n',
  'notes/empty.txt': '',
};

const json = (value: object): string => JSON.stringify(value);

const ROWS: readonly Row[] = [
  // Paths as models write them.
  ['read', json({ file_path: 'src/app.ts' }), { ok: /export function main/ }],
  ['read', json({ file_path: './src/app.ts' }), { ok: /export function main/ }],
  ['read', json({ file_path: '{ws}/src/app.ts' }), { ok: /export function main/ }],
  ['read', json({ file_path: '{ws}/src/../src/greet.ts' }), { ok: /Hello/ }],
  ['read', json({ file_path: 'src' }), { ok: /^app\.ts \d+ bytes\n.*crlf\.ts/ }],
  ['read', json({ file_path: 'src/App.ts' }), { error: /app\.ts/ }],
  ['read', json({ file_path: 'src/app.js' }), { error: /app\.ts/ }],
  ['read', json({ file_path: '' }), { error: /file_path/ }],
  ['read', json({ path: 'src/app.ts' }), { ok: /export function main[^]*\[Arguments: path was taken as file_path\.\]/ }],
  ['read', json({ file_path: 'src/app.ts', line: 3 }), { error: /line/ }],
  ['read', json({ file_path: 'notes/empty.txt' }), { ok: /empty/ }],
  ['read', json({ file_path: 'data/blob.bin' }), { error: /binary/ }],
  // Ranges.
  ['read', json({ file_path: 'data/big.txt', offset: 4_990 }), { ok: /line 5000/ }],
  ['read', json({ file_path: 'data/big.txt', offset: 10, limit: 2 }), { ok: /line 10\n.*line 11/ }],
  ['read', json({ file_path: 'data/big.txt' }), { ok: /PARTIAL.*2001/ }],
  ['read', json({ file_path: 'data/big.txt', offset: 6_000 }), { error: /5,?00[01]? lines/ }],
  ['read', json({ file_path: 'data/big.txt', offset: 0 }), { ok: /^1\tline 1\n[^]*offset 0 is out of range; 1 was used/ }],
  ['read', '{"file_path": "src/greet.ts", "limit": "1"}', { ok: /^1\texport const greet/ }],
  // Arguments that are not quite JSON.
  ['read', '{"file_path": "src/app.ts"', { error: /arguments/i }],
  ['read', '', { error: /file_path|arguments/i }],
  ['read', '"src/app.ts"', { error: /arguments|object/i }],
  ['read', '{"file_path": "src/app.ts"}{"file_path": "src/greet.ts"}', { error: /arguments/i }],
  ['read', '```json\n{"file_path": "src/app.ts"}\n```', { ok: /export function main/ }],
  ['read', JSON.stringify(json({ file_path: 'src/app.ts' })), { ok: /export function main/ }],
  ['read', 'null', { error: /arguments|object/i }],
  ['cat', json({ file_path: 'src/app.ts' }), { error: /read, .*bash/ }],
  ['Read', json({ file_path: 'src/app.ts' }), { ok: /export function main/ }],
  [' read_file ', json({ target_file: 'src/app.ts', end_line: 1 }), { ok: /^1\timport/ }],
  ['read', json({ file_path: 'src/app.ts', path: 'src/greet.ts' }), { error: /path and file_path mean the same/ }],
  // Edits that match.
  [
    'edit',
    json({ file_path: 'src/greet.ts', old_string: 'Hello', new_string: 'Hi' }),
    { ok: /line 1\.\nIt now reads:\n1\texport const greet = .*`Hi, /, file: ['src/greet.ts', /`Hi, \$\{name\}!`/] },
  ],
  [
    'edit',
    json({ file_path: '{ws}/src/greet.ts', old_string: '`Hi, ${name}!`', new_string: '`Good day, ${name}!`' }),
    { ok: /Edited/, file: ['src/greet.ts', /Good day/] },
  ],
  [
    'edit',
    json({ file_path: 'src/app.ts', old_string: '  console.log(message);\n', new_string: '  console.info(message);\n' }),
    { ok: /trailing|white space/i, file: ['src/app.ts', /console\.info/] },
  ],
  [
    'edit',
    json({ file_path: 'src/app.ts', old_string: 'throw new Error("It\'s empty");', new_string: 'throw new Error("It\'s blank");' }),
    { ok: /quot/i, file: ['src/app.ts', /blank/] },
  ],
  ['read', json({ file_path: 'src/tabs.ts' }), { ok: /return 1/ }],
  [
    'edit',
    json({ file_path: 'src/tabs.ts', old_string: '    return 1;', new_string: '    return 2;' }),
    { ok: /indentation/i, file: ['src/tabs.ts', /\t\treturn 2;/] },
  ],
  ['read', json({ file_path: 'src/crlf.ts' }), { ok: /const b/ }],
  [
    'edit',
    json({ file_path: 'src/crlf.ts', old_string: 'const a = 1;\nconst b = 2;', new_string: 'const a = 10;\nconst b = 20;' }),
    { ok: /Edited/, file: ['src/crlf.ts', /^const a = 10;\r\nconst b = 20;\r\nconst c = 3;\r\n$/] },
  ],
  ['read', json({ file_path: 'src/dollar.ts' }), { ok: /pattern/ }],
  ['edit', json({ file_path: 'src/dollar.ts', old_string: "'x'", new_string: "'$& $1 \\\\n'" }), { ok: /Edited/, file: ['src/dollar.ts', /'\$& \$1 \\\\n'/] }],
  ['read', json({ file_path: 'src/utf.ts' }), { ok: /café/ }],
  ['edit', json({ file_path: 'src/utf.ts', old_string: 'cafe\u0301', new_string: 'coffee' }), { ok: /Unicode|normal/i, file: ['src/utf.ts', /coffee/] }],
  // Edits that do not.
  ['edit', json({ file_path: 'src/app.ts', old_string: 'function start(', new_string: 'function begin(' }), { error: /not found/ }],
  ['read', json({ file_path: 'src/twice.ts' }), { ok: /run/ }],
  ['edit', json({ file_path: 'src/twice.ts', old_string: 'log("x");', new_string: 'log("y");' }), { error: /2 times[\s\S]*1[\s\S]*3/ }],
  [
    'edit',
    json({ file_path: 'src/twice.ts', old_string: 'log("x");', new_string: 'log("y");', replace_all: true }),
    { ok: /2 replacements/, file: ['src/twice.ts', /^log\("y"\);\nrun\(\);\nlog\("y"\);\n$/] },
  ],
  ['edit', json({ file_path: 'src/twice.ts', old_string: 'run();', new_string: 'run();' }), { error: /nothing|same/ }],
  ['edit', json({ file_path: 'src/twice.ts', old_string: '', new_string: 'x' }), { error: /old_string must not be empty: src\/twice\.ts exists.*use write/ }],
  [
    'edit',
    json({ file_path: 'src/made.ts', old_string: '', new_string: 'export {};\n' }),
    { ok: /Created src\/made\.ts: 1 line/, file: ['src/made.ts', /^export \{\};\n$/] },
  ],
  ['edit', json({ file_path: 'src/none.ts', old_string: 'a', new_string: 'b' }), { error: /none\.ts/ }],
  ['edit', json({ file_path: 'src/twice.ts' }), { error: /old_string/ }],
  // Several at once.
  ['read', json({ file_path: 'package.json' }), { ok: /1\.0\.0/ }],
  [
    'edit',
    json({
      file_path: 'package.json',
      edits: [
        { old_string: '"1.0.0"', new_string: '"1.1.0"' },
        { old_string: '"sample"', new_string: '"example"' },
      ],
    }),
    { ok: /2 replacements/, file: ['package.json', /"example",\n {2}"version": "1\.1\.0"/] },
  ],
  [
    'edit',
    json({ file_path: 'package.json', edits: json([{ old_string: '"1.1.0"', new_string: '"1.2.0"' }]) }),
    { ok: /Edited/, file: ['package.json', /1\.2\.0/] },
  ],
  [
    'edit',
    json({
      file_path: 'package.json',
      edits: [
        { old_string: '"1.2.0"', new_string: '"2.0.0"' },
        { old_string: 'nowhere', new_string: 'x' },
      ],
    }),
    { error: /2|second/, file: ['package.json', /1\.2\.0/] },
  ],
  // Text copied with the line numbers of read.
  ['read', json({ file_path: 'docs/Guide.md' }), { ok: /Use the thing/ }],
  [
    'edit',
    json({ file_path: 'docs/Guide.md', old_string: '4\tThen stop.', new_string: '4\tThen go on.' }),
    { ok: /number/i, file: ['docs/Guide.md', /^# Guide\n\nUse the thing. {2}\nThen go on\.\n$/] },
  ],
  // Writing.
  ['write', json({ file_path: 'lib/deep/new.ts', content: 'export {};\n' }), { ok: /lib\/deep\/new\.ts/, file: ['lib/deep/new.ts', /^export \{\};\n$/] }],
  [
    'write',
    json({ file_path: 'data/big.txt', content: 'line 1\n// ... rest of the file unchanged\n' }),
    { error: /rest|placeholder|fragment|whole/i, file: ['data/big.txt', /line 5000/] },
  ],
  ['write', json({ file_path: 'src', content: 'x' }), { error: /director|folder/i }],
  ['write', json({ file_path: 'lib/x.ts' }), { error: /content/ }],
  ['write', json({ file_path: 'lib/obj.json', content: { a: 1 } }), { error: /content/ }],
  // Searching.
  ['grep', json({ pattern: 'greet' }), { ok: /src\/app\.ts/ }],
  ['grep', json({ pattern: 'GOOD DAY', '-i': true, '-n': true }), { ok: /^src\/greet\.ts\n1:[^]*Good day[^[]*$/ }],
  ['grep', json({ pattern: 'console\\.(?!log)\\w+' }), { ok: /console\.info/ }],
  ['grep', json({ pattern: 'function (' }), { error: /regular expression|unclosed|paren/i }],
  ['grep', json({ pattern: 'nowhere-to-be-found' }), { ok: /No|no/ }],
  ['grep', json({ pattern: '--pre=./x' }), { ok: /No|no/ }],
  ['grep', json({ pattern: 'greet', path: 'no/such' }), { error: /no\/such/ }],
  ['glob', json({ pattern: '**/*.ts' }), { ok: /src\/app\.ts/ }],
  ['glob', json({ pattern: 'src/*.{ts,js}' }), { ok: /greet\.ts/ }],
  ['glob', json({ pattern: '*.md', path: 'docs' }), { ok: /Guide\.md/ }],
  ['glob', json({ pattern: '**/*.nothing' }), { ok: /No|no/ }],
  // Commands.
  ['bash', json({ command: 'echo hello && exit 3' }), { error: /hello[\s\S]*exit code 3/ }],
  ['bash', json({ command: 'cd src && ls' }), { ok: /app\.ts/ }],
  ['bash', json({ command: 'pwd', cwd: 'docs' }), { ok: /docs/ }],
  ['bash', json({ command: ['ls', '-la'] }), { ok: /package\.json/ }],
  ['shell', json({ command: ['bash', '-lc', 'cd src && ls'] }), { ok: /app\.ts/ }],
  ['bash', json({ cmd: 'ls' }), { ok: /package\.json/ }],
  ['list', json({ path: '{ws}' }), { ok: /^data\/\ndocs\/[^]*package\.json \d+ bytes/ }],
  ['bash', json({ command: 'sleep 60', timeout_ms: 300 }), { error: /time limit/ }],
  ['bash', json({ command: 'read answer' }), { error: /exit code 1/ }],
];

/** Calls of one answer; models rarely make more. */
const CALLS_PER_ANSWER = 4;

describe('a transcript of calls as models make them', () => {
  let folder: string;
  let processes: LocalProcesses;
  let results: readonly ToolResultMessage[];
  const held: (string | undefined)[] = [];

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'gnomon-transcript-')));
    for (const [path, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(folder, 'ws', path)), { recursive: true });
      await writeFile(join(folder, 'ws', path), text);
    }
    processes = createProcesses({ logFolder: join(folder, 'logs'), env: process.env });
    results = await play(join(folder, 'ws'));
  });
  afterAll(async () => {
    processes.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** Plays all rows in one session, and notes what the file of each holds right after it. */
  async function play(ws: string): Promise<readonly ToolResultMessage[]> {
    const workspace = createWorkspace(() => [{ name: 'ws', path: ws }], folder);
    const search = createRipgrepSearch(() => Promise.resolve(rgPath));
    const tools = createTools({ workspace, documents: createDiskDocuments(), search, processes, readGuard: () => Promise.resolve(() => true) });
    const answers = Array.from({ length: Math.ceil(ROWS.length / CALLS_PER_ANSWER) }, (_, at) =>
      ROWS.slice(at * CALLS_PER_ANSWER, (at + 1) * CALLS_PER_ANSWER),
    );
    const provider = new ScriptedProvider([
      ...answers.map((rows, at) => script(rows, at, ws)),
      [
        { type: 'text', index: 0, delta: 'Done.' },
        { type: 'stop', stopReason: 'end_turn', rawStopReason: 'end_turn' },
      ],
    ]);
    const session = createAgentSession({ ...memorySession({ systemPrompt: 'Work.', tools }), provider, model: TEST_MODEL });
    session.onEvent((event) => {
      if (event.type !== 'tool_result') return;
      const path = ROWS[held.length]?.[2].file?.[0];
      held.push(path === undefined ? undefined : readFileSync(join(ws, path), 'utf8'));
    });
    const turn = await session.send([{ type: 'text', text: 'Go.' }]).turn;
    expect(turn).toMatchObject({ end: 'end_turn' });
    return turn.messages.filter((message) => message.role === 'tool_result');
  }

  test('has at least 60 calls', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(60);
  });

  test.each(ROWS.map((row, at) => ({ at, row, name: `${row[0]} ${row[1].slice(0, 100)}` })))('$at: $name', ({ at, row: [, , outcome] }) => {
    const result = results[at];
    const text = result === undefined ? '' : textOf(result);
    const wanted = result?.isError === true ? outcome.error : outcome.ok;
    expect(wanted, `${result?.isError === true ? 'failed' : 'succeeded'}: ${text}`).toBeDefined();
    expect(text).toMatch(wanted ?? /^$/);
    if (outcome.file !== undefined) expect(held[at]).toMatch(outcome.file[1]);
  });
});

function script(rows: readonly Row[], answer: number, ws: string): Script {
  const calls = rows.flatMap(([name, args], at) => {
    const raw = args.replaceAll('{ws}', ws);
    return [
      { type: 'tool_call_begin' as const, index: at, id: `call-${answer}-${at}`, name },
      ...(raw === '' ? [] : [{ type: 'tool_call_delta' as const, index: at, delta: raw }]),
      { type: 'block_end' as const, index: at },
    ];
  });
  return [...calls, { type: 'stop', stopReason: 'tool_use', rawStopReason: 'tool_use' }];
}
