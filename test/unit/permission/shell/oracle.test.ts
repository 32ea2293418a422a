import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isHarmless, loadAnalyzer } from './rig.js';
import { runs as share } from '../../../support/runs.js';

/** What a real bash does with a line is the measure of what is said about it. */
const BASH = ['/bin/bash', '/usr/bin/bash'].find((path) => existsSync(path));
const analyzer = await loadAnalyzer();
const RUN_MS = 2_000;
/** Between the words and the commands that the stand-ins write down. */
const [WORD_END, COMMAND_END] = ['\x1e', '\x1f'];

let top = '';
let runs = 0;
beforeAll(async () => {
  top = await mkdtemp(join(tmpdir(), 'shell-oracle-'));
  await mkdir(join(top, 'bin'));
  for (const name of ['xa', 'xb', 'xc']) {
    // One write each, for several can run at once.
    const script = `#!${BASH ?? '/bin/sh'}\nall=${name}\nfor word in "$@"; do all+=$'\\x1e'"$word"; done\nprintf '%s\\x1f' "$all" >> "$LOG"\n`;
    await writeFile(join(top, 'bin', name), script);
    await chmod(join(top, 'bin', name), 0o755);
  }
});
afterAll(() => rm(top, { recursive: true, force: true }));

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // Nobody of the group is left.
  }
}

/** Runs a line in an empty folder. Returns the commands that the stand-ins were run with, and the files that came into being. */
async function run(line: string): Promise<{ readonly ran: readonly (readonly string[])[]; readonly files: readonly string[] }> {
  const folder = join(top, `run-${runs++}`);
  const log = `${folder}.log`;
  await mkdir(folder);
  const env = { PATH: `${join(top, 'bin')}:/usr/bin:/bin`, HOME: top, LOG: log, TERM: 'dumb' };
  await new Promise<void>((resolve) => {
    // A group of its own, for a line can leave endless loops in the background.
    const child = spawn(BASH ?? 'bash', ['--noprofile', '--norc', '-c', line], { cwd: folder, env, stdio: 'ignore', detached: true });
    const end = (): void => {
      if (child.pid !== undefined) killGroup(child.pid);
    };
    const timer = setTimeout(end, RUN_MS);
    child.once('error', () => resolve());
    child.once('exit', () => {
      clearTimeout(timer);
      end();
      resolve();
    });
  });
  const written = existsSync(log) ? await readFile(log, 'utf8') : '';
  return {
    ran: written
      .split(COMMAND_END)
      .slice(0, -1)
      .map((command) => command.split(WORD_END)),
    files: await readdir(folder),
  };
}

const pieces = (list: readonly string[], maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...list), { minLength: 1, maxLength }).map((parts) => parts.join(''));

/** Lines of which many are none, and some are read differently by careless readers. */
const MARKS = [
  ' ',
  ' ',
  '\n',
  ';',
  '|',
  '||',
  '&&',
  '(',
  ')',
  '{ ',
  '; }',
  '$(',
  ')',
  '`',
  '"',
  "'",
  '\\',
  '\\\n',
  '\\\n',
  '$',
  '$\\\n',
  '${x:-',
  '}',
  '#',
  ' #',
  '<',
  '>',
  '<(',
  '!',
  '*',
  '[',
  ']',
  '{',
  ',',
  '~',
  '=',
  '\r',
  '\t',
  "$'",
  '$"',
  '\\n',
];

test.runIf(BASH !== undefined)(
  'oracle: what is said to be harmless writes nothing when bash runs it',
  async () => {
    const alphabet = [
      ...MARKS,
      'touch PWN',
      ' touch PWN ',
      'ls',
      'ls ',
      'echo ',
      'cat ',
      'a',
      'x=',
      '<<E\n',
      '\nE\n',
      "<<'E'\n",
      '[[ ',
      ' ]]',
      'if ',
      '; then ',
      '; fi',
      'time ',
      'env ',
      'eval ',
      '$((',
      '))',
      '>PWN',
      '> PWN',
      '{touch,PWN}',
      'xargs ',
      'printf ',
      '-v ',
      "sed -n 's/a/b/",
      "w PWN'",
      'awk ',
      "'{print}'",
      'EOF',
    ];
    await fc.assert(
      fc.asyncProperty(pieces(alphabet, 12), fc.constantFrom('', 'ls ', 'echo ', 'echo "', 'ls; echo $(', 'cat <<E\n'), async (text, start) => {
        const line = `${start}${text}`;
        if (!isHarmless(analyzer.analyze(line, { cwd: top, home: top }))) return;
        expect({ line, ...(await run(line)) }).toEqual({ line, ran: [], files: [] });
      }),
      { numRuns: share(600) },
    );
  },
  120_000,
);

test.runIf(BASH !== undefined)(
  'oracle: every command that bash runs was found, word for word',
  async () => {
    const alphabet = [
      ...MARKS,
      'xa',
      'xa ',
      'xb ',
      ' xc',
      'a',
      'b c',
      '{a,b}',
      '"$x"',
      "'a b'",
      '<<<',
      '2>&1',
      'case a in a) ',
      ' ;; esac',
      'for x in a b',
      '; do ',
      '; done',
      'f() ',
      '[[ ',
      ' ]]',
      ' != ',
      'x=1 ',
      '\\"',
      '<<E\n',
      '\nE\n',
      "<<'E'\n",
      'time ',
      'command ',
      'env ',
      "bash -c '",
    ];
    await fc.assert(
      fc.asyncProperty(pieces(alphabet, 8), fc.constantFrom('xa ', 'xa "', 'xa; xb ', 'xa $(xb ', '{ xa ', '[[ ', 'x=', 'xa <<E\n'), async (text, start) => {
        const line = `${start}${text}`;
        const { commands, unreadable } = analyzer.analyze(line, { cwd: top, home: top });
        if (unreadable !== undefined || /\b(?:while|until)\b|&(?!&)/.test(line)) return;
        for (const argv of (await run(line)).ran) {
          const isFound = commands.some(({ words, doubts }) =>
            words.includes(undefined) || doubts.length > 0 ? fits(words, argv) : fits(words, argv) && words.length === argv.length,
          );
          if (!isFound) throw new Error(`${JSON.stringify(line)} ran ${JSON.stringify(argv)}, found were ${JSON.stringify(commands)}`);
        }
      }),
      { numRuns: share(400) },
    );
  },
  120_000,
);

/** Whether words can become others: up to the first one that only running tells. */
function fits(words: readonly (string | undefined)[], argv: readonly string[]): boolean {
  const known = words.findIndex((word) => word === undefined || /[*?[]/.test(word));
  return words.slice(0, known < 0 ? words.length : known).every((word, index) => word === argv[index]);
}

test.runIf(BASH !== undefined)('oracle: the ways to hide a command do run it in bash, so the tests above test something', async () => {
  for (const line of [
    'ls a\\\n#; touch PWN',
    "$'\\x74ouch' PWN",
    '{touch,PWN}',
    '[ a > PWN ]',
    "[[ 'a[$(touch PWN)0]' -eq 0 ]]",
    "printf -v 'a[$(touch PWN)0]' x",
    "test -v 'a[$(touch PWN)0]'",
    'case ${x:=$(touch PWN)} in a) ls;; esac',
    '[[ [<(touch PWN) != a ]]; until [ -e PWN ]; do :; done',
    'echo "$\\\n(touch PWN)"',
    'ls\n\\touch PWN',
  ]) {
    expect({ line, files: (await run(line)).files }).toEqual({ line, files: ['PWN'] });
    expect(isHarmless(analyzer.analyze(line, { cwd: top, home: top }))).toBe(false);
  }
});
