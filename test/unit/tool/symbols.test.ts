import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { ToolInputError } from '../../../src/domain/errors.js';
import type { SymbolPlace, SymbolQuery } from '../../../src/domain/workspace/code-intelligence.js';
import type { Tool } from '../../../src/domain/tool/tool.js';
import { createTools } from '../../../src/tool/index.js';
import { type MemoryWorkspaceOptions, createMemoryWorkspace, toolContext } from '../../support/memory-workspace/index.js';
import { textOf } from './rig.js';

/** A place, with the text of its line. */
const place = (path: string, line: number, text: string, change: Partial<SymbolPlace> = {}): Found => ({ path, line, column: 1, text, ...change });

interface Found extends SymbolPlace {
  readonly text: string;
}

/** Files with the lines that places have. */
function filesWith(found: readonly Found[]): Record<string, string> {
  const files = new Map<string, string[]>();
  for (const { path, line, text } of found) {
    const lines = files.get(path) ?? [];
    while (lines.length < line) lines.push('');
    lines[line - 1] = text;
    files.set(path, lines);
  }
  return Object.fromEntries([...files].map(([path, lines]) => [path, lines.join('\n')]));
}

interface Rig {
  readonly tool: Tool;
  readonly asked: unknown[];
  readonly ask: (args: object) => Promise<string>;
}

function rig(found: readonly Found[], options: MemoryWorkspaceOptions = {}): Rig {
  const asked: unknown[] = [];
  const answer = (kind: string) => (query: SymbolQuery | string) => {
    asked.push([kind, query]);
    return Promise.resolve(found);
  };
  const symbols = { definitions: answer('definitions'), references: answer('references'), search: answer('search'), outline: answer('outline') };
  const tool = createTools({ ...createMemoryWorkspace({ files: filesWith(found), ...options }), symbols }).find(({ spec }) => spec.name === 'symbols');
  if (tool === undefined) throw new Error('There is no tool symbols.');
  return { tool, asked, ask: async (args) => textOf(await tool.execute(await tool.plan(args, toolContext()), toolContext())) };
}

describe('symbols', () => {
  it('lists references by file and line with their text', async () => {
    const { ask, asked } = rig([place('/ws/b.ts', 2, 'gate();'), place('/ws/a.ts', 9, 'x(gate);'), place('/ws/a.ts', 3, 'const gate = 1;')]);
    expect(await ask({ action: 'references', path: 'a.ts', line: 3, name: 'gate' })).toBe('a.ts\n3:const gate = 1;\n9:x(gate);\nb.ts\n2:gate();');
    expect(asked).toEqual([['references', { path: '/ws/a.ts', line: 3, name: 'gate' }]]);
  });

  it('names a definition outside the workspace by its place only, also one that a link leads to (path-14)', async () => {
    const found = [place('/usr/lib/x.d.ts', 7, 'SECRET one'), place('/ws/link/y.ts', 8, 'SECRET two'), place('/ws/node_modules/z.ts', 9, 'inside')];
    const text = await rig(found, { links: { '/ws/link': '/home/user/private' } }).ask({ action: 'definition', path: 'a.ts', line: 1, name: 'x' });
    expect(text).toBe('node_modules/z.ts\n9:inside\n/usr/lib/x.d.ts:7 (outside the workspace)\nlink/y.ts:8 (outside the workspace)');
  });

  it('searches names in every folder and shows kinds', async () => {
    const { ask } = rig([place('/x/a.ts', 4, '', { name: 'Gate.open', kind: 'method' }), place('/y/b.ts', 1, '', { name: 'gate' })], { folders: ['/x', '/y'] });
    expect(await ask({ action: 'search', name: 'gate' })).toBe('x/a.ts\n4:method Gate.open\ny/b.ts\n1:gate');
  });

  it('gives the outline of a file in its order', async () => {
    const { ask } = rig([place('/ws/a.ts', 5, '', { name: 'Gate.open', kind: 'method' }), place('/ws/a.ts', 1, '', { name: 'Gate', kind: 'class' })]);
    expect(await ask({ action: 'outline', path: 'a.ts' })).toBe('1:class Gate\n5:method Gate.open');
  });

  it('says so where nothing is found', async () => {
    const { ask } = rig([]);
    expect(await ask({ action: 'definition', path: 'a', line: 1, name: 'x' })).toMatch(/^No definition found in the files that may be read without asking\. /);
    expect(await ask({ action: 'search', name: 'x' })).toBe('No symbols match in the files that may be read without asking.');
    expect(await ask({ action: 'outline', path: 'a' })).toMatch(/^No outline/);
  });

  it.each([
    [{ action: 'definition', path: 'a', name: 'x' }, /definition needs the field line/],
    [{ action: 'references', path: 'a', line: 1 }, /references needs the field name/],
    [{ action: 'references', line: 1, name: 'x' }, /references needs the field path/],
    [{ action: 'search', path: 'a' }, /search needs the field name/],
    [{ action: 'outline', name: 'x' }, /outline needs the field path/],
    [{ action: 'rename' }, /action: /],
    [{ action: 'definition', path: 'a', line: 'one', name: 'x' }, /line: must be a number, not a string/],
  ])('stream-18: %j is refused with what is missing', async (args, problem) => {
    const planned = rig([]).tool.plan(args, toolContext());
    await expect(planned).rejects.toThrow(ToolInputError);
    await expect(planned).rejects.toThrow(problem);
  });

  it('counts as a read of the file, and of every folder whose lines it may show', async () => {
    const { tool } = rig([], { folders: ['/x', '/y'], files: { '/x/a.ts': '' } });
    const targets = async (args: object): Promise<readonly string[]> =>
      (await tool.plan(args, toolContext())).accesses.map(({ kind, target }) => `${kind} ${target}`);
    expect(await targets({ action: 'outline', path: '/x/a.ts' })).toEqual(['read /x/a.ts']);
    expect(await targets({ action: 'search', name: 'q' })).toEqual(['read /x', 'read /y']);
    expect(await targets({ action: 'references', path: '/x/a.ts', line: 1, name: 'q' })).toEqual(['read /x/a.ts', 'read /x', 'read /y']);
  });

  it('is bounded: places, lines and names', async () => {
    const many = Array.from({ length: 230 }, (_, index) => place('/ws/a.ts', index + 1, 'y'.repeat(500)));
    const lines = (await rig(many).ask({ action: 'references', path: 'a.ts', line: 1, name: 'y' })).split('\n');
    expect(lines).toHaveLength(202);
    expect(lines[1]).toMatch(/^1:y{200}… \[300 more characters/);
    expect(lines.at(-1)).toBe('[PARTIAL: and 30 more.]');
    const long = await rig([place('/ws/a.ts', 1, '', { name: 'n'.repeat(900), kind: 'class' })]).ask({ action: 'outline', path: 'a.ts' });
    expect(long.length).toBeLessThan(300);
  });

  it('costs at most 115 tokens', () => {
    expect(encode(JSON.stringify(rig([]).tool.spec)).length).toBeLessThanOrEqual(115);
  });
});
