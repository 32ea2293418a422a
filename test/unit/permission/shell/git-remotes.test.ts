import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isNetworkAddress, remotesOf } from '../../../../src/permission/shell/git/remotes.js';
import { says } from '../../../support/wording.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { reasonsOf } from '../rig.js';
import { ProjectScene } from '../../safety/scene.js';
import { doubtsOf, loadAnalyzer, PLACE } from './rig.js';

const analyzer = await loadAnalyzer();
const doubted = (line: string): boolean => doubtsOf(analyzer.analyze(line, PLACE)).some((doubt) => doubt.includes(says('repositoryOnThisMachine')));

const LOCAL = [
  './deploy.git',
  '../other',
  '/srv/git/x.git',
  '~/x.git',
  '.',
  '..',
  'file:///srv/x',
  'file://localhost/x',
  'file:x',
  'FILE:///x',
  'ext::sh -c id',
  'fd::17',
  'foo::bar',
  'foo::https://x.test/y',
  './x.bundle',
  'C:/x',
  'c:x',
  'ssh://localhost/x',
  'https://127.0.0.1/x',
  'https://me@localhost:8080/x',
  'localhost:x',
  '-x:y',
  'ssh://-oProxyCommand=x/y',
  'http:///x',
  '$X',
  '"$(cat url)"',
  '*.git',
];
const NETWORK = [
  'https://github.com/a/b.git',
  'http://x.test/a',
  'git@github.com:a/b.git',
  'ssh://git@x.test:22/a',
  'git://x.test/a',
  'host.test:a',
  'org-1@x.test:a/b',
  'git+ssh://x.test/a',
  '[2001:db8::1]:a',
];
/** Where an address stands. Each is another form of a subcommand. */
const FORMS = [
  'git push @',
  'git push @ HEAD:refs/heads/x',
  'git push -u @ main',
  'git push --force @',
  'git push -o a @',
  'git push --push-option a @ main',
  'git push --repo=@',
  'git push --repo @',
  'git push -- @ main',
  'git fetch @',
  'git fetch --depth 1 @ main',
  'git fetch -j 4 --prune @',
  'git fetch --server-option=a @',
  'git pull @ main',
  'git pull --rebase @',
  'git pull -s ours @ main',
  'git ls-remote @',
  'git ls-remote --heads --sort x @',
  'git clone @',
  'git clone -b main --depth 1 @ dir',
  'git clone --filter blob:none @',
  'git remote add x @',
  'git remote add -t main -f x @',
  'git remote set-url x @',
  'git remote set-url --push x @',
  'git remote set-url --add x @',
  'git submodule add @ dir',
  'git submodule add -b main @',
  'git archive --remote=@ HEAD',
  'git archive --remote @ HEAD',
  'git request-pull main @',
  'git subtree add --prefix=x @ main',
  'git subtree pull -P x @ main',
  'git fetch-pack @ main',
  'git send-pack @ main',
  'git --no-pager push @',
  'git clone --bundle-uri=@ https://x.test/a',
];

describe('a repository on this machine as a remote', () => {
  test.each(FORMS)('is a doubt in every spelling, and one on the network is none: %s', (form) => {
    expect(
      LOCAL.filter(
        (address) => !doubted(form.replace('@', /[$*]/.test(address) ? address : `'${address}'`)) && !(address.startsWith('-') && !form.includes('=@')),
      ),
    ).toEqual([]);
    expect(NETWORK.filter((address) => doubted(form.replace('@', `'${address}'`)))).toEqual([]);
  });

  test.each([
    'git receive-pack ./x',
    'git upload-pack /srv/x',
    'git upload-archive x',
    'git push --receive-pack=./x origin',
    'git fetch --upload-pack ./x origin',
    'git push --exec=x origin',
    'git clone -u ./x https://x.test/a',
    'git clone deploy',
    'git remote add x deploy.git',
    'git submodule add deploy',
    'git fetch --new-option value ./x',
    'git submodule update',
  ])('any doubt is raised by %s', (line) => {
    expect(doubtsOf(analyzer.analyze(line, PLACE))).not.toEqual([]);
  });

  test.each([
    'git push',
    'git push origin main',
    'git push -u origin HEAD',
    'git push origin feature/a',
    'git push origin :old',
    'git push origin v1.0',
    'git push --tags',
    'git fetch --all --prune',
    'git pull --rebase origin main',
    'git fetch origin pull/1/head:pr',
    'git remote add up https://x.test/a',
    'git remote show origin',
    'git archive HEAD',
  ])('usual work has none: %s', (line) => {
    expect(doubtsOf(analyzer.analyze(line, PLACE))).toEqual([]);
  });

  test('every option of the installed Git with a value in the next word is known', () => {
    const missed = ['push', 'fetch', 'pull', 'ls-remote', 'clone'].flatMap((command) => {
      const { stdout, stderr } = spawnSync('git', [command, '-h'], { encoding: 'utf8' });
      const options = [...`${stdout}${stderr}`.matchAll(/^\s+(-[^\s<[]+(?:, -[^\s<[]+)?) <[^>]*>/gm)].flatMap(([, head = '']) => head.split(', '));
      expect(options.length).toBeGreaterThan(1);
      // A value that is taken for the repository would be a name, or a path.
      const taken = (option: string): boolean => {
        const { local, names } = remotesOf(command, [option, 'value', 'https://x.test/a'].map(wordOf));
        return local || names.length > 0;
      };
      return options.filter((option) => option !== '--repo' && option !== '--bundle-uri' && taken(option)).map((option) => `${command} ${option}`);
    });
    expect(missed).toEqual([]);
  });
});

function wordOf(text: string): { start: number; end: number; text: string; beginning: string; risk: 'none'; glob: number } {
  return { start: 0, end: 0, text, beginning: text, risk: 'none', glob: -1 };
}

test('addresses on the network', () => {
  for (const address of NETWORK) expect([address, isNetworkAddress(address)]).toEqual([address, true]);
  for (const address of [...LOCAL, 'origin', 'deploy.git', 'a/b:c', '']) expect([address, isNetworkAddress(address)]).toEqual([address, false]);
});

describe('a rule for git push and the like', () => {
  const rules = ['push', 'fetch', 'pull', 'ls-remote'].map((name) => `allow Bash(git ${name}:*)`);

  test('does not cover what runs a hook of an ordinary folder, also by a name that looks like a remote', async () => {
    const scene = new ProjectScene(temporaryFolder(), false);
    execFileSync('git', ['init', '-q', '--bare', join(scene.root, 'deploy.git')]);
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '--allow-empty', '-m', 'x'], { cwd: scene.root });
    const canary = join(scene.home, 'ran');
    writeFileSync(join(scene.root, 'deploy.git/hooks/pre-receive'), `#!/bin/sh\ntouch '${canary}'\n`, { mode: 0o755 });
    for (const line of [
      'git push ./deploy.git HEAD:refs/heads/x',
      'git push deploy.git HEAD:refs/heads/x',
      'git push deploy HEAD:refs/heads/x',
      'git push --all deploy',
      'git fetch deploy',
      'git pull deploy main',
      'git ls-remote deploy.git',
    ])
      expect([line, (await scene.judge(line, { rules })).type]).toEqual([line, 'ask']);
    expect(reasonsOf(await scene.judge('git push deploy main', { rules }))).toContain(says('repositoryOnThisMachine'));
    execFileSync('git', ['push', '-q', 'deploy', 'HEAD:refs/heads/x'], { cwd: scene.root, stdio: 'ignore' });
    expect(existsSync(canary)).toBe(true);
  });

  test('covers remotes that lead to the network, and none of which the settings lead here', async () => {
    const scene = new ProjectScene(temporaryFolder(), false);
    const git = (...args: readonly string[]): unknown => execFileSync('git', args, { cwd: scene.root, stdio: 'ignore' });
    const said = async (line: string): Promise<string> => (await scene.judge(line, { rules })).type;
    mkdirSync(join(scene.root, 'main'));
    for (const line of ['git push', 'git push origin main', 'git fetch']) expect([line, await said(line)]).toEqual([line, 'allow']);
    git('remote', 'add', 'origin', 'https://x.test/a.git');
    for (const line of [
      'git push',
      'git push origin main',
      'git push -u origin HEAD',
      'git fetch --all',
      'git pull --rebase',
      'git ls-remote origin',
      'cd src && git push',
    ]) {
      if (!line.startsWith('cd')) expect([line, await said(line)]).toEqual([line, 'allow']);
    }
    git('remote', 'add', 'backup', '../backup.git');
    expect([await said('git push backup'), await said('git push origin main'), await said('git push')]).toEqual(['ask', 'allow', 'ask']);
    git('remote', 'add', 'up', 'https://x.test/b.git');
    git('config', 'remotes.both', 'origin backup');
    expect([await said('git fetch both'), await said('git fetch --multiple both')]).toEqual(['ask', 'ask']);
    git('remote', 'remove', 'backup');
    git('config', 'remotes.both', 'origin up');
    expect(await said('git fetch both')).toBe('allow');
    git('config', 'url.ext::sh -c id .insteadOf', 'https://x.test/');
    expect([await said('git push origin main'), await said('git fetch')]).toEqual(['ask', 'ask']);
  });
});
