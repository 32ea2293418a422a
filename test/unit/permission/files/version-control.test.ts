import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PERMISSION_MODES } from '../../../../src/domain/tool/permission.js';
import { createDiskDocuments } from '../../../../src/node/files/disk-documents.js';
import { createWorkspace } from '../../../../src/node/files/workspace.js';
import { createInstructions } from '../../../../src/node/instructions/instructions.js';
import { createReadGuard } from '../../../../src/permission/files/read-guard.js';
import { createGate } from '../../../../src/permission/gate.js';
import { HELD, NOT_HELD } from '../../../support/sandboxes.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { gateOn, judge, planOf, reads, ruleBook, runs } from '../rig.js';
import { loadAnalyzer } from '../shell/rig.js';

const analyzer = await loadAnalyzer();

/** Settings by their names alone. */
const NAMED = [
  ...['.git/config', '.git/config.worktree', '.git/worktrees/a/config.worktree', '.git/modules/lib/config', '.git/modules/a/b/config'],
  ...['deep/er/.git/config', 'store.git/config', '.GIT/CONFIG', '.git/config.lock', '.git/git-credentials', '.hg/hgrc', '.jj/repo/config.toml', '.gitconfig'],
];
/** What prints a file. */
const READERS = [
  ...['cat %', 'head %', 'sort %', 'strings %', 'base64 %', 'xxd %', 'rev %', 'grep -n x %', 'od -c %', 'awk 1 %', 'sed -n p %', 'diff % /dev/null'],
  ...['cat < %', 'cat ./%', 'tail -n +1 -- %', 'git config -f % -l', 'git diff --no-index /dev/null %', 'x=$(cat %)'],
];

describe('settings of version control', () => {
  test.each(NAMED)('%s is read only after asking, by tools and commands, in every mode, trusted or not', async (name) => {
    const files = { [`/ws/${name}`]: '[core]\n' };
    for (const trusted of [true, false]) {
      const gate = gateOn({ files, analyzer, trusted });
      for (const mode of PERMISSION_MODES) {
        const plans = [reads(`/ws/${name}`), planOf('grep', [{ kind: 'read', target: `/ws/${name}` }])];
        for (const plan of plans) expect([mode, trusted, (await judge(gate, mode, plan)).type]).toEqual([mode, trusted, 'ask']);
      }
    }
    const gate = gateOn({ files, analyzer, rules: ['allow Read', 'allow Read(**)'] });
    // Every reader for one of them, and some for each.
    const at = NAMED.indexOf(name);
    const tried = READERS.filter((_, index) => at === 0 || index % NAMED.length === at);
    for (const reader of tried) expect([reader, (await judge(gate, 'default', runs(reader.replace('%', name)))).type]).toEqual([reader, 'ask']);
  });

  test('of the system ask as well where a window shows all of it', async () => {
    const files = ['/etc/shadow', '/etc/gshadow', '/etc/ssh/ssh_host_rsa_key', '/proc/1/environ', '/home/user/.ssh/id_rsa'];
    const gate = gateOn({ folders: ['/'], files: Object.fromEntries(files.map((file) => [file, 'x'])), analyzer, sandbox: NOT_HELD });
    for (const file of files) {
      expect([file, (await judge(gate, 'default', reads(file))).type]).toEqual([file, 'ask']);
      expect([file, (await judge(gate, 'default', runs(`cat ${file}`, '/'))).type]).toEqual([file, 'ask']);
    }
  });

  test('are read where a rule names them', async () => {
    const gate = gateOn({ files: { '/ws/.git/config': '' }, rules: ['allow Read(.git/config)'] });
    expect((await judge(gate, 'default', reads('/ws/.git/config'))).type).toBe('allow');
    expect((await judge(gateOn({ files: { '/ws/.git/HEAD': '' } }), 'default', reads('/ws/.git/HEAD'))).type).toBe('allow');
  });

  test('are known by what lies around them, and by what includes them, too', async () => {
    const base = realpathSync(temporaryFolder());
    const [root, home] = [join(base, 'work'), join(base, 'home')];
    const write = (name: string, text: string): string => {
      const file = join(root, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    };
    mkdirSync(home);
    const repositories = [['.'], ['store', '--bare'], ['.bare', '--bare']] as const;
    for (const [folder, ...options] of repositories) execFileSync('git', ['init', '-q', ...options, join(root, folder)]);
    write('.git/config', '[include]\n\tpath = ../shared/settings.inc\n[includeIf "gitdir:~/"]\n\tpath = "inner"\n');
    write('shared/settings.inc', '[include]\npath=second.txt\n');
    write('.hg/hgrc', '%include ../mercurial.txt\n');
    const included = ['.git/inner', 'shared/second.txt', 'mercurial.txt'].map((name) => write(name, 'x'));
    const secret = [...['store/config', '.bare/config', 'shared/settings.inc'].map((name) => join(root, name)), ...included];
    const ordinary = [write('config', 'x'), write('lib/config', 'x'), write('shared/third.txt', 'x'), join(root, 'store/HEAD')];
    symlinkSync('store/config', join(root, 'innocent'));
    const workspace = createWorkspace(() => [{ name: 'work', path: root }], home);
    const permission = { workspace, home, caseInsensitive: false, rules: ruleBook([]) };
    const guard = await createReadGuard(permission);
    expect(secret.filter(guard)).toEqual([]);
    expect(ordinary.filter(guard)).toEqual(ordinary);
    const gate = createGate({ ...permission, sandbox: HELD, documents: createDiskDocuments(), analyzer: () => Promise.resolve(analyzer), trusted: () => true });
    for (const file of [...secret, join(root, 'innocent')]) {
      expect([file, (await judge(gate, 'default', reads(file))).type]).toEqual([file, 'ask']);
      expect([file, (await judge(gate, 'default', runs(`cat ${file}`, root))).type]).toEqual([file, 'ask']);
    }
    // Instructions that name them are shown without them.
    write('AGENTS.md', 'Rules. @.git/config @store/config @shared/settings.inc @innocent @.hg/hgrc');
    const log = { info: () => undefined, error: () => undefined, warn: () => undefined };
    const consent = { allows: () => true, ask: () => undefined };
    const choices = () => ({ own: true, otherTools: true });
    const finder = createInstructions({
      workspace,
      home,
      trusted: () => true,
      choices,
      consent,
      guards: () => ({ ofRepository: async (real) => (await createReadGuard(permission))(real), ofUser: () => true }),
      log,
    });
    const found = await finder.ofWorkspace(new AbortController().signal);
    expect(found.files.map(({ display }) => display)).toEqual(['AGENTS.md']);
    expect(found.leftOut).toHaveLength(4);
  });
});
