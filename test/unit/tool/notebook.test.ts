import { describe, expect, it } from 'vitest';
import { toolContext } from '../../support/memory-workspace/index.js';
import { type Rig, rig, textOf } from './rig.js';

const PATH = '/ws/a.ipynb';
const NOTEBOOK = JSON.stringify(
  {
    cells: [{ cell_type: 'code', id: 'a1', execution_count: null, metadata: {}, outputs: [], source: ['print("hi")'] }],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  },
  undefined,
  1,
);

/** A workspace in which the model has read a notebook. */
async function opened(json = NOTEBOOK): Promise<Rig> {
  const made = rig({ files: { [PATH]: json } });
  await made.call('read', { file_path: PATH });
  return made;
}

const edits = (old_string: string, new_string: string): object => ({ file_path: PATH, edits: [{ old_string, new_string }] });

describe('notebooks', () => {
  it('are edited as they are shown, and approved as a readable diff', async () => {
    const { call, tool, documents } = await opened();
    const plan = await tool('edit').plan(edits('print("hi")', 'print("ho")'), toolContext());
    expect(plan.preview).toMatchObject({
      kind: 'diff',
      path: PATH,
      diff: expect.stringContaining(' %% cell code python id=a1\n-print("hi")\n+print("ho")') as string,
    });
    expect(textOf(await call('edit', edits('print("hi")', 'print("ho")')))).toBe(
      'Edited a.ipynb: 1 replacement at line 2.\nIt now reads:\n1\t%% cell code python id=a1\n2\tprint("ho")',
    );
    expect(documents.text(PATH)).toBe(NOTEBOOK.replace('hi', 'ho'));
  });

  it('say when cells are named anew, and must be read before they are written as a whole', async () => {
    const { call, tool } = await opened();
    const result = textOf(await call('edit', edits('%% cell code python id=a1', '%% cell markdown\n# New\n%% cell code python id=a1')));
    expect(result).toMatch(/\nCells are named anew\. Read the notebook before you change lines that begin with %% cell\.$/);
    await expect(tool('write').plan({ file_path: PATH, content: '%% cell code\n' }, toolContext())).rejects.toThrow(/Only a part of a\.ipynb has been read/);
  });

  it('are written as cells, new ones also as JSON', async () => {
    const { call, tool, documents } = await opened();
    await call('write', { file_path: PATH, content: '%% cell code id=a1\nprint("hi")\n' });
    expect(documents.text(PATH)).toBe(NOTEBOOK);
    await expect(tool('write').plan({ file_path: PATH, content: NOTEBOOK }, toolContext())).rejects.toThrow(/Line 1 of the notebook is in no cell/);
    await call('write', { file_path: 'new.ipynb', content: NOTEBOOK });
    expect(documents.text('/ws/new.ipynb')).toBe(NOTEBOOK);
    await call('write', { file_path: 'cells.ipynb', content: '%% cell code\nx\n' });
    expect(JSON.parse(documents.text('/ws/cells.ipynb'))).toMatchObject({ cells: [{ cell_type: 'code', source: ['x'] }] });
  });

  it.each([
    ['a broken line', '%% cell python', /does not begin a cell/],
    ['a cell that is not there', '%% cell code id=zz', /no cell with id=zz/],
    ['a cell twice', '%% cell code id=a1\nx\n%% cell code id=a1', /two cells with id=a1/],
  ])('refuse %s before anything is asked', async (_, line, problem) => {
    const { tool } = await opened();
    await expect(tool('edit').plan(edits('%% cell code python id=a1', line), toolContext())).rejects.toThrow(problem);
    await expect(tool('write').plan({ file_path: 'new.ipynb', content: 'print(1)\n' }, toolContext())).rejects.toThrow(/is in no cell/);
  });

  it('of an older format are edited as they are written, and lose nothing', async () => {
    const old = '{"nbformat": 3, "worksheets": [{"cells": [{"input": ["a"]}]}]}';
    const { call, documents } = await opened(old);
    await call('edit', edits('["a"]', '["b"]'));
    expect(documents.text(PATH)).toBe(old.replace('"a"', '"b"'));
  });
});
