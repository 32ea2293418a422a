import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createHostApprovals, type HostApprovals } from '../../src/agent-host/approvals.js';
import { Consents, RULE_CONSENTS } from '../../src/consent/rules/consents.js';
import { INCLUDE_DECISIONS } from '../../src/consent/include-consent.js';
import { sha256 } from '../../src/node/files/sha256.js';
import { WINDOW } from '../../src/vscode/composition/window-ports.js';
import { waitFor } from '../vscode/wait.mjs';

const TIMEOUT_MS = 30_000;
const SOURCE = { id: 'file:///w' };
const RULES = ['Bash(npm test)'];

/** What another extension has of VS Code: real states, of the user and of this workspace. */
interface States {
  readonly states: { readonly global: vscode.Memento; readonly workspace: vscode.Memento };
}

describe('approvals of an earlier version in the states of VS Code', () => {
  let storage: string;
  let memory: States['states'];
  const opened: HostApprovals[] = [];

  /** A window of this version. */
  async function open(): Promise<HostApprovals> {
    const log = { info: () => undefined, warn: () => undefined, error: (message: string, error?: unknown) => assert.fail(`${message} ${String(error)}`) };
    const approvals = await createHostApprovals({ ...WINDOW, memory, storage: { global: storage, workspace: join(storage, 'w') }, log });
    opened.push(approvals);
    return approvals;
  }

  const keep = async (rules: readonly string[], path: string): Promise<void> => {
    const digest = sha256(JSON.stringify([SOURCE.id, rules]));
    await memory.global.update(`gnomon.allowConsent.${sha256(SOURCE.id)}`, { digest, rules });
    await memory.workspace.update('gnomon.instructions.includes', [[path, true]]);
  };

  before(async () => {
    const extension = vscode.extensions.getExtension<States>('gnomon-test.tools-extension');
    assert.ok(extension, 'the window was started without test/fixtures/tools-extension');
    memory = (await extension.activate()).states;
    storage = mkdtempSync(join(tmpdir(), 'gnomon-approvals-'));
  });

  after(async () => {
    for (const approvals of opened) approvals.dispose();
    for (const state of [memory.global, memory.workspace]) for (const key of state.keys()) await state.update(key, undefined);
    rmSync(storage, { recursive: true, force: true });
  });

  it('are taken over once, stay revoked, and follow what another window does while nothing is asked', async () => {
    await keep(RULES, '/style.md');
    const first = await open();
    assert.equal(new Consents(first.of(RULE_CONSENTS)).covers(SOURCE, RULES), true);
    assert.deepEqual(first.of(INCLUDE_DECISIONS).list(), [{ path: '/style.md', allowed: true }]);
    await new Consents(first.of(RULE_CONSENTS)).withdraw(SOURCE);
    await first.of(INCLUDE_DECISIONS).change(() => []);
    // As an earlier version does that is opened in between.
    await keep(RULES, '/other.md');
    const second = await open();
    assert.equal(new Consents(second.of(RULE_CONSENTS)).covers(SOURCE, RULES), false);
    assert.deepEqual(second.of(INCLUDE_DECISIONS).list(), []);
    let told = 0;
    second.onDidChange(() => (told += 1));
    await new Consents(first.of(RULE_CONSENTS)).give(SOURCE, RULES);
    await waitFor(() => told > 0, { what: 'the other window to notice the approval', timeoutMs: TIMEOUT_MS });
  });
});
