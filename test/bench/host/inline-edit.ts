import { strict as assert } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { PendingHunk } from '../../../src/inline-edit/replacement.js';
import { ChangeMarks } from '../../../src/vscode/edits/change-marks.js';
import { EditDocument } from '../../../src/vscode/inline-edit/edit-document.js';
import { EditStore } from '../../../src/vscode/inline-edit/edit-store.js';
import { createVsCodeWorkspace } from '../../../src/vscode/workspace/folders.js';
import { medianFigure } from '../figure.js';
import { busyMs, reportFigure } from './report.js';

const RUNS = 7;
/** Lines that are edited, of a file with as many above and below. */
const LINES = 500;
/** Characters of one piece of the stream. */
const PIECE = 24;

const AROUND = Array.from({ length: LINES }, (_, index) => `// ${index}`);
const OLD = Array.from({ length: LINES }, (_, index) => `  const value${index} = compute(${index}, options);`);
const FRESH = OLD.flatMap((line, index) => (index % 5 === 2 ? [line.replace('compute', 'derive'), '  check();'] : [line]));

const NOWHERE = {
  review: {
    streamed: { begin: () => Promise.resolve({ end: () => Promise.resolve() }) },
    pending: { files: () => [], onDidChange: () => () => undefined, keep: () => Promise.resolve(), undo: () => Promise.resolve([]) },
  },
  log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
};

/** Streams the new lines into an editor that shows the file, with its decorations. @returns the number of hunks. */
async function stream(document: vscode.TextDocument, marks: ChangeMarks): Promise<number> {
  const text = `${FRESH.join('\n')}\n`;
  const raw = JSON.stringify({ new_text: text });
  const store = new EditStore({ start: LINES, end: 2 * LINES });
  const edit = new EditDocument(document, store, { ...NOWHERE, workspace: createVsCodeWorkspace() });
  let hunks: readonly PendingHunk[] = [];
  store.onDidChange(() => {
    hunks = store.state.live?.hunks ?? hunks;
    marks.showLive(document.uri, hunks);
  });
  edit.begin('call', { sessionId: 's', messageIndex: 0 });
  edit.allow('call');
  for (let at = 0; at < raw.length; at += PIECE) {
    edit.push(raw.slice(at, at + PIECE));
    await setImmediate();
  }
  await edit.finish(text);
  edit.dispose();
  return hunks.length;
}

describe('an edit in place of 500 lines, every fifth changed, in an editor of VS Code', () => {
  it('inline_edit', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert(folder !== undefined);
    const uri = vscode.Uri.joinPath(folder.uri, 'bench.txt');
    await writeFile(uri.fsPath, [...AROUND, ...OLD, ...AROUND, ''].join('\n'));
    const marks = new ChangeMarks(NOWHERE.review.pending, { wanted: () => true, onDidChange: () => ({ dispose: () => undefined }) });
    const [times, busy]: [number[], number[]] = [[], []];
    for (let run = 0; run < RUNS; run += 1) {
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document);
      const begin = performance.now();
      let hunks = 0;
      const active = await busyMs(async () => {
        hunks = await stream(document, marks);
      });
      times.push((performance.now() - begin) / hunks);
      busy.push(active / hunks);
      assert.equal(document.getText(), [...AROUND, ...FRESH, ...AROUND, ''].join('\n'));
      marks.showLive(uri, []);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    marks.dispose();
    reportFigure(medianFigure('inline_edit_host_hunk_ms', times, { unit: 'ms', goal: 3 }));
    reportFigure(medianFigure('inline_edit_host_busy_ms', busy, { unit: 'ms', goal: 3 }));
  }).timeout(120_000);
});
