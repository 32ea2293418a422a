import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AppliedChange, TextFile } from '../../../../src/domain/workspace/documents.js';
import { createDiskDocuments } from '../../../../src/node/files/disk-documents.js';
import { withNotebooks } from '../../../../src/node/files/notebook-documents.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const documents = withNotebooks(createDiskDocuments());
const { signal } = new AbortController();

/** A notebook as Jupyter writes it, with what other programs add, and numbers that JavaScript writes differently. */
const CELLS = `  {
   "cell_type": "markdown",
   "id": "aa11",
   "metadata": {"collapsed": 1.0},
   "source": [
    "# Title\\n",
    "caf\\u00e9"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 7,
   "id": "bb22",
   "metadata": {},
   "outputs": [{"name": "stdout", "output_type": "stream", "text": ["hi\\n"]}],
   "source": [
    "print(\\"hi\\")"
   ],
   "unknown": 12345678901234567890
  }`;
const rest = ',\n "metadata": {"language_info": {"name": "python"}, "x": 1e400},\n "nbformat": 4,\n "nbformat_minor": 5\n}\n';
const NOTEBOOK = `{\n "cells": [\n${CELLS}\n ]${rest}`;
const TEXT = '%% cell markdown id=aa11\n# Title\ncafé\n%% cell code python id=bb22\nprint("hi")\n';

function made(content: string): string {
  const path = join(temporaryFolder(), 'a.ipynb');
  writeFileSync(path, content);
  return path;
}

async function cells(path: string): Promise<TextFile> {
  const file = await documents.read(path, signal);
  if (file.kind !== 'text') throw new Error(`${path} is ${file.kind}`);
  return file;
}

async function change(path: string, edit: (text: string) => string): Promise<AppliedChange> {
  const { hash, text } = await cells(path);
  return documents.apply({ action: 'modify', path, baseHash: hash, text: edit(text) }, signal);
}

/** What a change makes of the file. */
async function changed(content: string, edit: (text: string) => string): Promise<string> {
  const path = made(content);
  await change(path, edit);
  return readFileSync(path, 'utf8');
}

describe('notebooks as the text of their cells', () => {
  it('shows each cell after a line with its kind, language and id', async () => {
    const { text, notebook } = await cells(made(NOTEBOOK));
    expect(text).toBe(TEXT);
    expect(notebook).toEqual({ cells: 2, outputs: [{ line: 5, text: 'hi' }] });
  });

  it('changes nothing but the source of a cell that is edited and the number of its execution: outputs stay, as in VS Code', async () => {
    expect(await changed(NOTEBOOK, (text) => text.replace('print("hi")', 'x = 1\nprint("é\\n")'))).toBe(
      NOTEBOOK.replace('"execution_count": 7', '"execution_count": null').replace('"print(\\"hi\\")"', '"x = 1\\n",\n    "print(\\"é\\\\n\\")"'),
    );
    expect(await changed(NOTEBOOK, (text) => text)).toBe(NOTEBOOK);
  });

  it('adds, moves and removes cells, each kept as it is written', async () => {
    const [first, second] = [CELLS.slice(2, CELLS.indexOf(',\n  {')), CELLS.slice(CELLS.indexOf(',\n  {') + 4)];
    expect(await changed(NOTEBOOK, () => '%% cell code id=bb22\nprint("hi")\n%% cell markdown id=aa11\n# Title\ncafé\n')).toBe(
      `{\n "cells": [\n  ${second},\n  ${first}\n ]${rest}`,
    );
    expect(await changed(NOTEBOOK, () => '%% cell code id=bb22\nprint("hi")')).toBe(`{\n "cells": [\n  ${second}\n ]${rest}`);
    expect(await changed(NOTEBOOK, () => '')).toBe(`{\n "cells": []${rest}`);
    const added = await changed(NOTEBOOK, (text) => `${text}\n%% cell code bash\nls\n\n%% cell raw\n`);
    expect(added.slice(0, added.indexOf('12345678901234567890'))).toBe(NOTEBOOK.slice(0, NOTEBOOK.indexOf('12345678901234567890')));
    expect(added).toMatch(
      /\},\n {2}\{\n {3}"cell_type": "code",\n {3}"execution_count": null,\n {3}"id": "[0-9a-f]{8}",\n {3}"metadata": \{\n {4}"vscode": \{\n {5}"languageId": "bash"\n {4}\}\n {3}\},\n {3}"outputs": \[\],\n {3}"source": \[\n {4}"ls"\n {3}\]\n {2}\},\n {2}\{\n {3}"cell_type": "raw",\n {3}"id": "[0-9a-f]{8}",\n {3}"metadata": \{\},\n {3}"source": \[\]\n {2}\}\n \],\n/,
    );
  });

  it('tells when cells are named anew', async () => {
    const path = made(NOTEBOOK);
    expect(await change(path, (text) => text.replace('hi', 'ho'))).not.toHaveProperty('renamed');
    expect(await change(path, (text) => `%% cell code\nnew\n${text}`)).toMatchObject({ renamed: true, where: 'disk' });
    expect((await cells(path)).text).toMatch(/^%% cell code python id=[0-9a-f]{8}\nnew\n%% cell markdown id=aa11\n/);
  });

  it('gives a cell another kind or language; only code has outputs', async () => {
    const asText = JSON.parse(await changed(NOTEBOOK, (text) => text.replace('%% cell code python', '%% cell markdown'))) as {
      readonly cells: readonly unknown[];
    };
    expect(asText.cells[1]).toEqual({ cell_type: 'markdown', id: 'bb22', metadata: {}, source: ['print("hi")'], unknown: 12345678901234567000 });
    const asCode = JSON.parse(await changed(NOTEBOOK, (text) => text.replace('%% cell markdown', '%% cell code r'))) as { readonly cells: readonly unknown[] };
    expect(asCode.cells[0]).toMatchObject({ cell_type: 'code', outputs: [], execution_count: null, metadata: { collapsed: 1, vscode: { languageId: 'r' } } });
  });

  it('keeps the form of the file: one line, CRLF, four spaces, a source in one string, another encoding', async () => {
    const value = {
      cells: [{ cell_type: 'code', source: 'a\r\nb', outputs: [], metadata: {}, execution_count: null }],
      metadata: {},
      nbformat: 4,
      nbformat_minor: 4,
    };
    const compact = JSON.stringify(value);
    expect((await cells(made(compact))).text).toBe('%% cell code python nr=1\na\r\nb\n');
    expect(await changed(compact, (text) => text.replace('a', 'é'))).toBe(compact.replace('"a\\r', '"é\\r'));
    expect(JSON.parse(await changed(compact, (text) => `%% cell markdown\nnew\n${text}`))).toEqual({
      ...value,
      cells: [{ cell_type: 'markdown', metadata: {}, source: ['new'] }, ...value.cells],
    });
    const wide = JSON.stringify(value, undefined, 4).replaceAll('\n', '\r\n');
    expect(await changed(wide, (text) => `${text}%% cell markdown\nnew\n`)).toContain(
      '\r\n        },\r\n        {\r\n            "cell_type": "markdown",\r\n            "metadata": {},\r\n            "source": [\r\n                "new"\r\n            ]\r\n        }\r\n    ],\r\n',
    );
  });

  it('brings back what looks like the line before a cell', async () => {
    const odd = '%% cell code id=bb22\n\\%% cell\n%%celldiff\n%% cells\n';
    const json = JSON.stringify({
      cells: [
        { cell_type: 'markdown', source: odd, metadata: {} },
        { cell_type: 'raw', source: '\n', metadata: {} },
      ],
      metadata: {},
      nbformat: 4,
      nbformat_minor: 4,
    });
    const path = made(json);
    expect((await cells(path)).text).toBe('%% cell markdown nr=1\n\\%% cell code id=bb22\n\\\\%% cell\n%%celldiff\n%% cells\n\n%% cell raw nr=2\n\n\n');
    await change(path, (text) => text.replace('cells\n', 'cells!\n'));
    expect(readFileSync(path, 'utf8')).toBe(json.replace('cells\\n', 'cells!\\n'));
  });

  it.each([
    ['text in no cell', 'hello\n', /Line 1 of the notebook is in no cell/],
    ['a line that only begins as one', '%% cell codes\n', /Line 1 of the notebook does not begin a cell/],
    ['a cell that is not there', '%% cell code id=nope\n', /no cell with id=nope/],
    ['a cell twice', `${TEXT}${TEXT}`, /two cells with id=aa11/],
    ['JSON', NOTEBOOK, /Line 1 of the notebook is in no cell/],
  ])('refuses %s, and leaves the file', async (_, text, problem) => {
    const path = made(NOTEBOOK);
    await expect(change(path, () => text)).rejects.toThrow(problem);
    expect(readFileSync(path, 'utf8')).toBe(NOTEBOOK);
  });

  it('refuses a version that has changed', async () => {
    const path = made(NOTEBOOK);
    await expect(documents.apply({ action: 'modify', path, baseHash: '0'.repeat(64), text: '' }, signal)).rejects.toThrow(/has changed since it was read/);
    expect(readFileSync(path, 'utf8')).toBe(NOTEBOOK);
  });

  it.each([
    '{"cells": [',
    '[]',
    '{"nbformat": 3, "worksheets": []}',
    '{"cells": [1]}',
    '{"cells": []} x',
    '{"cells": {}}',
    '{"cells": [{"cell_type": "heading"}]}',
  ])('leaves what is no notebook of nbformat 4 as text: %s', async (json) => {
    const path = made(json);
    expect(await cells(path)).toMatchObject({ text: json });
    await change(path, (text) => `${text} `);
    expect(readFileSync(path, 'utf8')).toBe(`${json} `);
  });

  it('names cells whose ids are no ids, or are used twice, by their places', async () => {
    const cell = (id: unknown): unknown => ({ cell_type: 'raw', id, source: '' });
    const { text } = await cells(made(JSON.stringify({ cells: [cell('a'), cell('a'), cell('b c'), cell(1)], nbformat: 4 })));
    expect(text).toBe('%% cell raw id=a\n%% cell raw nr=2\n%% cell raw nr=3\n%% cell raw nr=4\n');
  });

  it('makes new notebooks of cells and of JSON, also of an empty file', async () => {
    const path = join(temporaryFolder(), 'new.ipynb');
    await documents.apply({ action: 'create', path, text: '%% cell markdown\n# Hi\n%% cell code r\nx <- 1\n' }, signal);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      nbformat: 4,
      metadata: { language_info: { name: 'r' } },
      cells: [
        { cell_type: 'markdown', source: ['# Hi'] },
        { cell_type: 'code', metadata: {}, source: ['x <- 1'] },
      ],
    });
    const json = join(temporaryFolder(), 'json.ipynb');
    await documents.apply({ action: 'create', path: json, text: NOTEBOOK }, signal);
    expect(readFileSync(json, 'utf8')).toBe(NOTEBOOK);
    await expect(documents.apply({ action: 'create', path: `${json}.ipynb`, text: '{"a": 1}' }, signal)).rejects.toThrow(
      /no notebook: it has no list of cells/,
    );
    expect(JSON.parse(await changed('', () => '%% cell code\nx\n'))).toMatchObject({ cells: [{ source: ['x'] }] });
  });

  it('takes a notebook with 20 MB of outputs in bearable time', async () => {
    const png = { output_type: 'display_data', data: { 'image/png': 'A'.repeat(2_000_000) } };
    const big = JSON.stringify(
      {
        cells: Array.from({ length: 10 }, () => ({ cell_type: 'code', source: ['x'], outputs: [png], metadata: {} })),
        metadata: {},
        nbformat: 4,
        nbformat_minor: 4,
      },
      undefined,
      1,
    );
    const path = made(big);
    const { notebook } = await cells(path);
    expect(notebook?.outputs[9]).toEqual({ line: 20, text: '[image/png, 1.9 MB]' });
    await change(path, (text) => text.replace('nr=3\nx', 'nr=3\ny'));
    expect(readFileSync(path, 'utf8').length).toBe(big.length);
  });
});
