import { describe, expect, test } from 'vitest';
import { attachedNames, withWords } from '../../../src/domain/session/attached.js';
import type { UserContent } from '../../../src/domain/model/content.js';
import type { Diagnostic } from '../../../src/domain/workspace/code-intelligence.js';
import { createReadGuard } from '../../../src/permission/files/read-guard.js';
import type { MentionDeps } from '../../../src/mentions/mention-deps.js';
import { NO_SERVERS } from '../../../src/mcp/connected-servers.js';
import { ResourceMentions } from '../../../src/mentions/resource-mentions.js';
import { resolveMentions } from '../../../src/mentions/resolve.js';
import { createMemoryWorkspace } from '../../support/memory-workspace/index.js';
import { ruleBook } from '../permission/rig.js';

const FILES = {
  '/ws/src/a.ts': Array.from({ length: 50 }, (_, index) => `line ${index + 1}`).join('\n'),
  '/ws/src/b c.ts': 'const b = 1;\n',
  '/ws/.env': 'TOKEN=hunter2',
  '/ws/Makefile': 'all:',
  '/home/user/.ssh/id_rsa': 'KEY hunter2',
  '/etc/passwd': 'root hunter2',
};
const problem = (path: string, over: Partial<Diagnostic> = {}): Diagnostic => ({
  path,
  line: 3,
  column: 5,
  severity: 'error',
  message: 'No good.',
  source: 'ts',
  code: '2322',
  ...over,
});

function portsWith(rules: readonly string[] = [], over: Partial<MentionDeps> = {}): MentionDeps {
  const { workspace, documents } = createMemoryWorkspace({ files: FILES, links: { '/ws/notes.md': '/home/user/.ssh/id_rsa', '/ws/shut.ts': '/ws/src/a.ts' } });
  return {
    workspace,
    documents,
    readGuard: () => createReadGuard({ workspace, home: '/home/user', caseInsensitive: false, rules: ruleBook(rules) }),
    symbols: { search: () => Promise.resolve([]) },
    resources: new ResourceMentions(NO_SERVERS, { smaller: () => Promise.resolve(undefined) }),
    diagnostics: { current: () => [] },
    editors: () => [],
    terminal: () => Promise.resolve(undefined),
    trusted: () => true,
    ...over,
  };
}

async function attached(
  text: string,
  ports = portsWith(),
): Promise<{ readonly names: readonly string[]; readonly all: string; readonly blocks: readonly UserContent[] }> {
  const blocks = await resolveMentions(text, ports, { signal: new AbortController().signal });
  const names = attachedNames({ content: withWords(blocks, text) });
  return { names, blocks, all: blocks.map((block) => (block.type === 'text' ? block.text : '')).join('\n') };
}

describe('files', () => {
  test('the lines that were named, with their numbers', async () => {
    const { names, all } = await attached('Look at @src/a.ts:10-12.');
    expect(names).toEqual(['src/a.ts:10-12']);
    expect(all).toMatch(/10.line 10\n.*11.line 11\n.*12.line 12/);
    expect(all).not.toMatch(/line 9|line 13|PARTIAL/);
  });

  test('a whole file, a name with spaces, a folder, in the order of the text', async () => {
    const { names, all } = await attached('@"src/b c.ts" @src/ @src/a.ts');
    expect(names).toEqual(['src/b c.ts', 'src/', 'src/a.ts']);
    expect(all).toContain('const b = 1;');
    expect(all).toContain('a.ts\nb c.ts');
    expect(all).toContain('line 50');
  });

  test('what is not there is told, unless it need not be a file at all', async () => {
    expect((await attached('@src/gone.ts')).names).toEqual(['src/gone.ts (not found)']);
    expect((await attached('@param x, says @ada')).names).toEqual([]);
    expect((await attached('@Makefile')).names).toEqual(['Makefile']);
  });

  test('lines past the end are told as such', async () => {
    const { names, all } = await attached('@src/a.ts:400');
    expect(names).toEqual(['src/a.ts (not attached)']);
    expect(all).toContain('50 lines');
  });

  test('what is too much together is named only', async () => {
    const many = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`/ws/big${index}.txt`, 'x'.repeat(1_000).concat('\n').repeat(100)]));
    const { workspace, documents } = createMemoryWorkspace({ files: many });
    const { names } = await attached(
      Object.keys(many)
        .map((path) => `@${path.slice(4)}`)
        .join(' '),
      portsWith([], { workspace, documents }),
    );
    expect(names.slice(0, 2)).toEqual(['big0.txt', 'big1.txt']);
    expect(names.at(-1)).toBe('big5.txt (only the name)');
  });
});

describe('what may not be read without asking', () => {
  test.each(['@/etc/passwd', '@../etc/passwd', '@~/.ssh/id_rsa', '@notes.md', '@.env', '@./.env:1-2', '@"/etc/passwd"'])(
    'path-14 path-15: of %s only the path is told',
    async (mention) => {
      const { names, all, blocks } = await attached(mention);
      expect(all).not.toContain('hunter2');
      expect(names).toHaveLength(1);
      expect(names[0]).toMatch(/\(only the path\)$/);
      expect(blocks).toHaveLength(1);
    },
  );

  test('path-15: what a rule denies or asks about', async () => {
    for (const rule of ['deny Read(src/**)', 'ask Read(src/**)', 'deny Read']) {
      const { all } = await attached('@src/a.ts @src/', portsWith([rule]));
      expect(all).not.toContain('line 1');
    }
    expect((await attached('@.env', portsWith(['allow Read(.env)']))).all).toContain('hunter2');
  });

  test('path-15: what a rule denies by the name of a link', async () => {
    expect((await attached('@shut.ts')).all).toContain('line 1');
    expect((await attached('@shut.ts', portsWith(['deny Read(shut.ts)']))).names).toEqual(['shut.ts (only the path)']);
  });

  test('path-15: problems and symbols of such files are left out', async () => {
    const ports = portsWith(['deny Read(src/**)'], {
      diagnostics: {
        current: () => [problem('/ws/src/a.ts', { message: 'hunter2' }), problem('/etc/passwd', { message: 'hunter2' }), problem('/ws/Makefile')],
      },
      symbols: { search: () => Promise.resolve([{ path: '/ws/src/a.ts', line: 1, column: 1, text: '', name: 'hunter2' }]) },
    });
    const { names, all } = await attached('@problems @#find', ports);
    expect(names).toEqual(['1 problem', '#find (not found)']);
    expect(all).not.toContain('hunter2');
  });
});

describe('the special ones', () => {
  test('problems with their places, worst first', async () => {
    const current = (path?: string): readonly Diagnostic[] =>
      [problem('/ws/src/a.ts', { severity: 'warning' }), problem('/ws/src/a.ts', { severity: 'hint' }), problem('/ws/Makefile')].filter(
        (each) => path === undefined || each.path === path,
      );
    const ports = portsWith([], { diagnostics: { current } });
    expect((await attached('@problems', ports)).all).toContain('Makefile:3:5 error: No good. [ts 2322]\nsrc/a.ts:3:5 warning');
    expect((await attached('@problems:src/a.ts', ports)).names).toEqual(['1 problem in src/a.ts']);
    expect((await attached('@problems:src/a.ts:2-3', ports)).names).toEqual(['1 problem in src/a.ts:2-3']);
    expect((await attached('@problems:src/a.ts:4', ports)).names).toEqual(['no problems in src/a.ts:4']);
    expect((await attached('@problems')).names).toEqual(['no problems']);
  });

  test('a symbol with its places and its lines', async () => {
    const place = { path: '/ws/src/a.ts', line: 48, column: 1, text: '', kind: 'function' };
    const ports = portsWith([], {
      symbols: {
        search: () =>
          Promise.resolve([
            { ...place, line: 2, name: 'makeAll' },
            { ...place, name: 'make' },
          ]),
      },
    });
    const { names, all } = await attached('@#make', ports);
    expect(names).toEqual(['#make', 'src/a.ts:48-107']);
    expect(all).toContain('src/a.ts:48 make (function)\nsrc/a.ts:2 makeAll (function)');
    expect(all).toContain('line 50');
    expect(all).not.toContain('line 47');
  });

  test('open editors by name, a terminal by what is selected, an address by itself', async () => {
    const ports = portsWith([], {
      editors: () => [
        { path: '/ws/src/a.ts', active: true, unsaved: true },
        { path: '/etc/passwd', active: false, unsaved: false },
      ],
      terminal: () => Promise.resolve({ terminal: 'zsh', text: 'npm ERR!' }),
    });
    const { names, all } = await attached('@editors @terminal @https://example.com/x', ports);
    expect(names).toEqual(['2 open editors', 'selection in the terminal zsh', 'https://example.com/x']);
    expect(all).toContain('src/a.ts (active, unsaved changes)\n/etc/passwd');
    expect(all).toContain('npm ERR!');
    expect(all).not.toContain('hunter2');
    expect((await attached('@terminal')).names).toEqual(['terminal (nothing selected)']);
  });

  test('conf-01: git is not run in a workspace that is not trusted', async () => {
    expect((await attached('@changes', portsWith([], { trusted: () => false }))).names).toEqual(['changes (not in an untrusted workspace)']);
  });

  test('what fails is told, and the rest is attached', async () => {
    const ports = portsWith([], { symbols: { search: () => Promise.reject(new Error('The server is gone.')) } });
    const { names, all } = await attached('@#x @src/a.ts:1', ports);
    expect(names).toEqual(['#x (not attached)', 'src/a.ts:1']);
    expect(all).toContain('The server is gone.');
  });

  test('many mentions are bounded', async () => {
    const { names } = await attached(Array.from({ length: 50 }, (_, index) => `@src/a.ts:${index + 1}`).join(' '));
    expect(names).toHaveLength(31);
    expect(names.at(-1)).toBe('20 more not attached');
  });
});
