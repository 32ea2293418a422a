import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Plan, Tool, ToolResult } from '../../../src/domain/tool/tool.js';
import { createDiskDocuments } from '../../../src/node/files/disk-documents.js';
import { createJobs } from '../../../src/node/process/jobs.js';
import { createProcesses } from '../../../src/node/process/processes.js';
import { createWorkspace } from '../../../src/node/files/workspace.js';
import { createTools } from '../../../src/tool/index.js';
import { createMemoryWorkspace, toolContext } from '../../support/memory-workspace/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { textOf } from './rig.js';
import { settledPlan } from '../../support/settled-plan.js';

/** A real workspace with a folder, a link to it and a file in it, and a place outside with the same names. */
class Rig {
  readonly root = temporaryFolder();
  readonly outside = temporaryFolder();
  /** What language servers and the editor were asked about. */
  readonly asked: string[] = [];
  private readonly tools: readonly Tool[];

  constructor() {
    for (const folder of [join(this.root, 'real'), this.outside]) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'a.ts'), '');
    }
    symlinkSync(join(this.root, 'real'), join(this.root, 'link'));
    this.tools = this.createTools();
  }

  tool(name: string): Tool {
    const found = this.tools.find(({ spec }) => spec.name === name);
    if (found === undefined) throw new Error(`There is no tool ${name}.`);
    return found;
  }

  /** Plans a call, lets somebody change the files meanwhile, and runs it. */
  async call(name: string, args: object, meanwhile: () => void): Promise<ToolResult & { readonly plan: Plan }> {
    const plan = await settledPlan(this.tool(name), args, toolContext());
    meanwhile();
    return { ...(await this.tool(name).execute(plan, toolContext())), plan };
  }

  turnLink(): void {
    unlinkSync(join(this.root, 'link'));
    symlinkSync(this.outside, join(this.root, 'link'));
  }

  replaceFolder(): void {
    renameSync(join(this.root, 'real'), join(this.root, 'moved'));
    symlinkSync(this.outside, join(this.root, 'real'));
  }

  removeFolder(): void {
    rmSync(join(this.root, 'real'), { recursive: true });
  }

  private createTools(): readonly Tool[] {
    const workspace = createWorkspace(() => [{ name: 'ws', path: this.root }], this.outside);
    const ask = (path: string): Promise<[]> => Promise.resolve((this.asked.push(path), []));
    const settings = { logFolder: join(this.outside, 'logs'), env: process.env };
    return createTools({
      ...createMemoryWorkspace(),
      workspace,
      documents: createDiskDocuments(),
      processes: createProcesses(settings),
      jobs: createJobs(settings),
      symbols: { outline: ask, definitions: ({ path }) => ask(path), references: ({ path }) => ask(path), search: ask },
      diagnostics: { current: () => [], settled: (path) => ask(path).then(() => undefined) },
    });
  }
}

const SWAPS: readonly (readonly [what: string, cwd: string, swap: (rig: Rig) => void])[] = [
  ['the link that was named was turned round', 'link', (rig) => rig.turnLink()],
  ['the folder that a link leads to became a link', 'link', (rig) => rig.replaceFolder()],
  ['the folder became a link', 'real', (rig) => rig.replaceFolder()],
];

describe.runIf(process.platform !== 'win32')('between what was judged and what is done (path-06, path-19)', () => {
  for (const background of [false, true]) {
    it.each(SWAPS)(`bash${background ? ' in the background' : ''} runs nothing when %s`, async (_what, cwd, swap) => {
      const rig = new Rig();
      const result = await rig.call('bash', { command: 'echo ran > ran.txt', cwd, background }, () => swap(rig));
      expect([result.isError, textOf(result)]).toEqual([true, `${cwd} leads elsewhere than when the call was planned; nothing was done. Plan it again.`]);
      const look = await rig.call('bash', { command: `ls ${rig.outside} ${rig.root}/*/` }, () => undefined);
      expect(textOf(look)).not.toContain('ran.txt');
    });

    it(`bash${background ? ' in the background' : ''} runs nothing when the folder is gone`, async () => {
      const rig = new Rig();
      const result = await rig.call('bash', { command: 'echo ran', cwd: 'real', background }, () => rig.removeFolder());
      expect([result.isError, textOf(result)]).toEqual([true, `${join(rig.root, 'real')} is not a folder in which a command could run.`]);
    });
  }

  it('bash runs where the link led, as long as nothing changed', async () => {
    const rig = new Rig();
    const result = await rig.call('bash', { command: 'pwd -P', cwd: 'link' }, () => undefined);
    expect(textOf(result).split('\n')[0]).toBe(join(rig.root, 'real'));
  });

  const calls: readonly (readonly [tool: string, args: object])[] = [
    ['symbols', { action: 'outline', path: 'link/a.ts' }],
    ['symbols', { action: 'definition', path: 'link/a.ts', line: 1, name: 'x' }],
    ['symbols', { action: 'references', path: 'link/a.ts', line: 1, name: 'x' }],
    ['diagnostics', { path: 'link/a.ts' }],
  ];

  it.each(calls)('%s asks about the file that was judged: %j', async (tool, args) => {
    const rig = new Rig();
    const { plan } = await rig.call(tool, args, () => undefined);
    expect(rig.asked).toEqual([join(rig.root, 'real/a.ts')]);
    expect(plan.accesses.map(({ target }) => target)).toContain(rig.asked[0]);
  });

  it.each(calls.flatMap(([tool, args]) => SWAPS.slice(0, 2).map(([what, , swap]) => [tool, what, args, swap] as const)))(
    '%s asks about nothing when %s',
    async (tool, _what, args, swap) => {
      const rig = new Rig();
      const result = await rig.call(tool, args, () => swap(rig));
      expect([result.isError, textOf(result), rig.asked]).toEqual([true, expect.stringContaining('leads elsewhere than when the call was planned'), []]);
    },
  );

  const files: readonly (readonly [tool: string, args: object])[] = [
    ['edit', { file_path: 'link/a.ts', old_string: 'a', new_string: 'b' }],
    ['edit', { file_path: 'link/a.ts', old_string: '', new_string: 'b' }],
    ['write', { file_path: 'link/a.ts', content: 'b' }],
    ['apply_patch', { patch: '*** Update File: link/a.ts\n-a\n+b' }],
    ['apply_patch', { patch: '*** Add File: link/a.ts\n+b' }],
    ['apply_patch', { patch: '*** Delete File: link/a.ts' }],
    ['apply_patch', { patch: '*** Update File: link/a.ts\n*** Move to: b.ts' }],
  ];

  const swapped = files.flatMap(([tool, args]) => SWAPS.slice(0, 2).map(([what, , swap]) => [tool, args, what, swap] as const));

  it.each(swapped)('%s opens nothing (%j) when %s', async (name, args, _what, swap) => {
    const rig = new Rig();
    const tool = rig.tool(name);
    const plan = await tool.plan(args, toolContext());
    swap(rig);
    await expect(tool.open?.(plan, toolContext())).rejects.toThrow('link/a.ts leads elsewhere than when the call was planned; nothing was done.');
  });

  const ends = SWAPS.slice(0, 2).flatMap(([what, , swap]) =>
    ['*** Delete File: link/a.ts', '*** Update File: link/a.ts\n*** Move to: b.ts', '*** Update File: b.ts\n*** Move to: link/c.ts'].map(
      (patch) => [patch, what, swap] as const,
    ),
  );

  it.each(ends)('path-06: nothing is deleted or moved (%j) when %s after it was shown', async (patch, _what, swap) => {
    const rig = new Rig();
    writeFileSync(join(rig.root, 'b.ts'), 'b');
    if (patch.includes('Move to: b.ts')) unlinkSync(join(rig.root, 'b.ts'));
    const before = [rig.root, rig.outside].map((folder) => filesIn(folder));
    const result = await rig.call('apply_patch', { patch }, () => swap(rig));
    expect(result.isError).toBe(true);
    expect([rig.root, rig.outside].map((folder) => filesIn(folder).length)).toEqual(before.map(({ length }) => length));
    expect(filesIn(rig.outside)).toEqual(before[1]);
  });

  it.each(SWAPS.slice(0, 2))('read shows nothing when %s', async (_what, _cwd, swap) => {
    const rig = new Rig();
    const result = await rig.call('read', { file_path: 'link/a.ts' }, () => swap(rig));
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('leads elsewhere than when the call was planned')]);
  });
});

/** The regular files in a folder, by their paths in it; links are not followed. */
function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length)).sort();
}
