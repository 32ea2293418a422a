import { strict as assert } from 'node:assert';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Ledger } from '../../../src/edits/ledger.js';
import { LedgerStore } from '../../../src/edits/ledger-store.js';
import { textCodec } from '../../../src/edits/text-work.js';
import { createNodeFileLayer } from '../../../src/node/files/node-file-layer.js';
import { atomicWrite } from '../../../src/session/atomic-write.js';
import { ChangeMarks } from '../../../src/vscode/edits/change-marks.js';
import { createDiskFiles } from '../../../src/agent-host/changes/disk-files.js';
import { createEditorFiles } from '../../../src/vscode/edits/editor-files.js';
import { pathOf } from '../../../src/vscode/workspace/paths.js';
import { medianFigure } from '../figure.js';
import { reportFigure } from './report.js';

const RUNS = 9;
/** Changes of the file, each of three lines among eight. */
const CHANGES = 100;

const OLD = Array.from({ length: CHANGES * 8 }, (_, index) => `  const value${index} = compute(${index}, options);`);
const FRESH = OLD.flatMap((line, index) =>
  index % 8 === 2 ? [line.replace('options', 'options, more'), '  check();'] : index % 8 === 3 || index % 8 === 4 ? [] : [line],
);

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('the agent’s changes of an open file at 100 places', () => {
  it('drawn_changes', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert(folder !== undefined);
    const uri = vscode.Uri.joinPath(folder.uri, 'changes.txt');
    const storage = await mkdtemp(join(tmpdir(), 'gnomon-bench-'));
    const layer = createNodeFileLayer();
    const blobs = { files: layer, save: (path: string, bytes: Uint8Array) => atomicWrite({ files: layer, log, pid: process.pid }, path, [bytes]) };
    const files = createEditorFiles(createDiskFiles());
    const ledger = new Ledger({ store: new LedgerStore(join(storage, 'review'), blobs, log), files, codec: textCodec });
    const marks = new ChangeMarks(ledger, { wanted: () => true, onDidChange: () => ({ dispose: () => undefined }) });
    const path = pathOf(uri);
    const times: number[] = [];
    try {
      for (let run = 0; run < RUNS; run += 1) {
        await writeFile(uri.fsPath, OLD.join('\n'));
        const before = await files.look(path);
        await writeFile(uri.fsPath, FRESH.join('\n'));
        await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
        const after = await files.look(path);
        // Who listens later is told later: by then everything is drawn.
        const drawn = new Promise<void>((resolve) => {
          const stop = ledger.onDidChange(() => {
            stop();
            resolve();
          });
        });
        const begin = performance.now();
        await Promise.all([drawn.then(() => times.push(performance.now() - begin)), ledger.changed('s', [{ path, before, after }])]);
        assert.equal(ledger.files()[0]?.hunks.length, CHANGES);
        assert.equal((await readFile(uri.fsPath, 'utf8')).length, FRESH.join('\n').length);
        await ledger.keepAll();
        await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      }
    } finally {
      marks.dispose();
      await rm(storage, { recursive: true, force: true });
    }
    reportFigure(medianFigure('drawn_changes_ms', times, { unit: 'ms', goal: 100 }));
  }).timeout(120_000);
});
