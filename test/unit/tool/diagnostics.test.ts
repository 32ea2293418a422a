import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/domain/workspace/code-intelligence.js';
import { createTools } from '../../../src/tool/index.js';
import type { Tool } from '../../../src/domain/tool/tool.js';
import { type MemoryWorkspaceOptions, createMemoryWorkspace, toolContext } from '../../support/memory-workspace/index.js';
import { textOf } from './rig.js';

const problem = (path: string, severity: Diagnostic['severity'], change: Partial<Diagnostic> = {}): Diagnostic => ({
  path,
  line: 1,
  column: 1,
  severity,
  message: `${severity} here`,
  ...change,
});

function rig(
  all: readonly Diagnostic[],
  options: MemoryWorkspaceOptions & { readonly hidden?: string } = {},
): { tool: Tool; settled: string[]; ask: (args?: object) => Promise<string> } {
  const settled: string[] = [];
  const diagnostics = {
    current: (path?: string) => all.filter((each) => path === undefined || each.path === path || each.path.startsWith(`${path}/`)),
    settled: (path: string) => Promise.resolve(void settled.push(path)),
  };
  const memory = createMemoryWorkspace({ files: { '/ws/src/a.ts': 'x', '/ws/b.ts': 'y' }, ...options });
  const tool = createTools({ ...memory, diagnostics, readGuard: () => Promise.resolve((path) => path !== options.hidden) }).find(
    ({ spec }) => spec.name === 'diagnostics',
  );
  if (tool === undefined) throw new Error('There is no tool diagnostics.');
  const ask = async (args = {}): Promise<string> => textOf(await tool.execute(await tool.plan(args, toolContext()), toolContext()));
  return { tool, settled, ask };
}

describe('diagnostics', () => {
  const all = [
    problem('/ws/b.ts', 'warning', { line: 3, column: 7 }),
    problem('/ws/src/a.ts', 'hint'),
    problem('/ws/src/a.ts', 'error', { line: 9, source: 'ts', code: '2304', message: 'Cannot find name “x”.\n  Did you mean y?' }),
    problem('/ws-evil/c.ts', 'error'),
  ];

  it('lists the problems of the workspace and nothing beside it, errors first (path-02)', async () => {
    expect(await rig(all).ask()).toBe(
      [
        '1 error, 1 warning, 1 hint',
        'src/a.ts:9:1 error: Cannot find name “x”. Did you mean y? (ts 2304)',
        'b.ts:3:7 warning: warning here',
        'src/a.ts:1:1 hint: hint here',
      ].join('\n'),
    );
  });

  it('narrows to a folder or a file; a file is looked at again first', async () => {
    const { ask, settled } = rig(all);
    expect(await ask({ path: 'src' })).toMatch(/^1 error, 1 hint\nsrc\/a\.ts:9:1 /);
    expect(settled).toEqual([]);
    expect(await ask({ path: 'b.ts' })).toBe('1 warning\nb.ts:3:7 warning: warning here');
    expect(settled).toEqual(['/ws/b.ts']);
    expect(await ask({ path: 'docs' })).toBe('No problems are known.');
  });

  it('path-15 leaves out a file that may not be shown, unless the call names it', async () => {
    const { ask } = rig(all, { hidden: '/ws/b.ts' });
    expect(await ask()).not.toContain('b.ts');
    expect(await ask({ path: 'b.ts' })).toContain('warning here');
  });

  it('is bounded and says how many are missing', async () => {
    const many = Array.from({ length: 130 }, (_, index) =>
      problem('/ws/b.ts', index < 20 ? 'warning' : 'error', { line: index + 1, message: 'm'.repeat(1_000) }),
    );
    const lines = (await rig(many).ask()).split('\n');
    expect(lines).toHaveLength(102);
    expect(lines[0]).toBe('110 errors, 20 warnings');
    expect(lines[1]).toMatch(/^b\.ts:21:1 error: m{400}… \[600 more characters/);
    expect(lines.at(-1)).toBe('[PARTIAL: and 30 more. Ask for a file or folder.]');
  });

  it('cmd-36: makes hidden characters of a server visible', async () => {
    expect(await rig([problem('/ws/b.ts', 'error', { message: 'a\u202eb\u200b', source: 'x\u0007' })]).ask()).toContain('a\\u{202e}b\\u{200b} (x\\u{7})');
  });

  it('counts as a read of the path, or of every folder; a link also of where it leads (path-04)', async () => {
    const { tool } = rig([], { folders: ['/x', '/y'], files: { '/x/a': '', '/etc/passwd': '' }, links: { '/x/l': '/etc/passwd' } });
    const targets = async (args: object): Promise<readonly string[]> =>
      (await tool.plan(args, toolContext())).accesses.map(({ kind, target }) => `${kind} ${target}`);
    expect(await targets({})).toEqual(['read /x', 'read /y']);
    expect(await targets({ path: '/x/l' })).toEqual(['read /x/l', 'read /etc/passwd']);
  });

  it('finds what the editor knows by the real path of a link, once', async () => {
    const links = { '/ws/link': '/real/dir' };
    const known = [problem('/real/dir/f.ts', 'error'), problem('/ws/link/f.ts', 'error')];
    expect(await rig(known, { links }).ask({ path: 'link' })).toMatch(/\nlink\/f\.ts:1:1 error: error here$/);
  });

  it('costs at most 50 tokens', () => {
    expect(encode(JSON.stringify(rig([]).tool.spec)).length).toBeLessThanOrEqual(50);
  });
});
