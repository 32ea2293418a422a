import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { waitFor } from '../vscode/wait.mjs';

/** Milliseconds for what is loaded the first time, and for the tests of the sample. */
const TIMEOUT_MS = 20_000;

describe('the checks of a project', () => {
  const { createQuickPick, showWarningMessage, showInformationMessage } = vscode.window;
  let picks: vscode.QuickPick<vscode.QuickPickItem>[] = [];
  let questions: string[] = [];
  let told: string[] = [];

  beforeEach(() => {
    [picks, questions, told] = [[], [], []];
    Object.assign(vscode.window, {
      createQuickPick: () => {
        const pick = createQuickPick();
        picks.push(pick);
        return pick;
      },
      showWarningMessage: (text: string, options: unknown, ...choices: readonly string[]) => {
        if (typeof options === 'object') questions.push(text);
        else told.push(text);
        return Promise.resolve(typeof options === 'object' ? choices[0] : undefined);
      },
      showInformationMessage: (text: string) => {
        told.push(text);
        return Promise.resolve(undefined);
      },
    });
  });
  afterEach(() => void Object.assign(vscode.window, { createQuickPick, showWarningMessage, showInformationMessage }));

  /** Runs the command, and takes the item of the list whose label has a text. Returns what the list says of it. */
  async function run(label: string): Promise<string> {
    const at = picks.length;
    const running = vscode.commands.executeCommand('gnomon.runChecks');
    const pick = await waitFor(() => picks[at], { what: 'the list', timeoutMs: TIMEOUT_MS });
    const item = await waitFor(() => pick.items.find((each) => each.label.includes(label)), { what: `“${label}” in the list`, timeoutMs: TIMEOUT_MS });
    pick.activeItems = [item];
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await running;
    return `${item.label} ${item.detail ?? ''}`;
  }

  it('run from the palette: approved once, with what came of them in the list', async () => {
    assert.match(await run('npm test'), /not approved yet/);
    assert.match(questions.join('\n'), /Run the check `npm test` from package\.json\?/);
    assert.match(told.join('\n'), /^`npm test`: (?:passed|failed)/);
    const before = questions.length;
    const state = await run('npm test');
    // Without a sandbox, each run asks.
    if (before === questions.length) assert.match(state, /approved · last: (?:passed|failed)/);
    else assert.match(questions.at(-1) ?? '', /without a sandbox/);
  }).timeout(4 * TIMEOUT_MS);
});
