import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Gate, Judgment } from '../../../src/domain/tool/permission.js';
import { createDiskDocuments } from '../../../src/node/files/disk-documents.js';
import { walkFolder } from '../../../src/node/files/walk-folder.js';
import { createWorkspace } from '../../../src/node/files/workspace.js';
import { createGate } from '../../../src/permission/gate.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { judge, reasonsOf, ruleBook, runs } from '../permission/rig.js';
import { loadAnalyzer } from '../permission/shell/rig.js';
import { HELD } from '../../support/sandboxes.js';
import { says } from '../../support/wording.js';

const analyzer = loadAnalyzer();

/** A real workspace with files, and the gate on it with a rule of the person. */
class Rig {
  readonly root = temporaryFolder();
  readonly outside = temporaryFolder();

  file(name: string, folder = this.root): string {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
    return path;
  }

  link(name: string, target: string): void {
    symlinkSync(target, join(this.root, name));
  }

  gate(...rules: readonly string[]): Gate {
    const workspace = createWorkspace(() => [{ name: 'ws', path: this.root }], this.outside);
    return createGate({
      sandbox: HELD,
      workspace,
      documents: createDiskDocuments(),
      walk: walkFolder,
      caseInsensitive: false,
      home: this.outside,
      rules: ruleBook(rules),
      analyzer: () => analyzer,
      trusted: () => true,
    });
  }

  judge(command: string, ...rules: readonly string[]): Promise<Judgment> {
    return judge(this.gate(...rules), 'default', runs(command, this.root));
  }
}

const SEARCHES = ['grep -r x .', 'grep -rn x', 'rg x', 'rg x src', 'cat src/*', 'cd src && grep -r x .', 'grep -r x . | head -5'];

describe('a search of a folder by a command, where a rule for Read is about some file (path-15)', () => {
  test.each(SEARCHES)('runs when there is no such file: %s', async (command) => {
    const rig = new Rig();
    for (const name of ['src/a.ts', 'src/b/c.ts', '.gitignore', 'env']) rig.file(name);
    for (const rule of ['deny Read(.env)', 'ask Read(*.pem)', 'deny Read(src/secret/**)', 'deny Read(~/.ssh/**)']) {
      expect([rule, reasonsOf(await rig.judge(command, rule))]).toEqual([rule, says('onlyReadOnlyCommands')]);
    }
  });

  test.each(SEARCHES)('asks when there is one, and names it: %s', async (command) => {
    const rig = new Rig();
    rig.file('src/deep/.env');
    const judgment = await rig.judge(command, 'deny Read(.env)');
    expect([judgment.type, reasonsOf(judgment)]).toEqual(['ask', expect.stringMatching(/deny rule Read\(\.env\).* might deny ['“"`]?.*deep\/\.env/)]);
  });

  test('hidden and ignored files, other cases and folders that a rule names count', async () => {
    const cases: readonly (readonly [file: string, rule: string])[] = [
      ['.hidden/.ENV', 'deny Read(.env)'],
      ['node_modules/x/.env', 'deny Read(.env)'],
      ['src/private/a.ts', 'deny Read(src/private/**)'],
      ['src/private/a.ts', 'ask Read(private)'],
      ['a/b/k.pem', 'ask Read(*.pem)'],
    ];
    for (const [file, rule] of cases) {
      const rig = new Rig();
      rig.file(file);
      expect([file, rule, (await rig.judge('grep -r x .', rule)).type]).toEqual([file, rule, 'ask']);
    }
  });

  test('links count by what they lead to (path-04)', async () => {
    const rig = new Rig();
    rig.file('src/a.ts');
    rig.link('harmless', rig.file('.env', rig.outside));
    expect((await rig.judge('grep -r x .', 'deny Read(.env)')).type).toBe('ask');
    const folder = new Rig();
    folder.file('src/a.ts');
    folder.link('away', folder.outside);
    expect((await folder.judge('grep -r x .', 'deny Read(.env)')).type).toBe('ask');
    const within = new Rig();
    within.file('packages/a/a.ts');
    within.link('linked', join(within.root, 'packages/a'));
    within.link('dangling', join(within.root, 'nowhere'));
    expect((await within.judge('grep -r x .', 'deny Read(.env)')).type).toBe('allow');
    // By another path it may be what the rule is about.
    expect((await within.judge('grep -r x .', 'deny Read(linked/**)')).type).toBe('ask');
  });

  test('a line that may make the file first, or does more than read, asks as before', async () => {
    const rig = new Rig();
    rig.file('src/a.ts');
    for (const command of ['git checkout other && grep -r x .', 'grep -r x . > out.txt', 'cp a .env; grep -r x .', 'python3 scan.py .; grep -r x .']) {
      const rules = ['allow Bash', 'allow Edit', 'deny Read(.env)'];
      expect([command, (await rig.judge(command, ...rules)).type]).toEqual([command, expect.stringMatching(/ask|deny/)]);
    }
  });

  test('what names the file itself is denied, as before', async () => {
    const rig = new Rig();
    rig.file('.env');
    expect((await rig.judge('cat .env', 'deny Read(.env)')).type).toBe('deny');
    expect((await rig.judge('grep -r x . .env', 'deny Read(.env)')).type).toBe('deny');
    expect((await rig.judge('grep -r x src', 'deny Read(src)')).type).toBe('deny');
  });

  test('a folder with too much in it asks', async () => {
    const rig = new Rig();
    for (let index = 0; index < 200; index += 1) rig.file(`d${index}/f`);
    const seen: string[] = [];
    // Where the machine is slow, its time is over before.
    expect(await walkFolder(rig.root, ({ path }) => seen.push(path) < 30, new AbortController().signal)).toBe(false);
    expect(seen).toHaveLength(30);
    const gate = createGate({
      sandbox: HELD,
      workspace: createWorkspace(() => [{ name: 'ws', path: rig.root }], rig.outside),
      documents: createDiskDocuments(),
      walk: () => Promise.resolve(false),
      caseInsensitive: false,
      home: rig.outside,
      rules: ruleBook(['deny Read(.env)']),
      analyzer: () => analyzer,
      trusted: () => true,
    });
    expect((await judge(gate, 'default', runs('grep -r x .', rig.root))).type).toBe('ask');
  });
});

describe('a > that is no redirection (cmd-26)', () => {
  const quoted = ["grep -r 'a > b' src; touch made", 'echo "x > y"; touch made', 'touch made # > out'];

  test.each(quoted)('needs no rule for Edit: %s', async (command) => {
    const rig = new Rig();
    rig.file('src/a.ts');
    expect(reasonsOf(await rig.judge(command, 'allow Bash(touch:*)'))).toContain('Bash(touch:*)');
  });

  test.each(['touch made > out', 'echo "x > y" > out; touch made', 'touch made >> made', 'cp a b &> out', "bash -c 'touch made > out'"])(
    'a redirection still does: %s',
    async (command) => {
      const rig = new Rig();
      rig.file('a');
      const judgment = await rig.judge(command, 'allow Bash(touch:*)', 'allow Bash(cp:*)', 'allow Bash(echo:*)');
      expect([judgment.type, reasonsOf(judgment)]).toEqual(['ask', expect.stringContaining(says('changesFile'))]);
    },
  );

  test('one that writes only to nowhere does not', async () => {
    expect((await new Rig().judge('touch made > /dev/null 2>&1', 'allow Bash(touch:*)')).type).toBe('allow');
  });
});

describe('a command that reads files of which only running tells the names, where a rule for Read is about some file (path-15)', () => {
  test.each([
    'cat $F',
    'head -n 5 "$(ls -a | tail -1)"',
    'for f in .e*; do cat $f; done',
    'grep x $OPTIONS .',
    'rg $X',
    '/bin/cat $F',
    'timeout 5 cat $F',
    'sed -n p $F',
    'cat < $F',
  ])('asks although every command is allowed: %s', async (command) => {
    const judgment = await new Rig().judge(command, 'allow Bash', 'deny Read(.env)');
    expect([judgment.type, reasonsOf(judgment)]).toEqual(['ask', expect.stringContaining('deny rule Read(.env)')]);
  });

  test.each(['rm $F', 'cp a.txt $F', 'echo x > "$F"', 'tee $F', 'sed -i s/a/b/ $F', 'git checkout -- $F', 'sudo mv a.txt $F'])(
    'asks where a rule for Edit is about some file: %s',
    async (command) => {
      const judgment = await new Rig().judge(command, 'allow Bash', 'deny Edit(src/**)');
      expect([judgment.type, reasonsOf(judgment)]).toEqual(['ask', expect.stringContaining('deny rule Edit(src/**)')]);
    },
  );

  test.each(['cat $F', 'mkdir build', 'npm run build -- $F', 'git push origin "$B"'])('a rule for Edit does not get in the way of: %s', async (command) => {
    expect([command, (await new Rig().judge(command, 'allow Bash', 'deny Edit(src/**)')).type]).toEqual([command, 'allow']);
  });

  test.each(['echo $F', 'npm test -- $F', 'git commit -m "$M"', 'grep -c "$PATTERN" a.txt', 'tr a "$B"', 'ls $F', 'test -f $F'])(
    'does not get in the way of: %s',
    async (command) => {
      const rig = new Rig();
      rig.file('a.txt');
      expect([command, (await rig.judge(command, 'allow Bash', 'deny Read(.env)')).type]).toEqual([command, 'allow']);
    },
  );
});
