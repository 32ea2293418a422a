import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ToolResult } from '../../../src/domain/tool/tool.js';
import { createDiskDocuments } from '../../../src/node/files/disk-documents.js';
import { withNotebooks } from '../../../src/node/files/notebook-documents.js';
import { createWorkspace } from '../../../src/node/files/workspace.js';
import { createTools } from '../../../src/tool/index.js';
import { createMemoryWorkspace, toolContext } from '../../support/memory-workspace/index.js';
import { settledPlan } from '../../support/settled-plan.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { textOf } from './rig.js';

/** A workspace on disk with patches. */
class Rig {
  readonly root = temporaryFolder();
  private readonly tools = createTools({
    ...createMemoryWorkspace(),
    workspace: createWorkspace(() => [{ name: 'ws', path: this.root }], temporaryFolder()),
    documents: withNotebooks(createDiskDocuments()),
  });

  constructor(files: Readonly<Record<string, string>>) {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(this.at(name), '..'), { recursive: true });
      writeFileSync(this.at(name), text);
    }
  }

  at(name: string): string {
    return join(this.root, name);
  }

  /** What a patch answers: planned or run, whichever says no. */
  async patch(...lines: readonly string[]): Promise<string> {
    const tool = this.tools.find(({ spec }) => spec.name === 'apply_patch');
    if (tool === undefined) throw new Error('There is no such tool.');
    const run = async (): Promise<ToolResult> => tool.execute(await settledPlan(tool, { patch: lines.join('\n') }, toolContext()), toolContext());
    return run().then(textOf, (error: unknown) => (error instanceof Error ? error.message : String(error)));
  }

  get files(): Readonly<Record<string, string>> {
    const entries = readdirSync(this.root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
    return Object.fromEntries(paths.map((path) => [path.slice(this.root.length + 1), readFileSync(path, 'utf8')]));
  }
}

const NOTEBOOK = '{"cells": [{"cell_type": "markdown", "metadata": {}, "source": ["one"]}],   "metadata": {}, "nbformat": 4, "nbformat_minor": 2}\n';

describe('patches on disk', () => {
  it('delete and move files, with changes in their own line ends', async () => {
    const rig = new Rig({ 'a.ts': 'one\r\ntwo\r\n', 'b.ts': 'b\n', empty: '' });
    expect(await rig.patch('*** Begin Patch', '*** Delete File: b.ts', '*** End Patch')).toBe('Deleted b.ts.');
    expect(await rig.patch('*** Delete File: empty')).toBe('Deleted empty.');
    expect(await rig.patch('*** Update File: a.ts', '*** Move to: lib/deep/c.ts', '@@', ' one', '-two', '+2')).toMatch(
      /^Moved a\.ts to lib\/deep\/c\.ts\. Edited/,
    );
    expect(rig.files).toEqual({ 'lib/deep/c.ts': 'one\r\n2\r\n' });
  });

  it('move notebooks byte for byte, also when a cell changes', async () => {
    const rig = new Rig({ 'a.ipynb': NOTEBOOK });
    expect(await rig.patch('*** Update File: a.ipynb', '*** Move to: b.ipynb')).toBe('Moved a.ipynb to b.ipynb.');
    expect(rig.files).toEqual({ 'b.ipynb': NOTEBOOK });
    await rig.patch('*** Update File: b.ipynb', '*** Move to: c.ipynb', '-one', '+two');
    expect(rig.files).toEqual({ 'c.ipynb': NOTEBOOK.replace('one', 'two') });
  });

  const kinds: readonly (readonly [what: string, name: string, put: (rig: Rig) => void, why: RegExp])[] = [
    ['read-only', 'a', (rig) => chmodSync(rig.at('a'), 0o444), /^a is read-only; nothing was (?:deleted|moved)\.$/],
    [
      'known by several names',
      'a',
      (rig) => linkSync(rig.at('a'), rig.at('b')),
      /^a has other names \(hard links\); nothing was (?:deleted|moved)\. Use bash: (?:rm|mv)$/,
    ],
    ['a link', 'link', (rig) => symlinkSync(rig.at('a'), rig.at('link')), /^link leads to a; nothing was (?:deleted|moved)\. Name that file itself/],
    ['a link that leads nowhere', 'link', (rig) => symlinkSync(rig.at('gone'), rig.at('link')), /^link leads to gone; nothing was/],
    ['a folder', 'folder', (rig) => mkdirSync(rig.at('folder')), /^folder is a folder; nothing was (?:deleted|moved)\. Use bash for folders\.$/],
    ['no text', 'a', (rig) => writeFileSync(rig.at('a'), Buffer.from([0, 1])), /^a is not a text file; nothing was (?:deleted|moved)\. Use bash: (?:rm|mv)$/],
    ['not there', 'zzz', () => undefined, /^zzz does not exist\./],
    [
      'larger than what is kept for undo',
      'a',
      (rig) => truncateSync(rig.at('a'), 10 * 1024 * 1024 + 1),
      /^a is too large to be kept for undo \(10 MB\); nothing was/,
    ],
  ];

  it.each(kinds)('leave what is %s as it is, and say what to do', async (_what, name, put, why) => {
    const rig = new Rig({ a: 'text\n' });
    put(rig);
    const before = [rig.files, readdirSync(rig.root).sort()];
    expect(await rig.patch(`*** Delete File: ${name}`)).toMatch(why);
    expect(await rig.patch(`*** Update File: ${name}`, '*** Move to: new/c')).toMatch(why);
    expect([rig.files, readdirSync(rig.root).sort()]).toEqual(before);
  });

  const places: readonly (readonly [what: string, to: string, put: (rig: Rig) => void])[] = [
    ['a file', 'to', (rig) => writeFileSync(rig.at('to'), 'mine\n')],
    ['a folder', 'to', (rig) => mkdirSync(rig.at('to'))],
    ['a link to a file', 'to', (rig) => symlinkSync(rig.at('other'), rig.at('to'))],
    ['below a file', 'b/to', (rig) => writeFileSync(rig.at('b'), 'mine\n')],
    ['the file itself', './a', () => undefined],
    ['the file itself, through a link', 'here/a', (rig) => symlinkSync(rig.root, rig.at('here'))],
  ];

  it.each(places)('move nothing to %s', async (_what, to, put) => {
    const rig = new Rig({ a: 'text\n', other: 'mine\n' });
    put(rig);
    const before = [rig.files, readdirSync(rig.root)];
    expect(await rig.patch('*** Update File: a', `*** Move to: ${to}`, '-text', '+other')).toMatch(/exists|same file|not a folder|is a file/);
    expect([rig.files, readdirSync(rig.root)]).toEqual(before);
  });
});
