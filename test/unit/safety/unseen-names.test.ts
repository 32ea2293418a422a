import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ProjectScene } from './scene.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'gnomon-test-')));
const scene = new ProjectScene(base, false);

function put(name: string): void {
  const path = join(scene.root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'x\n');
}
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
    ...['cp -a %/. .', 'cp -r %/. ./', 'cp -R %/ .', 'cp --recursive %/. .', 'cp --archive -v %/. .', 'cp -rt . %/.', 'rsync -a %/ .', 'rsync -av --exclude x %/ ./', 'rsync %/. . -r', 'mv % src', 'mv %/* %/.[!.]* .'],
    ...['cp -r %/* src', 'cp %/sub/../.e* .', 'cp -a % src/copy', 'scp -r %/. .', 'cd % && cp -a . ..', 'timeout 5 cp -a %/. .', 'cp -a "%"/. "."'],
    ...['find % -exec cp {} . \\;', 'find % -type f -exec cp -t . {} +', "find % -name '.*' -exec mv {} . ';'", 'find -H % -exec cp {} src \\;', 'fd -H . % -x cp {} .', 'find %/deep -exec ln {} . \\;'],
  ];
  test.each(COPIES)('%s', async (line) => {
    put('trap/.envrc');
    put('trap/sub/.husky/x');
    put('trap/deep/er/.mcp.json');
    put('tame/a.txt');
    put('tame/sub/b.ts');
    put('tame/deep/c.ts');
    expect([line, await said(line.replaceAll('%', 'trap'))]).toEqual([line, ASKS]);
    // The shell finds no hidden names there, and a folder above is a reason by itself.
    if (!/\.e\*|\.\[|\.\./.test(line)) expect([line, (await said(line.replaceAll('%', 'tame'))).slice(0, 2)]).toEqual([line, RUNS]);
  });

  const WORDS = [
    ...['echo x > ${X:-.envrc}', 'echo x > ${X-.envrc}', 'echo x > ${X:=.envrc}', 'echo x >> ${X:-.env}rc', 'echo x > "${X:-.envrc}"', 'echo x > ./${X:-.envrc}', 'cat a > ${X+.envrc}', 'echo x > ${X/a/.envrc}', 'tee ${X:-.envrc} < a', 'cp a ${X:-.envrc}', 'touch "${X:-.envrc}"'],
    ...["sh -c 'echo x > $0' .envrc", "bash -c 'echo x > $1' _ .envrc", "sh -c 'cat a > \"$2\"' a b .envrc", "env X=.envrc sh -c 'echo x > $X'", "echo a | xargs sh -c 'echo x > $0' .envrc", "timeout 5 sh -c 'echo x > $0' .envrc", "eval 'echo x > $X' .envrc", "find . -maxdepth 0 -exec sh -c 'echo x > $0' .envrc \\;"],
  ];
  test.each(WORDS)('%s', async (line) => {
    expect([line, await said(line)]).toEqual([line, ASKS]);
    expect([line, (await said(line.replaceAll('.envrc', 'out.txt').replaceAll('.env}rc', 'out}.txt'))).slice(0, 2)]).toEqual([line, RUNS]);
  });

  const READS = ['echo .env | xargs git blame', 'echo .env | xargs git diff --', 'echo .env | xargs -n1 git add', 'printf .env | xargs git log -p --', 'find . -newer .env', 'find . -samefile .env', 'cat ${X:-.env}', 'head "${X:-.env}"', 'git blame ${X:-.env}', "sh -c 'cat $0' .env"];
  test.each(READS)('%s', async (line) => {
    expect([line, await said(line)]).toEqual([line, ASKS]);
  });
});

test.each(['npx tsc -p %', 'npx tsc --project %', 'npx tsc -b %', 'npx vue-tsc -p %'])('a rule for a compiler does not cover settings in another folder: %s', async (line) => {
  const rules = [`allow Bash(${line.replace(/ -.*$/, '')}:*)`];
  for (const place of ['evil/tsconfig.json', 'evil', './src/tsconfig.json', '../tsconfig.json']) expect([place, (await scene.judge(line.replace('%', place), { rules })).type]).toEqual([place, 'ask']);
  for (const place of ['.', 'tsconfig.json', './tsconfig.build.json']) expect([place, (await scene.judge(line.replace('%', place), { rules })).type]).toEqual([place, 'allow']);
});
