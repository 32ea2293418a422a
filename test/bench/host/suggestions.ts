import { strict as assert } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { median } from '../figure.js';
import { busyMs, reportFigure } from './report.js';

/** What is typed, once without suggestions and once with them. */
const TYPED = 'const total = values.reduce((sum, value) => sum + value, 0); ';
/** Milliseconds that each key has for itself: the pause before a request, the request, and what is shown. */
const KEY_MS = 250;
/** Files that are open beside the one that is typed in, and lines of each. */
const BESIDE = 6;
const LINES = 1_000;

/** Milliseconds that the extension host is busy for each key. */
async function typing(uri: vscode.Uri): Promise<readonly number[]> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  await vscode.commands.executeCommand('cursorBottom');
  const times: number[] = [];
  for (const key of TYPED) {
    times.push(
      await busyMs(async () => {
        await vscode.commands.executeCommand('type', { text: key });
        await setTimeout(KEY_MS);
      }),
    );
  }
  await vscode.commands.executeCommand('workbench.action.files.revert');
  return times;
}

describe('suggestions in an editor of VS Code, with six files of 1,000 lines open beside', () => {
  it('suggestions', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert(folder !== undefined);
    const lines = Array.from({ length: LINES }, (_, index) => `const value${index} = compute(${index}, options);`);
    for (let file = 0; file < BESIDE; file += 1) {
      const beside = vscode.Uri.joinPath(folder.uri, `beside${file}.py`);
      await writeFile(beside.fsPath, lines.join('\n'));
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(beside), { preview: false });
    }
    const uri = vscode.Uri.joinPath(folder.uri, 'typed.py');
    await writeFile(uri.fsPath, `${lines.join('\n')}\n`);
    const settings = vscode.workspace.getConfiguration('gnomon.completions');
    await settings.update('enabled', false, vscode.ConfigurationTarget.Global);
    const without = await typing(uri);
    await settings.update('enabled', true, vscode.ConfigurationTarget.Global);
    const withThem = await typing(uri);
    const note = `busy for a key: ${median(withThem).toFixed(1)} ms with them, ${median(without).toFixed(1)} ms without; longest ${Math.max(...withThem).toFixed(1)} and ${Math.max(...without).toFixed(1)} ms`;
    reportFigure({ name: 'suggest_host_busy_ms', value: Math.max(0, median(withThem) - median(without)), unit: 'ms', goal: 10, note });
  }).timeout(120_000);
});
