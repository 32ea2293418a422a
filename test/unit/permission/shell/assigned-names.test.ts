import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { QUICK, temporaryFolder } from '../../../support/temporary-folder.js';
import { filesOf, isHarmless, loadAnalyzer, PLACE } from './rig.js';

const analyzer = await loadAnalyzer();
const BASH = ['/bin/bash', '/usr/bin/bash'].find((path) => existsSync(path)) ?? 'bash';

/** Ways to give the variable `f` the value `secret`, which a file of the folder, `opts`, holds. Source: bash(1). */
const SETS = [
  ...[
    'read -r f < opts',
    'read f < opts',
    'read -r -- f < opts',
    'read -rd "" f < opts',
    'read -ra f < opts',
    'read -a f < opts',
    'read -r "f" < opts',
    "read -r 'f' < opts",
    'read -r \\f < opts',
    'read -r f"" < opts',
    'read -r f\\\n < opts',
    "read -r $'f' < opts",
    "read -r $'\\x66' < opts",
    'n=f; read -r $n < opts',
    'read -r x f <<< "a secret"',
    're""ad -r f < opts',
    '\\read -r f < opts',
    'command read -r f < opts',
    'builtin read -r f < opts',
    'while read -r f; do break; done < opts',
    'until ! read -r f; do break; done < opts',
    'if read -r f; then :; fi < opts',
    '{ read -r f; } < opts',
  ],
  ...[
    'printf -v f secret',
    'printf -vf secret',
    'printf -v "f" %s secret',
    'pri""ntf -v f secret',
    'command printf -v f secret',
    'mapfile -t f < opts',
    'readarray -t f < opts',
    'mapfile -tn1 f < opts',
    'set -- -a secret; getopts a: x; f=$OPTARG',
    'OPTIND=1; set -- -s; getopts s f; f=${f}ecret',
    'declare f=secret',
    'declare -g f=secret',
    'declare "f=secret"',
    'n=f; declare $n=secret',
    'typeset f=secret',
    'export f=secret',
    'declare -n r=f; r=secret',
    'readonly f=secret',
    'local f=secret 2>/dev/null; f=secret',
  ],
  ...[
    'f=secret',
    'f+=x; f=secret',
    'f[0]=secret',
    'f=(secret)',
    'unset f; : ${f:=secret}',
    'unset f; : ${f=secret}',
    'unset f; echo "${f:=secret}"',
    'unset f; cat <<< "${f:=secret}" > /dev/null',
    'for f in secret; do :; done',
    'for f in secret; do break; done',
    'select f in secret; do break; done <<< 1',
    'eval f=secret',
    "eval 'f=secret'",
    'x=f=secret; eval "$x"',
    'source ./set',
    '. ./set',
    'g() { f=secret; }; g',
    'case x in x) f=secret;; esac',
    '[[ secret =~ (.*) ]] && f=${BASH_REMATCH[1]}',
    'true && f=secret',
    'false || f=secret',
    'x=1 f=secret',
    'let f=0; f=secret',
    '((f=0)); f=secret',
    'trap "f=secret" DEBUG; :',
  ],
];
/** Loops over other values in which that happens. */
const LOOPS = [
  'for f in a; do SET; cat "$f"; done',
  'for f in a b; do cat "$f"; SET; done',
  'for f in a; do SET\ncat -- "$f"\ndone',
  'for f in a; do for g in b; do SET; cat "$f"; done; done',
  'for f in a; do if true; then SET; fi; head -n 5 "$f"; done',
  'for f in {a,b}; do SET; grep "" "$f"; done',
  'for f in a?; do SET; cat "${f}"; done',
];

test('a value that anything in the text may set is not known: bash is the measure', () => {
  const folder = temporaryFolder(QUICK);
  for (const [name, text] of Object.entries({ a: 'plain', b: 'plain', ab: 'plain', secret: 'CANARY', opts: 'secret\n', set: 'f=secret\n' }))
    writeFileSync(join(folder, name), text);
  const place = { ...PLACE, cwd: folder };
  const lines = SETS.map((set, index) => (LOOPS[index % LOOPS.length] ?? '').replace('SET', () => set));
  const wrong: string[] = [];
  let printed = 0;
  for (const line of [...lines, ...SETS.map((set) => (LOOPS[0] ?? '').replace('SET', () => set))]) {
    const shows = spawnSync(BASH, ['--norc', '-c', line], { cwd: folder, encoding: 'utf8', timeout: 1_000, env: { PATH: '/usr/bin:/bin' } }).stdout.includes(
      'CANARY',
    );
    printed += shows ? 1 : 0;
    const analysis = analyzer.analyze(line, place);
    // Where the file is found, or what is read counts as not known, it is asked about.
    const isAsked =
      analysis.unreadable !== undefined ||
      analysis.commands.some(({ words, unknownFiles = [] }) => words.some((word) => word === undefined) || unknownFiles.includes('read')) ||
      filesOf(analysis).includes(`read ${folder}/secret`);
    if (shows && (isHarmless(analysis) || !isAsked)) wrong.push(line);
  }
  expect(wrong).toEqual([]);
  expect(printed).toBeGreaterThan(SETS.length);
});

test('where the home folder may be another one, no path below it is known', () => {
  const folder = temporaryFolder(QUICK);
  mkdirSync(join(folder, 'other'));
  for (const line of [
    'HOME=other; cat ~/f',
    'export HOME=/x && cat $HOME/f',
    'read -r HOME < opts; cat ~/f',
    'for HOME in /x; do cat "$HOME/f"; done',
    'printf -v HOME /x; cd && cat f',
    'HOME=/x bash -c "cat ~/f"',
    'unset PWD; PWD=/x; cat "$PWD/f"',
    'declare HOME=/x; cat ~/f',
  ]) {
    const { commands, files } = analyzer.analyze(line, PLACE);
    expect([line, files.filter(({ path, by }) => by !== 'word' && /^\/(?:home\/user|ws)\/f$/.test(path))]).toEqual([line, []]);
    expect([line, commands.some(({ doubts }) => doubts.length > 0)]).toEqual([line, true]);
  }
  // What it was until then is guarded all the same, and nothing else makes it forget.
  expect(filesOf(analyzer.analyze('HOME=$HOME; echo x > ~/.bashrc', PLACE))).toContain('write /home/user/.bashrc');
  expect(filesOf(analyzer.analyze("echo 'export A=1' >> ~/.bashrc", PLACE))).toContain('write /home/user/.bashrc');
});

test.each([
  'for f in src/*.ts; do wc -l "$f"; done',
  'for f in a b; do echo "== $f"; head -5 "$f"; done',
  'for f in a; do [ -f "$f" ] && cat "$f"; done',
  'for f in a; do cat "$f"; done; for f in b; do cat "$f"; done',
  'for f in a.ts; do echo "${f}"; cat "$f"; done',
  'for f in .; do ls "$f"; done',
  'while read -r l; do echo "$l"; done < a; cat ~/x',
  'for f in src/f.ts; do cat "$f"; done',
  'for x in a b; do cat "$x"; done',
])('what nothing sets keeps its values: %s', (line) => {
  const analysis = analyzer.analyze(line, PLACE);
  expect([isHarmless(analysis), analysis]).toEqual([true, analysis]);
});
