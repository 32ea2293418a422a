import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What no command in the sandbox may show. */
export const CANARY = 'canary-7f3a9';

/** A repository in a workspace. */
export interface Made {
  readonly workspace: string;
  /** Its files with settings, absolute. */
  readonly settings: readonly string[];
  /** Where Git is run, below the workspace folder; there unless given. */
  readonly start?: string;
}

/** A way in which a repository can lie in a workspace. */
export interface Shape {
  readonly name: string;
  readonly make: (base: string) => Made;
}

/** What a remote is reached at, with user info that is not shown. */
const ADDRESS = 'https://user:secret@example.com/a/b.git';

/** Runs git as a person has it, without settings of this machine. @returns what it wrote */
export function git(cwd: string, ...args: readonly string[]): string {
  const dates = { GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z' };
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', ...dates };
  const settings = ['user.name=A', 'user.email=a@example.com', 'protocol.file.allow=always', 'init.defaultBranch=main'].flatMap((setting) => ['-c', setting]);
  return execFileSync('git', [...settings, ...args], { cwd, env, encoding: 'utf8', stdio: 'pipe' });
}

/** Writes secrets into a file with settings, in the forms in which programs and people leave them there. */
export function plant(file: string): string {
  const secrets = [
    ['http "https://example.com/"', `extraheader = AUTHORIZATION: basic ${CANARY}`],
    ['http', `proxy = http://u:${CANARY}@proxy.example.com:3128`],
    ['http', `cookieFile = /tmp/${CANARY}`],
    ['remote "secret"', `url = https://user:${CANARY}@example.com/a/b.git`],
    ['remote "secret"', `pushurl = ssh://${CANARY}@example.com/a/b.git`],
    ['remote "secret"', 'fetch = +refs/heads/*:refs/remotes/secret/*'],
    ['remote "scp"', `url = ${CANARY}@example.com:a/b.git`],
    ['remote "query"', `url = https://example.com/a/b.git?private_token=${CANARY}`],
    ['remote "helper"', `url = ext::sh -c 'curl -H token:${CANARY} x'`],
    ['remote "forgot"', `url = user:${CANARY}@example.com/a/b.git`],
    [`remote "https://user:${CANARY}@example.com/named.git"`, 'prune = true'],
    [`url "https://user:${CANARY}@github.com/"`, 'insteadOf = https://github.com/'],
    ['credential', `helper = "!f() { echo password=${CANARY}; }; f"`],
    ['credential "https://example.com"', `username = ${CANARY}`],
    ['user', `password = ${CANARY}`],
    ['user', `signingKey = ${CANARY}`],
    ['status', `token = ${CANARY}`],
    ['my-tool', `apiKey = ${CANARY}`],
    ['submodule "lib"', `update = !echo ${CANARY}`],
    ['filter "lfs"', `clean = git-lfs clean ${CANARY}`],
    ['alias', `x = "!curl -H '${CANARY}' https://example.com"`],
    ['include', `path = ${CANARY}`],
    ['sendemail', `smtpPass = ${CANARY}`],
    ['github', `token = ${CANARY}`],
  ] as const;
  appendFileSync(file, secrets.map(([section, line]) => `[${section}]\n\t${line}\n`).join(''));
  return file;
}

function repository(folder: string, ...options: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q', ...options);
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  writeFileSync(join(folder, 'ä b.txt'), 'two\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'First');
  return folder;
}

/** With a remote that its branch follows, a change, and something stashed. */
function used(folder: string): string {
  git(folder, 'remote', 'add', 'origin', ADDRESS);
  git(folder, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
  git(folder, 'config', 'branch.main.remote', 'origin');
  git(folder, 'config', 'branch.main.merge', 'refs/heads/main');
  git(folder, 'config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
  git(folder, 'config', 'diff.noprefix', 'true');
  git(folder, 'config', 'core.quotePath', 'false');
  git(folder, 'config', 'diff.words.xfuncname', '^(\\"x\\".*|\ty)$');
  writeFileSync(join(folder, 'a.txt'), 'stashed\n');
  git(folder, 'stash', '-q');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'Second');
  writeFileSync(join(folder, 'a.txt'), 'changed\n');
  writeFileSync(join(folder, 'new.txt'), 'new\n');
  return folder;
}

/** The kinds of repositories that gitrepository-layout(5) and git-config(1), `extensions`, tell apart. */
export const SHAPES: readonly Shape[] = [
  {
    name: 'plain',
    make: (base) => {
      const workspace = used(repository(join(base, 'work')));
      return { workspace, settings: [join(workspace, '.git/config')] };
    },
  },
  {
    name: 'nested, beside what is not one',
    make: (base) => {
      const workspace = join(base, 'work');
      const inner = used(repository(join(workspace, 'deep/er')));
      return { workspace, settings: [join(inner, '.git/config')], start: 'deep/er' };
    },
  },
  {
    name: 'a linked worktree with settings of its own',
    make: (base) => {
      const main = used(repository(join(base, 'main')));
      git(main, 'config', 'extensions.worktreeConfig', 'true');
      git(main, 'worktree', 'add', '-q', join(base, 'tree'));
      git(join(base, 'tree'), 'config', '--worktree', 'status.short', 'true');
      return { workspace: join(base, 'tree'), settings: [join(main, '.git/config'), join(main, '.git/worktrees/tree/config.worktree')] };
    },
  },
  {
    name: 'with worktrees inside and worktree settings',
    make: (base) => {
      const workspace = used(repository(join(base, 'work')));
      git(workspace, 'config', 'extensions.worktreeConfig', 'true');
      git(workspace, 'config', '--worktree', 'core.bare', 'false');
      git(workspace, 'worktree', 'add', '-q', 'trees/one');
      git(join(workspace, 'trees/one'), 'config', '--worktree', 'log.date', 'iso');
      return { workspace, settings: ['config', 'config.worktree', 'worktrees/one/config.worktree'].map((name) => join(workspace, '.git', name)) };
    },
  },
  {
    name: 'with a submodule whose name is a path',
    make: (base) => {
      const library = repository(join(base, 'library'));
      const workspace = used(repository(join(base, 'work')));
      git(workspace, 'submodule', '--quiet', 'add', '--name', 'vendor/lib', library, 'lib');
      git(workspace, 'commit', '-qm', 'Submodule');
      return { workspace, settings: [join(workspace, '.git/config'), join(workspace, '.git/modules/vendor/lib/config')] };
    },
  },
  {
    name: 'a submodule alone',
    make: (base) => {
      const library = repository(join(base, 'library'));
      const above = repository(join(base, 'above'));
      git(above, 'submodule', '--quiet', 'add', library, 'lib');
      git(join(above, 'lib'), 'remote', 'set-url', 'origin', ADDRESS);
      return { workspace: join(above, 'lib'), settings: [join(above, '.git/modules/lib/config')] };
    },
  },
  {
    name: 'bare, without .git in its name',
    make: (base) => {
      const workspace = join(base, 'work');
      git(base, 'clone', '-q', '--bare', used(repository(join(base, 'origin'))), join(workspace, 'store'));
      git(join(workspace, 'store'), 'remote', 'set-url', 'origin', ADDRESS);
      return { workspace, settings: [join(workspace, 'store/config')], start: 'store' };
    },
  },
  {
    name: 'a folder of Git elsewhere, with a file .git and core.worktree',
    make: (base) => {
      const workspace = join(base, 'work');
      mkdirSync(workspace);
      git(workspace, 'init', '-q', `--separate-git-dir=${join(workspace, '.bare')}`, workspace);
      writeFileSync(join(workspace, '.bare/info/exclude'), '.bare\n');
      used(repository(workspace));
      git(workspace, 'config', 'core.worktree', workspace);
      return { workspace, settings: [join(workspace, '.bare/config')] };
    },
  },
  {
    name: 'sparse, and a part of another',
    make: (base) => {
      const origin = used(repository(join(base, 'origin')));
      git(origin, 'config', 'uploadpack.allowFilter', 'true');
      git(base, 'clone', '-q', '--filter=blob:none', '--sparse', `file://${origin}`, join(base, 'work'));
      git(join(base, 'work'), 'remote', 'set-url', 'origin', ADDRESS);
      const settings = ['config', 'config.worktree'].map((name) => join(base, 'work/.git', name));
      return { workspace: join(base, 'work'), settings: settings.filter((path) => existsSync(path)) };
    },
  },
  {
    name: 'with SHA-256',
    make: (base) => {
      const workspace = used(repository(join(base, 'work'), '--object-format=sha256'));
      return { workspace, settings: [join(workspace, '.git/config')] };
    },
  },
];

const BACKWARDS = CANARY.split('').reverse().join('');

/** Whether a text has the secret: as such, backwards, or as a line in base64 or hexadecimal. */
export function revealed(text: string): boolean {
  const lines = text.split('\n');
  const decoded = lines.flatMap((line) => [Buffer.from(line, 'base64').toString('latin1'), Buffer.from(line, 'hex').toString('latin1')]);
  return [text, ...decoded].some((form) => form.includes(CANARY) || form.includes(BACKWARDS));
}

/** Whether the secret is in a file. */
export function has(file: string): boolean {
  return readFileSync(file, 'utf8').includes(CANARY);
}
