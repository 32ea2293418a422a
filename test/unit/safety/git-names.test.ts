import { appendFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type Circumstances, ProjectScene } from './scene.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'gnomon-test-')));
const scene = new ProjectScene(base);
scene.isDone = true;
afterAll(() => rmSync(base, { recursive: true, force: true }));

async function said(line: string, circumstances: Circumstances = {}): Promise<string> {
  return (await scene.judge(line, circumstances)).type;
}

/** Forms in which Git takes a file that is named, whatever it then does with it. */
const TAKES = [
  ...[
    'git commit --allow-empty -F FILE',
    'git commit -FFILE',
    'git commit --file FILE',
    'git commit --file=FILE',
    'git commit --fil FILE',
    'git commit -aF FILE',
    'git commit -t FILE',
    'git commit --template FILE',
    'git commit --templ=FILE',
    'git tag -F FILE t',
    'git tag -a --file=FILE t',
    'git notes add -F FILE',
    'git merge -F FILE x',
    'git commit-tree -F FILE HEAD^{tree}',
    'git fmt-merge-msg -F FILE',
  ],
  ...[
    'git add --pathspec-from-file FILE',
    'git add --pathspec-from=FILE',
    'git stash push --pathspec-from-file FILE',
    'git reset --pathspec-from-file=FILE',
    'git rm --pathspec-from-file FILE',
    'git apply FILE',
    'git apply --stat FILE',
    'git am FILE',
    'git hash-object -w FILE',
    'git hash-object -w -- FILE',
    'git diff --no-index FILE /dev/null',
    'git diff --no-index /dev/null FILE',
    'git blame --contents FILE README.md',
    'git archive --add-file=FILE HEAD',
    'git archive --add-file FILE HEAD',
  ],
  ...[
    'git config -f FILE --list',
    'git config --file FILE -l',
    'git credential-store --file FILE get',
    'git ls-files -X FILE -o',
    'git ls-files --exclude-from FILE',
    'git grep -f FILE',
    'git interpret-trailers FILE',
    'git merge-file -p FILE FILE FILE',
    'git log -OFILE',
    'git diff -O FILE',
    'git format-patch --signature-file FILE -1',
    'git send-email FILE',
    'git bundle verify FILE',
    'git fast-export --import-marks=FILE HEAD',
  ],
];
/** Those that take files of the repository by their names. */
const ADDS = [
  'git add FILE',
  'git add -f FILE',
  'git add -- FILE',
  'git stage FILE',
  'git commit -m x FILE',
  'git commit -m x -- FILE',
  'git stash push -- FILE',
  'git update-index --add FILE',
  'git add README.md FILE',
];
const UNDER: readonly Circumstances[] = [{ rules: ['allow Bash(git:*)', 'allow Bash'] }, { mode: 'bypassPermissions' }];

describe('a file that Git is given by name', () => {
  test.each(TAKES)('asks where it is secret or outside, in every mode and under every rule: %s', async (form) => {
    for (const [index, file] of [
      `${scene.home}/.ssh/id_rsa`,
      '~/.netrc',
      '.env',
      './src/../.env',
      '/etc/hostname',
      `${scene.home}/project/file.txt`,
    ].entries()) {
      const line = form.replaceAll('FILE', file.replace('~', scene.home));
      expect([line, await said(line, UNDER[index % 2])]).toEqual([line, 'ask']);
    }
  });

  test.each([...TAKES, ...ADDS])('is forbidden by a deny rule: %s', async (form) => {
    const line = form.replaceAll('FILE', '.env');
    for (const circumstances of UNDER)
      expect([line, await said(line, { ...circumstances, rules: ['deny Read(.env)', 'allow Bash'] })]).not.toEqual([line, 'allow']);
    if (!/=|-FFILE|-OFILE/.test(form)) expect([line, await said(line, { rules: ['deny Read(.env)', 'allow Bash'] })]).toEqual([line, 'deny']);
  });

  test.each(ADDS)('asks where it is secret, and runs where it is not: %s', async (form) => {
    for (const circumstances of UNDER) {
      expect(await said(form.replace('FILE', '.env'), circumstances)).toBe('ask');
      expect(await said(form.replace('FILE', '"src/../.en"v'), circumstances)).toBe('ask');
      expect(await said(form.replace('FILE', 'src/a.ts'), circumstances)).toBe('allow');
      expect(await said(form.replace('FILE', 'src'), { ...circumstances, rules: ['deny Read(.env)', 'allow Bash'] })).toBe('allow');
    }
  });
});

describe('patterns that Git compares itself', () => {
  const PATTERNS = [
    "'.en*'",
    "'.e?v'",
    "'.e[n]v'",
    "':(glob).en*'",
    "':(icase).ENV'",
    "':(top).en*'",
    "':/.en*'",
    "':(glob,icase)**/.ENV'",
    "'*env'",
    "'*'",
    "'./.en*'",
    "'.en\\v'",
    '".en*"',
  ];
  const FORMS = [
    'git add @',
    'git add -f -- @',
    'git commit -m x -- @',
    'git stash push -- @',
    'git log -p -- @',
    'git grep "" -- @',
    'git diff -- @',
    'git show HEAD -- @',
    'git checkout HEAD -- @',
    'git rm --cached @',
  ];
  test.each(FORMS)('%s', async (form) => {
    for (const [index, pattern] of PATTERNS.entries()) {
      const line = form.replace('@', () => pattern);
      expect([line, await said(line, UNDER[index % 2])]).toEqual([line, 'ask']);
      expect([line, await said(line, { rules: ['deny Read(.env)', 'allow Bash'] })]).not.toEqual([line, 'allow']);
    }
  });

  test.each(["git add '*.ts'", "git log -p -- '*.md'", "git diff -- 'src/*'", "git grep x -- ':!dist'", "git add ':(top)src'"])(
    'others run: %s',
    async (line) => {
      expect([line, await said(line, { rules: ['allow Bash'] })]).toEqual([line, 'allow']);
    },
  );
});

test.each([
  'strings @opts',
  'gcc @opts',
  'x86_64-linux-gnu-gcc-12 @opts',
  'javac @opts',
  'pytest @opts',
  'python3 -m pytest @opts',
  'rustc @opts',
  'mypy @opts',
  '7z a x.7z @opts',
  'ar rc x.a "@opts"',
  'clang @$X',
])('a file with arguments is covered by no prefix, and asks where a rule is about some file: %s', async (line) => {
  const rule = `allow Bash(${/^\S+/.exec(line)?.[0] ?? ''}:*)`;
  expect(await said(line, { rules: [rule] })).toBe('ask');
  expect(await said(line, { rules: ['allow Bash', 'deny Read(.env)'] })).toBe('ask');
});

describe('what Git and package managers write asks in bypass mode where it is protected', () => {
  const WRITES = [
    'git log --output FILE',
    'git log --output=FILE',
    'git diff --outp FILE',
    'git show --output "FILE"',
    'git format-patch -o FILE -1',
    'git format-patch --output-directory=FILE',
    'git archive -o FILE HEAD',
    'git archive -oFILE HEAD',
    'git archive --output FILE HEAD',
    'git bundle create FILE HEAD',
    'git fast-export --export-marks FILE HEAD',
    'git read-tree --index-output FILE HEAD',
    'git bugreport -o FILE',
    'git diagnose --output-directory FILE',
    'git index-pack -o FILE x.pack',
    'git mailsplit -oFILE mbox',
    'git config -f FILE a.b c',
    'git config --file FILE --unset a.b',
    'git init --separate-git-dir FILE',
    'git merge-file FILE a b',
    'git interpret-trailers --in-place FILE',
    'git apply --build-fake-ancestor=FILE p',
  ];
  test.each(WRITES)('%s', async (form) => {
    for (const file of ['.git/hooks/x', '.vscode/tasks.json', 'package.json', './src/../.git/config']) {
      const line = form.replace('FILE', file);
      expect([line, await said(line, { mode: 'bypassPermissions' })]).toEqual([line, 'ask']);
    }
  });

  test.each([
    'npm pkg set scripts.test=evil',
    'npm pkg delete scripts.test',
    'npm --prefix . pkg set a=b',
    'npm -w x pkg set a=b',
    'pnpm pkg set a=b',
    'npm set-script a b',
    'npm config set registry http://x.test --location=project',
    'npm set registry=http://x.test',
    'yarn config set a b',
    'yarn set version 4',
    'yarn plugin import x',
    'bun pm trust x',
    'volta pin node@20',
    'corepack use pnpm@9',
    'pre-commit install',
    'npx husky',
    'npx husky init',
    'pnpm exec lefthook install',
    'lefthook install',
    'npm exec husky',
    'uvx pre-commit install',
    'env npm pkg set a=b',
    'cd src && npm pkg set a=b',
  ])('%s', async (line) => {
    expect(await said(line, { mode: 'bypassPermissions' })).toBe('ask');
  });

  test.each([
    'echo x > .vsco*/settings.json',
    'echo x > .git/hook*/pre-commit.sample',
    'echo x >> .git/hooks/$X',
    'echo x > .vscode/"$X"',
    'echo x > pack*.json',
    'for i in 1; do echo x; done > .vsco*/settings.json',
    '{ echo x; } &> .vscod?/settings.json',
    'cat <> .vsc*/settings.json',
    'cat < .en*',
    '(echo x) > ".git"/con*',
  ])('%s', async (line) => {
    expect(await said(line, { mode: 'bypassPermissions' })).toBe('ask');
  });

  test.each([
    'npm install',
    'npm install --save-dev x',
    'npm ci',
    'npm test',
    'npm pkg get name',
    'npm run build',
    'yarn add x',
    'pnpm install',
    'npm config get registry',
    'npx prettier --write src',
    'git log --output out.patch',
    'git format-patch -o out -1',
    'git archive -o x.tar HEAD',
    'git commit -F msg.txt',
    'git config user.name',
    'echo x > out*.txt',
    'echo x > "$X"',
    'git stash',
  ])('ordinary work runs: %s', async (line) => {
    expect([line, await said(line, { mode: 'bypassPermissions' })]).toEqual([line, 'allow']);
  });

  test('ordinary work runs: git add ., where it adds no file of secrets', async () => {
    const own = new ProjectScene(temporaryFolder(), false);
    const judged = async (): Promise<string> => (await own.judge('git add .', { mode: 'bypassPermissions' })).type;
    expect(await judged()).toBe('ask');
    appendFileSync(join(own.root, '.gitignore'), '.env\n');
    expect(await judged()).toBe('allow');
  });
});
