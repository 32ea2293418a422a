import { describe, expect, it } from 'vitest';
import type { Binding } from '../../../../src/domain/workspace/binding.js';
import { bindingOf, type Start } from '../../../../src/text/command-line/bind.js';
import { HIDDEN, lineOf, SEEN, SEEN_AND_TOLD } from '../../../support/hook-lines.js';
import { ALL_RUNS } from '../../../support/runs.js';

const PLACE = { folder: '/ws', home: '/home/me', env: {}, places: { CLAUDE_PROJECT_DIR: '/ws' } };

function bound(text: string, more: Partial<Start> = {}): Binding {
  return bindingOf({ line: { text, shell: 'posix' }, ...PLACE, ...more }, { cwd: '.', paths: [] });
}

/** A text as one word for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** What can be around a line. */
const AROUND: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => `(${line}\n)`,
  (line) => `{ ${line}\n}`,
  (line) => `if true; then ${line}\nfi`,
  (line) => `true && { ${line}\n} || echo no`,
  (line) => `while read -r x; do ${line}\ndone`,
  (line) => `x=$(${line}\n)`,
  (line) => `echo "$(${line}\n)"`,
  (line) => `cat <(${line}\n)`,
  (line) => `sh -c ${quoted(line)}`,
  (line) => `env A=b bash -ec ${quoted(line)}`,
  (line) => `eval ${quoted(line)}`,
  (line) => `# it’s a comment (\n${line}`,
  (line) => `echo 'a "b' "it's"; ${line}`,
  (line) => `f() { ${line}\n}; f`,
  (line) => `cd docs; cd ..; ${line}`,
  (line) => `A="x y" B=$'a\\'b' ; ${line} # end`,
];

describe('what a line runs', () => {
  it('H-41: is bound or told of, whatever is around it', () => {
    const wrong: string[] = [];
    let count = 0;
    for (const [index, form] of [...SEEN, ...SEEN_AND_TOLD, ...HIDDEN].entries()) {
      for (const [at, outer] of AROUND.entries()) {
        const steps = ALL_RUNS ? [0, 5, 11] : [[0, 5, 11][(index + at) % 3] ?? 0];
        for (const inner of steps.map((step) => AROUND[(index + at + step) % AROUND.length] ?? ((line: string) => line))) {
          const line = outer(inner(lineOf(form, 'x.log')));
          const { files, notBound } = bound(line);
          count += 1;
          if (!files.includes('tools/x.log') && !notBound.some(({ kind }) => kind !== 'script')) wrong.push(line);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(ALL_RUNS ? 6_000 : 2_000);
  });

  it('H-41: is seen through where each part is', () => {
    const telling = new Set(AROUND.slice(14));
    const wrong = SEEN.flatMap((form) =>
      AROUND.filter((around) => !telling.has(around)).flatMap((around) => {
        const line = around(lineOf(form, 'x.log'));
        const { files, notBound } = bound(line);
        return files.includes('tools/x.log') && notBound.every(({ kind }) => kind === 'script') ? [] : [line];
      }),
    );
    expect(wrong).toEqual([]);
  });
});

describe('variables of what runs', () => {
  it.each([
    [{ PATH: './tools:/usr/bin' }, ['tools']],
    [{ PYTHONPATH: 'lib:src/more' }, ['lib', 'src/more']],
    [{ PERL5OPT: '-Ilib' }, ['lib']],
    [{ NODE_OPTIONS: '--require ./lib/a.js --import=./lib/b.mjs' }, []],
    [{ ENV: 'test', NODE_ENV: 'test', PYTHONUNBUFFERED: '1', TOKEN: './x' }, []],
    [{ PATH: '.:..:/ws:~/bin' }, []],
  ])('H-41: are bound to the folders that they name: %j', (env, folders) => {
    expect(bound('true', { env }).folders.filter((path) => !path.includes('.') && !path.includes('-') && !path.startsWith('~'))).toEqual(folders);
  });

  it('H-41: steer programs, whoever sets them, and others do not', () => {
    const told = (env: Readonly<Record<string, string>>): readonly string[] =>
      bound('true', { env }).notBound.flatMap((reason) => (reason.kind === 'variable' ? [reason.text] : []));
    const steering = [
      'PATH',
      'NODE_OPTIONS',
      'NODE_PATH',
      'BASH_ENV',
      'ENV',
      'PYTHONPATH',
      'PYTHONSTARTUP',
      'PYTHONHOME',
      'PERL5LIB',
      'PERL5OPT',
      'RUBYOPT',
      'RUBYLIB',
      'LD_PRELOAD',
      'LD_LIBRARY_PATH',
      'DYLD_INSERT_LIBRARIES',
      'GIT_CONFIG_GLOBAL',
      'npm_config_registry',
      'JAVA_TOOL_OPTIONS',
      'HTTPS_PROXY',
      'UV_INDEX_URL',
      'PIP_INDEX_URL',
    ];
    expect(told(Object.fromEntries(steering.map((name) => [name, 'x'])))).toEqual(steering);
    expect(
      told({
        TOKEN: 'x',
        REGION: 'eu',
        NODE_ENV: 'test',
        PORT: '80',
        GITHUB_TOKEN: 'x',
        GOOGLE_API_KEY: 'x',
        DEBUG: '1',
        PYTHONUNBUFFERED: '1',
        SSH_AUTH_SOCK: '/x',
        LANG: 'de',
      }),
    ).toEqual([]);
    for (const name of steering) expect(bound(`${name}=x true`).notBound).toContainEqual({ kind: 'variable', text: name });
  });
});

describe('a line for another shell', () => {
  it('is not read, and said to be not bound as a whole', () => {
    expect(bound('.\\tools\\check.ps1', { line: { text: '.\\tools\\check.ps1', shell: 'other' } })).toMatchObject({ files: [], notBound: [{ kind: 'line' }] });
  });

  it.each([
    'echo "',
    "echo 'a",
    'cat <<X\na\nX',
    'a $(',
    'case a in b) c;; esac',
    'a;'.repeat(300),
    'a'.repeat(30_000),
    `${'$('.repeat(50)}a${')'.repeat(50)}`,
    'echo `a \\` b`',
    'a )',
  ])('nor is what cannot be read: %#', (text) => {
    expect(bound(text).notBound).toEqual([{ kind: 'line' }]);
  });
});
