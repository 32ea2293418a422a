import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDiskFiles } from '../../../../src/agent-host/changes/disk-files.js';
import { createGitWatcher } from '../../../../src/agent-host/changes/git-watch.js';
import { breakableGit } from '../../../support/breakable-git.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { testLog } from '../../session/support/setup.js';

const env = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
};

class Repository {
  readonly root = temporaryFolder();
  private readonly watcher = createGitWatcher(createDiskFiles(), testLog());

  constructor(files: Readonly<Record<string, string>>) {
    this.git('init', '-q', '-b', 'main');
    for (const [name, text] of Object.entries(files)) this.write(name, text);
    this.git('add', '-A');
    this.git('commit', '-q', '-m', 'first');
  }

  git(...args: string[]): void {
    execFileSync('git', args, { cwd: this.root, env });
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.root, name)), { recursive: true });
    writeFileSync(join(this.root, name), text);
  }

  /** What a command changed, each file with what it held before or why that is not known. */
  async changedBy(command: () => void): Promise<Readonly<Record<string, string>>> {
    const watch = await this.watcher.watch([this.root]);
    command();
    const changes = await watch.changed(new Set());
    return Object.fromEntries(
      changes.map(({ path, before }) => [
        path.slice(this.root.length + 1),
        before.kind === 'file' ? Buffer.from(before.bytes).toString() : before.kind === 'absent' ? '(absent)' : before.reason,
      ]),
    );
  }
}

describe('git watcher', () => {
  it('C-7: finds what a command changed, created and deleted, with what was there before', async () => {
    const repository = new Repository({ clean: 'clean\n', 'sub/ä b\n.txt': 'odd\n', deleted: 'd\n', same: 's\n' });
    repository.write('dirty', 'uncommitted\n');
    repository.write('untouched', 'u\n');
    const changed = await repository.changedBy(() => {
      repository.write('clean', 'new\n');
      repository.write('sub/ä b\n.txt', 'new\n');
      repository.write('dirty', 'new\n');
      repository.write('made/here', 'new\n');
      rmSync(join(repository.root, 'deleted'));
      chmodSync(join(repository.root, 'same'), 0o755);
    });
    expect(changed).toEqual({ clean: 'clean\n', 'sub/ä b\n.txt': 'odd\n', dirty: 'uncommitted\n', 'made/here': '(absent)', deleted: 'd\n', same: 's\n' });
    expect(await repository.changedBy(() => undefined)).toEqual({});
    expect(await repository.changedBy(() => repository.write('dirty', 'newer\n'))).toEqual({ dirty: 'new\n' });
  });

  it('C-7: sees through a commit and a checkout made by the command', async () => {
    const repository = new Repository({ a: '1\n', b: '1\n' });
    const committed = await repository.changedBy(() => {
      repository.write('a', '2\n');
      repository.git('commit', '-q', '-am', 'second');
    });
    expect(committed).toEqual({ a: '1\n' });
    expect(await repository.changedBy(() => repository.git('checkout', '-q', 'HEAD~1'))).toEqual({ a: '2\n' });
  });

  it('tool-17: where git converts, the content before is not known rather than wrong', async () => {
    const repository = new Repository({ '.gitattributes': '*.txt text\n*.bin -text\n', 'a.txt': 'a\r\n', 'b.bin': 'b\r\n' });
    const changed = await repository.changedBy(() => {
      repository.write('a.txt', 'new\n');
      repository.write('b.bin', 'new\n');
    });
    expect(changed).toEqual({ 'a.txt': 'not_known', 'b.bin': 'b\r\n' });
    repository.git('config', 'core.autocrlf', 'input');
    repository.git('commit', '-qam', 'second');
    expect(await repository.changedBy(() => repository.write('.gitattributes', ''))).toEqual({ '.gitattributes': 'not_known' });
  });

  it('tool-17: a file that was ignored until now is not taken for a new one', async () => {
    const repository = new Repository({ '.gitignore': 'secret\n' });
    repository.write('secret', 'mine\n');
    const changed = await repository.changedBy(() => repository.write('.gitignore', ''));
    expect(changed['secret']).toBe('not_known');
  });

  it('tool-17: nested repositories and submodules are left out, and nothing in .git is written', async () => {
    const repository = new Repository({ a: '1\n' });
    const nested = join(repository.root, 'nested');
    mkdirSync(nested);
    execFileSync('git', ['init', '-q'], { cwd: nested, env });
    writeFileSync(join(nested, 'inner'), '1');
    const index = readFileSync(join(repository.root, '.git/index'));
    repository.write('a', '1\n');
    const changed = await repository.changedBy(() => {
      writeFileSync(join(nested, 'inner'), '2');
      repository.write('a', '2\n');
    });
    expect(changed).toEqual({ a: '1\n' });
    expect(readFileSync(join(repository.root, '.git/index')).equals(index)).toBe(true);
  });

  it('a monitor program in the settings of the repository is not run', async () => {
    const repository = new Repository({ a: '1\n' });
    const mark = join(temporaryFolder(), 'ran');
    repository.git('config', 'core.fsmonitor', `touch ${mark}; false`);
    expect(await repository.changedBy(() => appendFileSync(join(repository.root, 'a'), '2\n'))).toEqual({ a: '1\n' });
    expect(() => readFileSync(mark)).toThrow();
  });

  it('without commits, and without git', async () => {
    const repository = new Repository({ a: '1\n' });
    repository.git('update-ref', '-d', 'HEAD');
    expect(await repository.changedBy(() => repository.write('a', '2\n'))).toEqual({ a: '1\n' });
    const plain = temporaryFolder();
    const watch = await createGitWatcher(createDiskFiles(), testLog()).watch([plain]);
    writeFileSync(join(plain, 'a'), '1');
    expect(await watch.changed(new Set())).toEqual([]);
  });

  it.each(['--show-toplevel', '--verify'])('a git that is killed when it is asked %s is not taken for one that says there is nothing', async (word) => {
    const git = breakableGit();
    const repository = new Repository({ a: '1\n' });
    git.breakAt(word);
    await expect(repository.changedBy(() => repository.write('a', '2\n'))).rejects.toThrow('git rev-parse failed');
    git.mend();
    expect(await repository.changedBy(() => repository.write('a', '2\n'))).toEqual({ a: '1\n' });
  });

  it('what was seen of a file is not found later as a change of a command, also where git could not say what was before', async () => {
    const git = breakableGit();
    const repository = new Repository({ a: '1\n' });
    const files = createDiskFiles();
    const watch = await createGitWatcher(files, testLog()).watch([repository.root]);
    repository.write('a', 'of a tool\n');
    const path = join(repository.root, 'a');
    git.breakAt('status');
    await expect(watch.take(path, await files.look(path))).rejects.toThrow('git status failed');
    git.mend();
    expect(await watch.changed(new Set())).toEqual([]);
  });
});
