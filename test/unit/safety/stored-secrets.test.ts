import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyNth } from '../../support/runs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { reasonsOf } from '../permission/rig.js';
import { type Circumstances, ProjectScene } from './scene.js';

/** A project with a history in Git: commits, a tag, a stash, and what is changed but not committed. */
class HistoryScene extends ProjectScene {
  git(...args: readonly string[]): string {
    const settings = ['user.name=a', 'user.email=a@example.com', 'commit.gpgSign=false'].flatMap((setting) => ['-c', setting]);
    return execFileSync('git', [...settings, ...args], { cwd: this.root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  }

  put(name: string, text: string): void {
    mkdirSync(dirname(join(this.root, name)), { recursive: true });
    writeFileSync(join(this.root, name), text);
  }

  commit(files: Readonly<Record<string, string>>, message: string): void {
    for (const [name, text] of Object.entries(files)) this.put(name, text);
    this.git('add', '-f', ...Object.keys(files));
    this.git('commit', '-qm', message);
  }

  async said(command: string, circumstances: Circumstances = {}): Promise<string> {
    return (await this.judge(command, circumstances)).type;
  }
}

/** A repository in which secret files were committed, renamed, removed, tagged and stashed. */
function withSecrets(base: string): HistoryScene {
  const scene = new HistoryScene(base, false);
  scene.commit({ 'src/a.ts': 'export const a = 1;\n', 'src/b.ts': 'b\n' }, 'first');
  scene.commit({ '.env': 'TOKEN=canary\n', 'deploy/.aws/credentials': 'key = canary\n' }, 'secrets');
  scene.git('tag', 'with-secrets');
  scene.git('tag', 'blob', scene.git('rev-parse', 'HEAD:.env'));
  scene.git('tag', 'tree', scene.git('rev-parse', 'HEAD:deploy/.aws'));
  scene.put('.env', 'TOKEN=changed\n');
  scene.git('stash', '-q');
  scene.git('rm', '-rq', 'deploy');
  // A file whose name was that of a folder, and one that is named as a version is.
  scene.put('deploy', 'a file by now\n');
  scene.put('HEAD:.env', 'x\n');
  scene.commit({ 'src/a.ts': 'export const a = 2;\n' }, 'third');
  scene.commit({ 'src/a.ts': 'export const a = 3;\n' }, 'fourth');
  return scene;
}

/** The same without any secret. */
function withoutSecrets(base: string): HistoryScene {
  const scene = new HistoryScene(base, false);
  scene.commit({ 'src/a.ts': 'export const a = 1;\n', 'src/b.ts': 'b\n', 'README.md': '# A\n', '.env.example': 'TOKEN=\n', '.gitignore': '.env\n' }, 'first');
  scene.commit({ 'src/a.ts': 'export const a = 2;\n' }, 'second');
  scene.git('tag', 'v1');
  scene.put('src/a.ts', 'stashed\n');
  scene.git('stash', '-q');
  scene.put('src/b.ts', 'changed\n');
  scene.git('branch', 'topic');
  return scene;
}

const base = realpathSync(mkdtempSync(join(tmpdir(), 'gnomon-test-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let secret: HistoryScene;
let plain: HistoryScene;
let ids: Readonly<Record<string, string>> = {};
beforeAll(() => {
  secret = withSecrets(join(base, 'secret'));
  plain = withoutSecrets(join(base, 'plain'));
  secret.isDone = true;
  plain.isDone = true;
  ids = {
    BLOB: secret.git('rev-parse', 'HEAD:.env'),
    TREE: secret.git('rev-parse', 'with-secrets:deploy/.aws'),
    OLD: secret.git('rev-parse', 'with-secrets'),
    ORDINARY: plain.git('rev-parse', 'HEAD:src/a.ts'),
  };
});
const filled = (line: string): string => line.replaceAll(/BLOB|TREE|OLD|ORDINARY/g, (name) => ids[name] ?? name);

/** Forms that show stored text, where what they show holds a secret file. */
const SHOWS = [
  ...[
    'git log -p',
    'git log -p -3 OLD',
    'git log --patch --all',
    'git log -u',
    'git log -U1 OLD',
    'git log --word-diff',
    'git log -p with-secrets',
    'git log -p HEAD~3..HEAD',
    'git log -p -- deploy',
    "git log -p -- '.en*'",
    "git log -p -- ':(icase).ENV'",
    "git log -p -- ':(top)'",
    'git log -p --reverse',
    'git log -p --since=2000-01-01',
    'git log -Scanary --oneline',
    "git log -G'TOKEN=c' --oneline",
    'git log -p --no-merges',
  ],
  ...[
    'git show OLD',
    'git show with-secrets',
    'git show HEAD~2',
    'git show HEAD~3..HEAD~2',
    'git show BLOB',
    'git show blob',
    'git show BLOB -- src/a.ts',
    'git show stash@{0}',
    'git show stash',
    'git show refs/stash',
    'git show --format=%H OLD',
    'git show HEAD~1^',
  ],
  ...[
    'git diff HEAD~3 HEAD~2',
    'git diff HEAD~3',
    'git diff HEAD~3...HEAD~2',
    'git diff TREE HEAD:src',
    'git diff tree HEAD',
    'git diff BLOB HEAD:src/a.ts',
    'git diff with-secrets HEAD~3',
    'git diff stash@{0}',
    'git diff -R HEAD~3',
    'git diff HEAD~3 HEAD~2 -- deploy',
  ],
  ...[
    'git grep canary',
    'git grep -n x HEAD',
    'git grep -l TOKEN=c',
    'git grep -c x with-secrets',
    'git grep -q x tree',
    "git grep '' OLD",
    'git grep x BLOB -- src/a.ts',
    'git grep x TREE -- README.md',
    'git diff TREE HEAD:src -- README.md',
    "git grep '' -- '.e*'",
    'git grep x BLOB',
    'git grep -e x HEAD',
  ],
  ...[
    'git cat-file -p BLOB',
    'git cat-file -p blob',
    'git cat-file blob BLOB',
    'git stash show -p',
    'git stash show -p stash@{0}',
    'git stash list -p',
    'git stash show 0 -p',
  ],
];
/** A file that is named beside a folder, which is shown with all that is in it. */
const BESIDE = [
  'git grep x',
  'git grep -n x HEAD',
  'git log -p',
  'git log -p -9',
  'git log -p HEAD',
  'git log -Scanary',
  'git diff HEAD~3',
  'git diff HEAD~3 HEAD~2',
  'git show OLD',
].flatMap((shown) => [`${shown} README.md .`, `${shown} . src/a.ts`, `${shown} src/a.ts ./`, `${shown} src/a.ts src/../.`]);
/** Names that stand for something else in what is stored than on the disk. */
const OTHERWISE = [
  'git log -p -- deploy',
  'git log -p deploy',
  'git show OLD -- deploy',
  'git grep x OLD -- deploy',
  'git diff HEAD~3 HEAD~2 -- deploy',
  'git diff HEAD~3 HEAD~2 -- src/a.ts deploy',
  'git cat-file -p HEAD:.en?',
  'git cat-file -p H*',
  'git show HEAD:.e?v --',
  'git show H* -- README.md',
];
/** The same in ways whose options are not all known: under a rule for every command they run otherwise. */
const UNKNOWN = [
  ...[
    'git archive HEAD',
    'git archive with-secrets deploy',
    'git format-patch -3 --stdout',
    'git whatchanged -p',
    'git diff-tree -p HEAD~2',
    'git diff-index -p HEAD~3',
    'git fast-export --all',
    'git bundle create - --all',
    'git range-diff HEAD~3 HEAD~2 HEAD',
    'git unpack-file BLOB',
    'git cat-file --batch',
    'git cat-file --batch-all-objects --batch',
    'git log -p --color-words',
    'git log --cc -p',
    'git log -c',
    'git log --pat',
    'git log --binary',
    'git show -m OLD',
    'git show --textconv BLOB',
    'git diff --text HEAD~3',
  ],
  ...[
    'git --no-pager log -p',
    'git -c core.pager=cat log -p',
    'git -C src log -p',
    'git -C . show OLD',
    '/usr/bin/git show OLD',
    'command git show OLD',
    'git merge-tree HEAD~3 HEAD HEAD~2',
    'git rerere diff',
    'git notes add -C BLOB HEAD',
    'git config --blob BLOB -l',
    'git commit --dry-run -v -a',
    'git add -p',
    'git reset --patch HEAD~3',
    'git rebase --show-current-patch',
    'git upload-archive .',
    'git lg -p',
    "git for-each-ref --format='%(raw)'",
    "git for-each-ref --format='%(refname) %(*raw)'",
    "git tag -l --format='%(*raw)'",
    "git branch --list --format='%(*raw)'",
    'git reflog -p',
    'git log -p | head -5',
    'echo $(git show OLD)',
    'bash -c "git show OLD"',
    'cd src && git show OLD',
    'git tag t BLOB && git show t',
    'git "$X"',
  ],
];
const RULES: readonly Circumstances[] = [
  { rules: ['allow Bash(git:*)'] },
  { rules: ['allow Bash'] },
  { mode: 'acceptEdits', rules: ['allow Bash', 'allow Read'] },
  { mode: 'bypassPermissions' },
];

describe('what Git has stored of a secret file', () => {
  // Each of the rules and modes with every fourth line, and all of them with the first.
  const rows = [...SHOWS, ...UNKNOWN].flatMap((line, index) =>
    RULES.filter((_, at) => index === 0 || index % RULES.length === at).map((circumstances) => [line, circumstances] as const),
  );
  test.each(rows)('asks, under rules as well: %s, %j', async (line, circumstances) => {
    expect(await secret.said(filled(line), circumstances)).toBe('ask');
  });

  test.each(everyNth(SHOWS, 2))('does not run in default and plan mode: %s', async (line) => {
    expect(await secret.said(filled(line), { mode: line.length % 3 === 0 ? 'plan' : 'default' })).not.toBe('allow');
  });

  // A third with each spelling in turn.
  test.each([...everyNth(BESIDE, 3), ...OTHERWISE])('does not run, nor under a rule, whatever is on the disk: %s', async (line) => {
    expect([await secret.said(filled(line)), await secret.said(filled(line), { rules: ['allow Bash'] })]).toEqual(['ask', 'ask']);
  });

  test('is named where it is found, and shown by a rule that names it', async () => {
    const judgment = await secret.judge('git show OLD'.replace('OLD', ids['OLD'] ?? ''));
    expect(reasonsOf(judgment)).toMatch(/\.env/);
    expect(reasonsOf(judgment)).toMatch(/deploy\/\.aws\/credentials/);
    expect(judgment).toMatchObject({ type: 'ask', proposal: ['Read(/.env)', 'Read(deploy/.aws/credentials)'] });
    expect(await secret.said(filled('git show OLD'), { rules: ['allow Read(.env)', 'allow Read(deploy/.aws/**)'] })).toBe('allow');
    expect(await secret.said(filled('git show OLD'), { rules: ['allow Read(.env)'] })).toBe('ask');
  });

  test.each([
    'git log --oneline',
    'git log -5 --stat',
    'git show --stat',
    'git diff --name-only HEAD~3',
    'git status',
    'git show',
    'git show HEAD',
    'git log -p -1',
    'git log -p --max-count=1 HEAD',
    'git show HEAD^{tree}',
    'git diff',
    'git diff HEAD~1',
    'git diff HEAD~1 HEAD -- src',
    'git log -p -- src/a.ts',
    'git log -p src/b.ts',
    "git log -p -- '*.ts'",
    "git grep -n x -- '*.ts'",
    'git grep -n x -- src',
    'git show HEAD:src/a.ts',
    'git blame src/a.ts',
    'git cat-file -p HEAD',
    'git ls-tree -r HEAD',
    'git rev-parse HEAD:.env',
  ])('what shows none of it runs: %s', async (line) => {
    expect([line, await secret.said(line, { mode: line.length % 3 === 0 ? 'plan' : 'default' })]).toEqual([line, 'allow']);
  });
});

describe('in a repository without committed secret files', () => {
  const known = [...SHOWS, ...UNKNOWN.filter((line) => /^git (?:log|show|diff|grep|stash)/.test(line))];
  test.each([
    ...new Set([
      'git diff',
      'git diff --cached',
      'git diff HEAD',
      'git diff v1',
      'git diff topic...HEAD',
      'git show',
      'git show v1',
      'git log -p',
      'git log -p --all',
      'git stash show -p',
      'git stash list -p',
      'git grep -n foo',
      'git grep foo HEAD',
      'git status -v',
      'git show ORDINARY',
      'git cat-file -p ORDINARY',
      "git log -p -- '.ed*'",
      "git log -p -- ':!src'",
    ]),
  ])('runs as ever: %s', async (line) => {
    const rules = ['allow Bash'];
    expect([line, await plain.said(filled(line), { rules })]).toEqual([line, 'allow']);
    if (!/'/.test(line)) expect([line, await plain.said(filled(line))]).toEqual([line, 'allow']);
  });

  test('what is there only in other repositories shows nothing here', async () => {
    for (const line of known.filter((one) => /with-secrets|HEAD~[23]/.test(one)))
      expect([line, await plain.said(line, { rules: ['allow Bash'] })]).not.toEqual([line, 'deny']);
  });

  test('an object that is nowhere by a name asks, and so does what is not decided in time', async () => {
    const id = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: plain.root, input: 'TOKEN=canary\n', encoding: 'utf8' }).trim();
    expect(await plain.said(`git show ${id}`)).toBe('ask');
    const late = new HistoryScene(temporaryFolder(), false);
    late.commit({ 'src/a.ts': 'a\n' }, 'first');
    expect(await late.said('git show')).toBe('allow');
    late.withinMs = 0;
    expect(await late.said('git show')).toBe('ask');
    expect(await late.said('git log --oneline')).toBe('allow');
  });

  test('more than 2,000 stored files are not looked at: what only names a part of them still runs', async () => {
    const large = new HistoryScene(temporaryFolder(), false);
    const commits = Array.from(
      { length: 4 },
      (_, round) =>
        `commit refs/heads/main\ncommitter a <a@example.com> ${1_700_000_000 + round} +0000\ndata 1\nx\n${Array.from({ length: 700 }, (__, file) => `M 100644 inline f${file}\ndata 2\n${round}\n`).join('\n')}\n`,
    );
    execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: large.root, input: commits.join('') });
    large.git('reset', '-q', '--hard', 'main');
    expect(await large.said('git log -p')).toBe('ask');
    for (const line of ['git log -p -1', 'git show HEAD~1', 'git diff', 'git diff HEAD~1', 'git grep 3', 'git log --oneline'])
      expect([line, await large.said(line)]).toEqual([line, 'allow']);
  });
});

test('what a repository and its files configure is not started while Git is asked', async () => {
  const scene = new HistoryScene(temporaryFolder(), false);
  const canary = join(scene.home, 'started');
  const program = join(scene.root, 'start.sh');
  scene.commit({ 'src/a.ts': 'a\n', '.gitattributes': '*.ts diff=evil filter=evil\n' }, 'first');
  scene.put('start.sh', `#!/bin/sh\necho "$0 $*" >> '${canary}'\ncat "$1"\n`);
  chmodSync(program, 0o755);
  for (const name of ['post-index-change', 'reference-transaction', 'fsmonitor-watchman']) {
    scene.put(`.git/hooks/${name}`, `#!/bin/sh\necho hook >> '${canary}'\n`);
    chmodSync(join(scene.root, '.git/hooks', name), 0o755);
  }
  const settings: Readonly<Record<string, string>> = {
    'core.fsmonitor': program,
    'diff.external': program,
    'diff.evil.textconv': program,
    'diff.evil.command': program,
    'filter.evil.clean': program,
    'filter.evil.smudge': program,
    'core.pager': program,
    'pager.log': program,
    'pager.diff': program,
    'core.hooksPath': join(scene.root, '.git/hooks'),
    'gpg.program': program,
    'log.showSignature': 'true',
    'diff.autoRefreshIndex': 'true',
  };
  for (const [name, value] of Object.entries(settings)) scene.git('config', name, value);
  scene.put('src/a.ts', 'b\n');
  for (const line of [
    'git diff',
    'git diff HEAD',
    'git log -p',
    'git show',
    'git grep x',
    'git grep x HEAD',
    'git status -v',
    'git archive HEAD',
    'git stash show -p',
  ])
    await scene.judge(line, { rules: ['allow Bash'] });
  expect(existsSync(canary) ? readFileSync(canary, 'utf8') : '').toBe('');
  execFileSync('git', ['diff'], { cwd: scene.root, stdio: 'ignore' });
  expect(existsSync(canary)).toBe(true);
});

test('lines that are followed are those of a file by its names of before, too', async () => {
  const scene = new HistoryScene(temporaryFolder(), false);
  scene.commit({ '.env.local': 'TOKEN=canary\nA=1\nB=2\nC=3\n', 'src/x.ts': 'x\ny\n' }, 'first');
  scene.git('mv', '.env.local', 'conf.txt');
  scene.commit({ 'src/x.ts': 'x\nz\n' }, 'second');
  for (const line of ['git log -L1,2:conf.txt', 'git log -L 1,2:conf.txt', 'git log -L1,1:src/x.ts -L1,2:conf.txt', 'git log -s -L1,2:conf.txt'])
    expect([line, await scene.said(line)]).toEqual([line, 'ask']);
  expect(await scene.said('git log -L1,2:src/x.ts')).toBe('allow');
});

describe('what is added to Git without being named', () => {
  const LINES = [
    ...[
      'git add .',
      'git add -A',
      'git add --all',
      'git add ./',
      'git add -- .',
      "git add ':/'",
      'git add -v .',
      'git stage .',
      'git add $FILES',
      'git add --al',
      'git add conf',
      'git -C conf add .',
    ],
    ...[
      'git add . && git commit -m x',
      'git stash -u',
      'git stash push --include-untracked',
      'cd conf && git add .',
      'git add --pathspec-from-file=list',
      'git add -uA',
      'timeout 5 git add .',
    ],
  ];
  /** A project whose files are all tracked, but for a new one and what is ignored. */
  function tracked(name: string, more: Readonly<Record<string, string>> = {}): HistoryScene {
    const scene = new HistoryScene(join(base, name), false);
    scene.commit({ 'src/a.ts': 'a\n', '.gitignore': 'ignored\n', 'conf/x.txt': 'x\n' }, 'first');
    // What the scene has is tracked from here on.
    scene.git('add', '-f', '.');
    scene.git('commit', '-qm', 'all');
    for (const [path, text] of Object.entries({ 'src/new.ts': 'new\n', 'ignored/.env': 'A=1\n', ...more })) scene.put(path, text);
    scene.isDone = true;
    return scene;
  }

  let without: HistoryScene;
  let within: HistoryScene;
  beforeAll(() => {
    without = tracked('without');
    within = tracked('within', { 'conf/.env.local': 'A=1\n' });
  });
  test.each(LINES)('%s asks where a file of secrets would be among it', async (line) => {
    const rules = { rules: ['allow Bash'] };
    const before = await without.judge(line, rules);
    expect([line, before.type, reasonsOf(before)]).toEqual([line, 'allow', expect.anything()]);
    const judgment = await within.judge(line, rules);
    expect([line, judgment.type]).toEqual([line, 'ask']);
    expect(reasonsOf(judgment)).toContain('It would add conf/.env.local to Git, which may contain passwords or keys.');
    expect((await within.judge(line, { rules: ['allow Bash', 'allow Read(conf/.env.local)'] })).type).toBe('allow');
  });

  test.each(['git add con*', "git add 'con*'", "git add 'c?nf/.e*'"])('%s counts as what it matches', async (line) => {
    const scene = new HistoryScene(temporaryFolder(), false);
    scene.put('conf/.env.local', 'A=1\n');
    expect(reasonsOf(await scene.judge(line, { rules: ['allow Bash'] }))).toContain('It would add conf/.env.local to Git');
  });

  test('what is ignored counts where it is forced, and what only tells names adds nothing', async () => {
    const scene = new HistoryScene(temporaryFolder(), false);
    scene.commit({ 'src/a.ts': 'a\n', '.gitignore': '.env\n' }, 'first');
    scene.git('add', '.');
    scene.git('commit', '-qm', 'all');
    scene.put('.env', 'A=1\n');
    const said = (line: string): Promise<string> => scene.said(line, { rules: ['allow Bash'] });
    for (const line of ['git add .', 'git add -u', 'git add -n -f .', 'git stash', 'git add src']) expect([line, await said(line)]).toEqual([line, 'allow']);
    for (const line of ['git add -f .', 'git add --force -A', 'git stash -a']) expect([line, await said(line)]).toEqual([line, 'ask']);
  });
});
