import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files whose reading is noticed: the time of the last one is set far back before each line. */
const WATCHED = ['a.txt', 'b.txt', 'key.txt', 'sub/c.txt', 'list', 'run.sh'];
const LONG_AGO = new Date('2001-01-01');
const AGO = new Date('2002-01-01');
/** Where Debian's package puts it. */
export const BUBBLEWRAP = '/usr/bin/bwrap';
/** How long a line may run, in milliseconds. */
const TIMEOUT_MS = 2_000;

/** What a line did. */
export interface Deeds {
  /** Files that were read, from the folder on. */
  readonly read: readonly string[];
  /** What was made, changed or removed. */
  readonly changed: readonly string[];
  readonly timedOut: boolean;
}

/** A folder in which lines run for real, in a sandbox that can write there and nowhere else, and which sees what they do. */
export class TrialPlace {
  readonly home: string;
  readonly folder: string;
  private before = '';

  constructor(base: string) {
    this.folder = join(base, 'ws');
    this.home = join(base, 'home');
    mkdirSync(this.home, { recursive: true });
    this.reset();
  }

  /** Makes everything as it was. */
  reset(): void {
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(join(this.folder, 'sub'), { recursive: true });
    for (const name of WATCHED) writeFileSync(join(this.folder, name), name === 'list' ? 'a.txt\nb.txt\n' : `text of ${name}\nsecond line a b\n`);
    writeFileSync(join(this.folder, 'run.sh'), '#!/bin/sh\necho ran >> made-by-run\n', { mode: 0o755 });
    const git = (...args: readonly string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: this.folder, stdio: 'ignore' });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    // No background work of git later.
    git('config', 'gc.auto', '0');
    // As for all that runs unasked.
    git('config', 'diff.autoRefreshIndex', 'false');
    this.before = this.shape();
  }

  /** Runs a line with the shell. Its input names two files. */
  async run(line: string): Promise<Deeds> {
    for (const name of WATCHED) utimesSync(join(this.folder, name), LONG_AGO, AGO);
    const timedOut = await this.bash(line);
    const read = WATCHED.filter((name) => wasRead(join(this.folder, name)));
    const after = this.shape();
    const changed = after === this.before ? [] : differences(this.before, after);
    if (changed.length > 0) this.reset();
    return { read, changed, timedOut };
  }

  private bash(line: string): Promise<boolean> {
    const { folder, home } = this;
    const sandbox = [
      '--ro-bind',
      '/',
      '/',
      '--dev',
      '/dev',
      '--proc',
      '/proc',
      '--tmpfs',
      '/tmp',
      '--bind',
      folder,
      folder,
      '--bind',
      home,
      home,
      '--unshare-all',
      '--die-with-parent',
      '--new-session',
      '--chdir',
      folder,
    ];
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, LANG: 'C.UTF-8', GIT_OPTIONAL_LOCKS: '0', PAGER: 'cat', GIT_PAGER: 'cat', TERM: 'dumb' };
    return new Promise((resolve, reject) => {
      const child = spawn(BUBBLEWRAP, [...sandbox, 'bash', '--norc', '-c', line], { env, stdio: ['pipe', 'ignore', 'ignore'] });
      let timedOut = false;
      const timer = setTimeout(() => {
        timedOut = true;
        child.kill('SIGKILL');
      }, TIMEOUT_MS);
      child.on('error', reject);
      child.on('close', () => {
        clearTimeout(timer);
        resolve(timedOut);
      });
      // A program that reads nothing closes its end first.
      child.stdin.on('error', () => undefined);
      child.stdin.end('b.txt\n');
    });
  }

  /** All there is, as text. */
  private shape(): string {
    return [...entriesBelow(this.folder), ...entriesBelow(this.home)].join('\n');
  }
}

function wasRead(path: string): boolean {
  try {
    return lstatSync(path).atimeMs > AGO.getTime();
  } catch {
    // It is gone, which is a change.
    return false;
  }
}

function entriesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return [path, ...entriesBelow(path)];
    const { mode } = lstatSync(path);
    return [`${path} ${mode} ${entry.isFile() ? createHash('sha1').update(readFileSync(path)).digest('hex') : ''}`];
  });
}

function differences(before: string, after: string): readonly string[] {
  const [old, now] = [new Set(before.split('\n')), new Set(after.split('\n'))];
  return [...now].filter((line) => !old.has(line)).concat([...old].filter((line) => !now.has(line)));
}
