import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { layerStamp, readLayerFiles } from '../../../../src/node/config/layer-files.js';
import { excludeFromGit, isTracked } from '../../../../src/node/config/tracked-files.js';
import type { WriteLock } from '../../../../src/node/config/rewrite-file.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { NAMED_SECRETS } from '../../../support/named-secrets.js';

const FREE: WriteLock = { take: () => Promise.resolve({ release: () => Promise.resolve() }) };

function repository(): { readonly root: string; readonly git: (...args: readonly string[]) => string } {
  const root = temporaryFolder();
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', root, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  git('init', '-q');
  return { root, git };
}

function write(path: string, text = '{}'): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

describe('S-04: a local settings file that Git tracks', () => {
  it('counts as one of the project, and says so, as soon as it is added, and as local again when it is not', async () => {
    const { root, git } = repository();
    const home = temporaryFolder();
    const places = { folders: [root], home, platform: 'linux', guards: NAMED_SECRETS } as const;
    const now = async (): Promise<readonly unknown[]> =>
      (await readLayerFiles(places, new AbortController().signal)).map(({ origin, notice }) => [
        origin.layer,
        origin.display,
        notice?.includes('Git tracks this file') ?? false,
      ]);
    write(join(root, '.claude', 'settings.local.json'));
    write(join(root, '.gnomon', 'settings.local.json'));
    const stamps = [await layerStamp(places)];
    expect(await now()).toEqual([
      ['local', '.gnomon/settings.local.json', false],
      ['local', '.claude/settings.local.json', false],
    ]);
    git('add', '-f', '.claude/settings.local.json');
    stamps.push(await layerStamp(places));
    expect(await now()).toEqual([
      ['local', '.gnomon/settings.local.json', false],
      ['project', '.claude/settings.local.json', true],
    ]);
    git('commit', '-qm', 'x');
    git('rm', '-q', '--cached', '.claude/settings.local.json');
    stamps.push(await layerStamp(places));
    expect(await now()).toEqual([
      ['local', '.gnomon/settings.local.json', false],
      ['local', '.claude/settings.local.json', false],
    ]);
    expect(new Set(stamps).size).toBe(3);
    expect(await layerStamp(places)).toBe(stamps.at(-1));
  });

  it('is found in a folder of a repository, through links, in a worktree, and in names with special characters', async () => {
    const { root, git } = repository();
    const nested = write(join(root, 'a[b]*', '.gnomon', 'settings.local.json'));
    const other = write(join(root, 'ab', '.gnomon', 'settings.local.json'));
    const real = write(join(root, 'shared', 'settings.local.json'));
    symlinkSync('shared', join(root, '.claude'));
    git('add', '--', ':(literal)a[b]*', 'shared', '.claude');
    git('commit', '-qm', 'x');
    const linked = join(root, '.claude', 'settings.local.json');
    expect(await Promise.all([nested, other, real, linked].map(isTracked))).toEqual([true, false, true, true]);
    const tree = join(temporaryFolder(), 'tree');
    git('worktree', 'add', '-q', tree);
    const places = { folders: [join(tree, 'shared')], home: temporaryFolder(), platform: 'linux', guards: NAMED_SECRETS } as const;
    const inTree = write(join(tree, 'shared', '.gnomon', 'settings.local.json'));
    const before = await layerStamp(places);
    expect([await isTracked(join(tree, 'shared', 'settings.local.json')), await isTracked(inTree)]).toEqual([true, false]);
    execFileSync('git', ['-C', tree, 'add', '-f', inTree]);
    expect([await isTracked(inTree), (await layerStamp(places)) === before]).toEqual([true, false]);
  });

  it('is not asked about outside of repositories, in what only looks like one, and without Git', async () => {
    const { root, git } = repository();
    const tracked = write(join(root, '.gnomon', 'settings.local.json'));
    git('add', '-f', '.');
    const alone = write(join(temporaryFolder(), '.gnomon', 'settings.local.json'));
    expect(await isTracked(alone)).toBe(false);
    writeFileSync(join(alone, '..', '..', '.git'), 'gitdir: /nowhere\n');
    expect(await isTracked(alone)).toBe(false);
    vi.stubEnv('PATH', temporaryFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await isTracked(tracked)).toBe(false);
  });

  it('is asked about without running anything that the repository names, and without being asked for anything', async () => {
    const { root, git } = repository();
    const ran = join(temporaryFolder(), 'ran');
    const evil = write(join(root, 'evil.sh'), `#!/bin/sh\ntouch ${ran}\nexit 1\n`);
    chmodSync(evil, 0o755);
    const path = write(join(root, '.claude', 'settings.local.json'));
    write(join(root, 'lib', 'a', 'b.txt'), 'x');
    git('add', '-f', '.');
    git('commit', '-qm', 'x');
    // A sparse index has to be expanded, for which objects are missing that a promisor would be asked for.
    git('sparse-checkout', 'set', '--cone', '--sparse-index', '.claude');
    for (const [name, value] of [
      ['core.fsmonitor', evil],
      ['core.hooksPath', root],
      ['core.pager', evil],
      ['core.editor', evil],
      ['core.askPass', evil],
      ['core.sshCommand', evil],
      ['credential.helper', `!${evil}`],
      ['alias.ls-files', `!${evil}`],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.url', `ext::${evil}`],
      ['protocol.ext.allow', 'always'],
      ['protocol.allow', 'always'],
    ] as const)
      git('config', name, value);
    write(join(root, '.gitattributes'), '* filter=evil diff=evil\n');
    const tree = git('rev-parse', 'HEAD:lib').trim();
    renameSync(join(root, '.git', 'objects', tree.slice(0, 2), tree.slice(2)), join(root, '.git', 'gone'));
    await isTracked(path);
    expect(existsSync(ran)).toBe(false);
  });
});

describe('a file that Gnomon makes for this user alone', () => {
  const PATTERN = '**/.gnomon/settings.local.json';

  it('is left out of Git by what stays on this machine', async () => {
    const { root, git } = repository();
    const path = write(join(root, 'sub', '.gnomon', 'settings.local.json'));
    const excludes = join(root, '.git', 'info', 'exclude');
    writeFileSync(excludes, '# mine\n*.log');
    await excludeFromGit(path, PATTERN, FREE);
    expect(readFileSync(excludes, 'utf8')).toBe(`# mine\n*.log\n${PATTERN}\n`);
    expect(git('status', '--porcelain')).toBe('');
    await excludeFromGit(path, PATTERN, FREE);
    expect(readFileSync(excludes, 'utf8')).toBe(`# mine\n*.log\n${PATTERN}\n`);
  });

  it('stays as it is where Git tracks or ignores it, where there is no repository, and where the file of excludes leads elsewhere', async () => {
    const { root, git } = repository();
    const excludes = join(root, '.git', 'info', 'exclude');
    const before = readFileSync(excludes, 'utf8');
    const path = write(join(root, '.gnomon', 'settings.local.json'));
    writeFileSync(join(root, '.gitignore'), '.gnomon\n');
    await excludeFromGit(path, PATTERN, FREE);
    git('add', '-f', path);
    writeFileSync(join(root, '.gitignore'), '');
    await excludeFromGit(path, PATTERN, FREE);
    expect(readFileSync(excludes, 'utf8')).toBe(before);
    await excludeFromGit(write(join(temporaryFolder(), '.gnomon', 'settings.local.json')), PATTERN, FREE);
    git('rm', '-q', '--cached', path);
    const victim = write(join(temporaryFolder(), 'victim'), 'theirs');
    renameSync(excludes, `${excludes}.before`);
    symlinkSync(victim, excludes);
    await expect(excludeFromGit(path, PATTERN, FREE)).rejects.toThrow('outside');
    expect(readFileSync(victim, 'utf8')).toBe('theirs');
  });
});
