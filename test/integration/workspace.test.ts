import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { ToolResult } from '../../src/domain/tool/tool.js';
import { OpenQuestions } from '../../src/chat/conversation/conversation.js';
import { windowToolbox } from './window-toolbox.js';
import { bytesOfNotebook } from '../../src/vscode/workspace/notebook-cells.js';
import { createVsCodeWorkspace } from '../../src/vscode/workspace/folders.js';
import { pdfOf } from '../support/pdf-writer.js';
import { waitFor } from '../vscode/wait.mjs';
import { settledPlan } from '../support/settled-plan.js';
import { closeEditors } from './close-editors.js';

const folder = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'tools');
const context = { signal: new AbortController().signal, sessionId: 's', callId: 'c', output: () => undefined };

function newSession(): (name: string, args: object) => Promise<ToolResult> {
  const toolbox = windowToolbox(join(folder, 'logs'));
  const tools = toolbox.toolsForSession(new OpenQuestions());
  return async (name, args) => {
    const tool = tools.find(({ spec }) => spec.name === name);
    assert.ok(tool);
    return tool.execute(await settledPlan(tool, args, context), context);
  };
}

const textOf = (result: ToolResult): string => result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const LOOKS_PER_SECOND = 20;

/**
 * A file that VS Code has heard of: an editor that is opened sooner reads it once more when it hears of it, and takes what a test
 * writes meanwhile for the state that it was created in.
 */
async function knownFile(name: string, content: string): Promise<string> {
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, name));
  let isKnown = false;
  watcher.onDidCreate(() => (isKnown = true));
  watcher.onDidChange(() => (isKnown = true));
  const path = file(name, content);
  let looks = 0;
  const look = (): boolean => {
    // VS Code misses what is written into a folder in the moment in which that is made, until it is written again.
    if (!isKnown && ++looks % LOOKS_PER_SECOND === 0) writeFileSync(path, content);
    return isKnown;
  };
  try {
    await waitFor(look, { what: `VS Code to hear of ${name}`, timeoutMs: 60_000, intervalMs: 1_000 / LOOKS_PER_SECOND });
    return path;
  } finally {
    watcher.dispose();
  }
}

/** What another program does that writes a file: at no moment is a part of it there, of which VS Code would take the time and the size for those of the whole. */
function writeByOther(path: string, content: string): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

async function open(path: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(path), { preview: false });
}

async function type(editor: vscode.TextEditor, text: string): Promise<void> {
  assert.ok(await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), text)));
}

async function configure(section: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration().update(section, value, vscode.ConfigurationTarget.Global);
}

describe('tools in the workspace', () => {
  let call = newSession();

  before(() => configure('files.autoSave', 'off'));
  beforeEach(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    call = newSession();
  });
  afterEach(closeEditors);
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('reads, searches, edits and runs in the folder that is open', async () => {
    file('a.ts', 'const one = 1;\n');
    assert.equal(textOf(await call('glob', { pattern: '*.ts', path: 'tools' })), 'tools/a.ts');
    assert.equal(textOf(await call('grep', { pattern: 'one', path: 'tools' })), 'tools/a.ts\n1:const one = 1;');
    assert.equal((await call('edit', { file_path: 'tools/a.ts', old_string: 'one', new_string: 'uno' })).isError, false);
    assert.match(textOf(await call('bash', { command: 'cat tools/a.ts' })), /^const uno = 1;\n\[exit code 0/);
  });

  it('tool-07: an unsaved buffer is what is read and edited, and it stays unsaved', async () => {
    const path = file('dirty.txt', 'disk\n');
    const editor = await open(path);
    await type(editor, 'typed\n');
    assert.match(textOf(await call('read', { file_path: path })), /unsaved changes[^]*\n1\ttyped\n2\tdisk$/);
    const result = textOf(await call('edit', { file_path: path, old_string: 'disk', new_string: 'edited' }));
    assert.match(result, /not saved to disk yet/);
    assert.equal(editor.document.getText(), 'typed\nedited\n');
    assert.equal(editor.document.isDirty, true);
    assert.equal(readFileSync(path, 'utf8'), 'disk\n');
    assert.equal((await call('edit', { file_path: path, old_string: 'typed', new_string: 'again' })).isError, false);
    await editor.document.save();
    assert.equal((await call('edit', { file_path: path, old_string: 'again', new_string: 'third' })).isError, false);
    assert.equal(readFileSync(path, 'utf8'), 'third\nedited\n');
  });

  it('an edit of an open file without unsaved changes is saved, and is one step to undo', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index} x\n`).join('');
    const path = file('open.txt', lines);
    const editor = await open(path);
    editor.selection = new vscode.Selection(20, 3, 20, 3);
    await call('edit', { file_path: path, old_string: 'x', new_string: 'why', replace_all: true });
    assert.equal(editor.document.isDirty, false);
    assert.equal(readFileSync(path, 'utf8'), lines.replaceAll('x', 'why'));
    assert.deepEqual([editor.selection.active.line, editor.selection.active.character], [20, 3]);
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), lines);
  });

  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
  const kinds: readonly [string, (text: string) => Buffer, string][] = [
    ['CRLF', (text) => Buffer.from(text.replaceAll('\n', '\r\n')), 'utf8'],
    ['a byte-order mark', (text) => Buffer.from(`\uFEFF${text}`), 'utf8bom'],
    ['UTF-16 LE', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'), 'utf16le'],
    ['UTF-16 BE', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(), 'utf16be'],
    ['Latin-1', (text) => latin1(`caf\xe9 \x80 ${text}`), 'windows1252'],
    ['no line ending at the end', (text) => Buffer.from(text.trimEnd()), 'utf8'],
  ];
  for (const [name, encode] of kinds) {
    it(`tool-06: a closed file with ${name} keeps every other byte`, async () => {
      const path = file('closed.txt', encode('one\ntwo\nthree\n'));
      assert.equal((await call('edit', { file_path: path, old_string: 'two', new_string: '2\n2' })).isError, false);
      assert.ok(readFileSync(path).equals(encode('one\n2\n2\nthree\n')));
    });
  }
  for (const [name, encode, encoding] of kinds) {
    it(`tool-06: an open file with ${name} keeps every other byte`, async () => {
      // VS Code keeps documents for a while: one of another test would first have to notice what is in its file now.
      const path = file(`open with ${name}.txt`, encode('one\ntwo\nthree\n'));
      const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path), { encoding });
      await vscode.window.showTextDocument(document);
      assert.equal((await call('edit', { file_path: path, old_string: 'two', new_string: '2\n2' })).isError, false);
      assert.equal(document.isDirty, false);
      assert.ok(readFileSync(path).equals(encode('one\n2\n2\nthree\n')));
    });
  }

  it('tool-06: an open file in an encoding of the editor’s own is edited through it', async () => {
    const shiftJis = Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x0a, 0x61, 0x0a]);
    const path = file('sjis.txt', shiftJis);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(vscode.Uri.file(path), { encoding: 'shiftjis' }));
    assert.equal(textOf(await call('read', { file_path: path })), '1\t日本\n2\ta');
    assert.equal((await call('edit', { file_path: path, old_string: 'a', new_string: '本' })).isError, false);
    assert.ok(readFileSync(path).equals(Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x0a, 0x96, 0x7b, 0x0a])));
  });

  it('tool-06: an open file with mixed line endings is refused with a way out, and edited once it is closed', async () => {
    const path = file('mixed.txt', 'one\r\ntwo\nthree\r\n');
    await open(path);
    const edit = (): Promise<ToolResult> => call('edit', { file_path: path, old_string: 'two', new_string: '2' });
    const refused = await edit();
    assert.equal(refused.isError, true);
    assert.match(textOf(refused), /mixed line endings and is open in the editor/);
    assert.equal(readFileSync(path, 'utf8'), 'one\r\ntwo\nthree\r\n');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.equal((await edit()).isError, false);
    assert.equal(readFileSync(path, 'utf8'), 'one\r\n2\nthree\r\n');
  });

  it('tool-06: an open file whose bytes the editor does not understand is refused', async () => {
    const bytes = latin1('caf\xe9\ntwo\n');
    const path = file('broken.txt', bytes);
    await open(path);
    const refused = await call('edit', { file_path: path, old_string: 'two', new_string: '2' });
    assert.match(textOf(refused), /saving would damage it/);
    assert.ok(readFileSync(path).equals(bytes));
  });

  it('tool-08: goes on from what another program wrote into an open file', async () => {
    const path = await knownFile('outside.txt', 'one\n');
    const editor = await open(path);
    await call('read', { file_path: path });
    writeByOther(path, 'one two\n');
    await assert.rejects(call('edit', { file_path: path, old_string: 'one', new_string: '1' }), /changed since it was read/);
    assert.equal(textOf(await call('read', { file_path: path })), '1\tone two');
    assert.equal((await call('edit', { file_path: path, old_string: 'one', new_string: '1' })).isError, false);
    assert.equal(readFileSync(path, 'utf8'), '1 two\n');
    assert.equal(editor.document.getText(), '1 two\n');
  });

  it('tool-08: goes on from other line endings that another program gave an open file', async () => {
    const path = await knownFile('endings.txt', 'one\ntwo\n');
    const editor = await open(path);
    writeByOther(path, 'one\r\ntwo\r\n');
    assert.equal((await call('edit', { file_path: path, old_string: 'two', new_string: '2' })).isError, false);
    assert.equal(readFileSync(path, 'utf8'), 'one\r\n2\r\n');
    assert.equal(editor.document.eol, vscode.EndOfLine.CRLF);
  });

  it('tool-09: what a formatter changes on saving is told, and the next edit starts from it', async () => {
    const path = file('formatted.txt', 'one\n');
    const formatter = vscode.languages.registerDocumentFormattingEditProvider(
      { pattern: '**/formatted.txt' },
      {
        provideDocumentFormattingEdits: (document) =>
          document.getText().includes(';') ? [] : [vscode.TextEdit.insert(new vscode.Position(0, document.lineAt(0).text.length), ';')],
      },
    );
    await configure('editor.formatOnSave', true);
    try {
      await open(path);
      const result = await call('edit', { file_path: path, old_string: 'one', new_string: 'two' });
      assert.match(textOf(result), /the editor changed the file further/);
      assert.equal(readFileSync(path, 'utf8'), 'two;\n');
      assert.equal((await call('edit', { file_path: path, old_string: 'two;', new_string: 'three;' })).isError, false);
      assert.equal(readFileSync(path, 'utf8'), 'three;\n');
    } finally {
      formatter.dispose();
      await configure('editor.formatOnSave', undefined);
    }
  });

  it('path-04: a file that is open under the name of a link is edited in its buffer', async () => {
    const path = file('real.txt', 'one\n');
    symlinkSync(path, join(folder, 'link.txt'));
    const editor = await open(join(folder, 'link.txt'));
    await type(editor, 'typed\n');
    await call('edit', { file_path: path, old_string: 'one', new_string: 'two' });
    assert.equal(editor.document.getText(), 'typed\ntwo\n');
    assert.equal(readFileSync(path, 'utf8'), 'one\n');
  });

  it('tool-11, tool-12: keeps the mode; does not write to a read-only file', async () => {
    const path = file('run.sh', 'echo one\n');
    chmodSync(path, 0o755);
    await call('edit', { file_path: path, old_string: 'one', new_string: 'two' });
    assert.equal(statSync(path).mode & 0o777, 0o755);
    chmodSync(path, 0o444);
    const refused = await call('edit', { file_path: path, old_string: 'two', new_string: 'three' });
    assert.match(textOf(refused), /read-only/);
    assert.equal(readFileSync(path, 'utf8'), 'echo two\n');
  });

  describe('notebooks', () => {
    const source = (id: string, text: string): object => ({
      cell_type: 'code',
      execution_count: 1,
      id,
      metadata: {},
      outputs: [{ name: 'stdout', output_type: 'stream', text: ['out\n'] }],
      source: [text],
    });
    const notebook = (...cells: readonly object[]): string =>
      `${JSON.stringify({ cells, metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 5 }, undefined, 1)}\n`;
    const shown = async (path: string): Promise<vscode.NotebookDocument> => {
      const document = await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
      await vscode.window.showNotebookDocument(document);
      return document;
    };
    const sources = (document: vscode.NotebookDocument): readonly string[] => document.getCells().map((cell) => cell.document.getText());

    it('tool-07: an open notebook is changed in its editor by cell, saved, as one step to undo', async () => {
      const path = file('book.ipynb', notebook(source('a1', 'one'), source('b2', 'two'), source('c3', 'three')));
      const document = await shown(path);
      assert.match(textOf(await call('read', { file_path: path })), /\n3\t%% cell code python id=b2\n4\ttwo\n\| out\n/);
      const result = await call('edit', {
        file_path: path,
        edits: [
          { old_string: 'two', new_string: 'print("2")' },
          { old_string: '%% cell code python id=c3\nthree', new_string: '%% cell markdown\n# New' },
        ],
      });
      assert.match(textOf(result), /Cells are named anew/);
      assert.deepEqual(sources(document), ['one', 'print("2")', '# New']);
      assert.deepEqual(
        document.getCells().map(({ outputs }) => outputs.length),
        [1, 1, 0],
      );
      assert.equal(document.isDirty, false);
      const written = JSON.parse(readFileSync(path, 'utf8')) as { readonly cells: readonly { readonly id: string; readonly outputs?: unknown }[] };
      assert.deepEqual(
        written.cells.slice(0, 2).map(({ id }) => id),
        ['a1', 'b2'],
      );
      assert.deepEqual(written.cells[1]?.outputs, [{ name: 'stdout', output_type: 'stream', text: ['out\n'] }]);
      await vscode.commands.executeCommand('notebook.focusTop');
      await vscode.commands.executeCommand('undo');
      await waitFor(() => sources(document).join() === 'one,two,three', { what: 'the change to be undone', timeoutMs: 30_000 });
      assert.deepEqual(
        document.getCells().map(({ outputs }) => outputs.length),
        [1, 1, 1],
      );
      await document.save();
    });

    it('tool-07: a notebook with unsaved changes is read and changed as its editor shows it, and stays unsaved', async () => {
      const json = notebook(source('a1', 'one'), source('b2', 'two'));
      const path = file('dirty.ipynb', json);
      const document = await shown(path);
      const typed = new vscode.WorkspaceEdit();
      typed.insert(document.cellAt(0).document.uri, new vscode.Position(0, 0), 'typed ');
      assert.ok(await vscode.workspace.applyEdit(typed));
      await waitFor(() => document.isDirty, { what: 'the notebook to be unsaved', timeoutMs: 30_000 });
      assert.match(textOf(await call('read', { file_path: path })), /unsaved changes[^]*\n2\ttyped one\n\| out\n3\t/);
      assert.match(textOf(await call('edit', { file_path: path, old_string: 'two', new_string: '2' })), /not saved to disk yet/);
      assert.deepEqual(sources(document), ['typed one', '2']);
      assert.equal(document.isDirty, true);
      assert.equal(readFileSync(path, 'utf8'), json);
      assert.equal((await call('edit', { file_path: path, old_string: 'typed one', new_string: '1' })).isError, false);
      assert.deepEqual(sources(document), ['1', '2']);
      assert.deepEqual(
        document.getCells().map(({ outputs }) => outputs.length),
        [1, 1],
      );
      await vscode.commands.executeCommand('workbench.action.files.revert');
    });

    it('knows the bytes of an open notebook before VS Code writes them, with outputs of all kinds', async () => {
      const outputs = [
        { name: 'stdout', output_type: 'stream', text: ['a\n', 'b'] },
        {
          data: { 'application/json': { a: 1 }, 'image/png': 'iVBORw0KGgo=', 'text/html': ['<b>x</b>'], 'text/plain': ['x'] },
          metadata: { k: 1 },
          output_type: 'display_data',
        },
        { data: { 'text/plain': ['3'] }, execution_count: 1, metadata: {}, output_type: 'execute_result' },
        { ename: 'E', evalue: 'bad', output_type: 'error', traceback: ['one', 'two'] },
      ];
      const path = file('outputs.ipynb', notebook({ ...source('a1', 'one'), outputs }, { cell_type: 'markdown', id: 'm1', metadata: {}, source: ['text'] }));
      const document = await shown(path);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.cellAt(1).document.uri, new vscode.Position(0, 0), 'typed ');
      assert.ok(await vscode.workspace.applyEdit(edit));
      const bytes = Buffer.from(await bytesOfNotebook(document)).toString();
      assert.ok(await document.save());
      assert.equal(bytes, readFileSync(path, 'utf8'));
    });

    it('tool-08: goes on from what another program wrote into an open notebook', async () => {
      const path = file('other.ipynb', notebook(source('a1', 'one')));
      const document = await shown(path);
      writeFileSync(path, notebook(source('a1', 'uno')));
      assert.equal((await call('edit', { file_path: path, old_string: 'uno', new_string: 'due' })).isError, false);
      assert.deepEqual(sources(document), ['due']);
    });
  });

  it('reads a PDF document in a process of its own', async () => {
    const path = file('a.pdf', pdfOf(['Hello\nworld', 'second']));
    assert.equal(
      textOf(await call('read', { file_path: path })),
      '[tools/a.pdf: PDF document, 2 pages.]\n--- page 1 of 2\nHello\nworld\n--- page 2 of 2\nsecond',
    );
  });

  it('tool-12: refuses schemes that are not files', async () => {
    await assert.rejects(call('read', { file_path: 'vscode-vfs://github/a/b' }), /not a file on this machine/);
  });

  it('path-01: a file outside the workspace is found to be outside, and edited byte for byte all the same', async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), 'gnomon-outside-')));
    try {
      const path = join(outside, 'a.txt');
      writeFileSync(path, 'one\r\ntwo\n');
      assert.equal((await createVsCodeWorkspace().locate(path)).inside, false);
      await assert.rejects(call('edit', { file_path: path, old_string: 'one', new_string: '1' }), /has not been read/);
      await call('read', { file_path: path });
      assert.equal((await call('edit', { file_path: path, old_string: 'one', new_string: '1' })).isError, false);
      assert.equal(readFileSync(path, 'utf8'), '1\r\ntwo\n');
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it('tool-16: two edits at once of one open file do not overwrite each other', async () => {
    const path = file('twice.txt', 'one two\n');
    await open(path);
    const results = await Promise.all(
      [
        ['one', '1'],
        ['two', '2'],
      ].map(([old_string, new_string]) => call('edit', { file_path: path, old_string, new_string })),
    );
    assert.deepEqual(results.map(({ isError }) => isError).sort(), [false, true]);
    assert.match(readFileSync(path, 'utf8'), /^(1 two|one 2)\n$/);
  });

  it('several edits of an open file in one call are one step to undo, and all or none', async () => {
    const path = file('several.txt', 'one\ntwo\nthree\n');
    const editor = await open(path);
    const edits = [
      { old_string: 'one', new_string: '1' },
      { old_string: 'three', new_string: '3' },
    ];
    assert.equal((await call('edit', { file_path: path, edits })).isError, false);
    assert.equal(readFileSync(path, 'utf8'), '1\ntwo\n3\n');
    await assert.rejects(call('edit', { file_path: path, edits: [{ old_string: 'two', new_string: '2' }, ...edits] }), /Edit 2 of 3: old_string was not found/);
    assert.equal(editor.document.getText(), '1\ntwo\n3\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), 'one\ntwo\nthree\n');
  });

  it('tool-06: an open file of 5 MB is edited in its buffer, and the rest of it stays', async () => {
    const text = Array.from({ length: 100_000 }, (_, index) => `line ${index} of a file that is as large as a bundle\r\n`).join('');
    const path = file('large.txt', text);
    const editor = await open(path);
    const edits = [
      { old_string: 'line 0 ', new_string: 'first ' },
      { old_string: 'line 99999 ', new_string: 'last ' },
    ];
    assert.equal((await call('edit', { file_path: path, edits })).isError, false);
    assert.equal(editor.document.isDirty, false);
    assert.equal(readFileSync(path, 'utf8'), text.replace('line 0 ', 'first ').replace('line 99999 ', 'last '));
  });

  it('tool-13: a file over the limit of documents is read in parts, and not edited', async () => {
    const path = file('huge.log', `${'entry of a log\n'.repeat(100_000)}last\n`);
    truncateSync(path, 60 * 1024 * 1024);
    assert.match(
      textOf(await call('read', { file_path: path, offset: 99_999, limit: 2 })),
      /60 MB[^]*\n99999\tentry of a log\n100000\tentry of a log\n\[PARTIAL: .*offset 100001\.\]$/,
    );
    await assert.rejects(call('edit', { file_path: path, old_string: 'last', new_string: 'x' }), /too large: 60 MB; files of at most 50 MB/);
  });

  it('tool-12: refuses documents that are not saved as files', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'text' });
    await vscode.window.showTextDocument(document);
    await assert.rejects(call('read', { file_path: document.uri.toString() }), /not a file on this machine \(untitled:\)/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('creates files in new folders', async () => {
    const path = join(folder, 'new/deep/file.txt');
    await call('write', { file_path: path, content: 'hello\n' });
    assert.equal(readFileSync(path, 'utf8'), 'hello\n');
    assert.equal((await vscode.workspace.openTextDocument(path)).getText(), 'hello\n');
  });
});
