import { strict as assert } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { median, percentile } from '../figure.js';
import { busyMs, longestBlockMs, reportFigure } from './report.js';

/** What is typed, once without suggestions and once with them. */
const TYPED = 'const total = values.reduce((sum, value) => sum + value, 0); ';
/** Milliseconds that each key has for itself: the pause before a request, the request, and what is shown. */
const KEY_MS = 250;
/** Files that are open beside the one that is typed in, and lines of each. */
const BESIDE = 6;
const LINES = 1_000;

type Measure = (run: () => Promise<void>) => Promise<number>;

/** What is measured for each key of the text that is typed. */
async function typing(uri: vscode.Uri, measure: Measure): Promise<readonly number[]> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  await vscode.commands.executeCommand('cursorBottom');
  const times: number[] = [];
  for (const key of TYPED) {
    times.push(
      await measure(async () => {
        await vscode.commands.executeCommand('type', { text: key });
        await setTimeout(KEY_MS);
      }),
    );
  }
  await vscode.commands.executeCommand('workbench.action.files.revert');
  return times;
}

/** The same text typed without suggestions and with them. */
async function compared(uri: vscode.Uri, measure: Measure): Promise<{ readonly without: readonly number[]; readonly withThem: readonly number[] }> {
  const settings = vscode.workspace.getConfiguration('gnomon.completions');
  await settings.update('enabled', false, vscode.ConfigurationTarget.Global);
  const without = await typing(uri, measure);
  await settings.update('enabled', true, vscode.ConfigurationTarget.Global);
  return { without, withThem: await typing(uri, measure) };
}

function inWords(times: readonly number[]): string {
  return `${median(times).toFixed(1)}, ${percentile(times, 0.95).toFixed(1)}, ${Math.max(...times).toFixed(1)}`;
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
    const block = await compared(uri, longestBlockMs);
    const busy = await compared(uri, busyMs);
    const sum = `at work for a key in all ${(median(busy.withThem) - median(busy.without)).toFixed(1)} ms more than without`;
    const note = `median, 95th percentile and longest of ${block.withThem.length} keys ${inWords(block.withThem)}; without ${inWords(block.without)}; ${sum}`;
    reportFigure({ name: 'suggest_host_block_ms', value: percentile(block.withThem, 0.95), unit: 'ms', goal: 10, note });
  }).timeout(120_000);
});
