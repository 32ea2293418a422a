import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bindingOf } from '../../src/text/command-line/bind.js';
import { Random } from '../support/option-fuzz/random.js';
import { FUZZ_SECONDS, FUZZ_SEED as SEED } from '../support/runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** As for the other fuzz tests, of which this one takes a small part of the time. */
const SECONDS = Math.min(10, FUZZ_SECONDS / 3);

/** What lines are made of: the syntax of the shell, and ways to run one script. */
const PARTS = [
  ...[
    "'",
    '"',
    '\\',
    '$(',
    ')',
    '`',
    '(',
    ';',
    ' ',
    ' ',
    ' ',
    '\n',
    '#',
    '{ ',
    ' }',
    ' && ',
    ' | ',
    '<<<',
    '>',
    '$',
    '=',
    '[',
    ']',
    '$((',
    '))',
    '${',
    '}',
    '<(',
    "$'",
    ' || ',
    '! ',
    '&',
    ';;',
    '<',
    '[[ ',
    ' ]]',
    '*',
    '?',
    '\t',
    '-',
    '2>&1',
    '<<',
  ],
  ...[
    'echo',
    'eval ',
    'bash -c ',
    'sh ',
    'bash ',
    'source ',
    '. ',
    'if ',
    'then ',
    'fi',
    'while ',
    'do ',
    'done',
    'case ',
    'in ',
    'esac',
    'export ',
    'coproc ',
    'function ',
    'f',
    '()',
    'time ',
    'exec ',
    'command ',
    'env ',
    '-c',
    '+x ',
    'a',
    'x',
    'E',
  ],
  ...['bash tools/x.log', './tools/x.log', 'cd tools', './x.log', 'tools/', '/x.log', 'D=tools; ', '$D', '"$D"', '${D:-', '${D-x}'],
];

test(
  'a script that Bash runs for a line is bound, or is told of',
  () => {
    const random = new Random(SEED);
    const folder = temporaryFolder();
    const holes: string[] = [];
    for (const end = Date.now() + SECONDS * 1_000; Date.now() < end;) {
      const line = Array.from({ length: 2 + random.below(9) }, () => PARTS[random.below(PARTS.length)]).join('');
      const { files, notBound } = bindingOf({ line: { text: line, shell: 'posix' }, folder, home: '/nowhere', env: {}, places: {} }, { cwd: '.', paths: [] });
      if (!line.includes('x.log') || files.includes('tools/x.log') || notBound.some(({ kind }) => kind !== 'script' && kind !== 'program')) continue;
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(join(folder, 'tools'), { recursive: true });
      writeFileSync(join(folder, 'tools/x.log'), `echo ran > '${folder}/ran'\n`);
      chmodSync(join(folder, 'tools/x.log'), 0o755);
      spawnSync('bash', ['--noprofile', '--norc', '-c', line], { cwd: folder, env: { PATH: '/usr/bin:/bin' }, timeout: 2_000, stdio: 'ignore' });
      if (existsSync(join(folder, 'ran'))) holes.push(line);
    }
    expect(holes).toEqual([]);
  },
  (SECONDS + 60) * 1_000,
);
