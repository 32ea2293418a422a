import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ownSession } from '../../src/domain/session/identity.js';
import type { ApprovalAnswer, Judgment } from '../../src/domain/tool/permission.js';
import type { FileChange } from '../../src/domain/workspace/documents.js';
import type { Plan } from '../../src/domain/tool/tool.js';
import type { AwaitingApproval, SessionEvent, ToolCallState } from '../../src/engine/events.js';
import { createDiskDocuments } from '../../src/node/files/disk-documents.js';
import { ProposalFiles, shownIn } from '../../src/vscode/edits/proposals/proposal-files.js';
import type { ProposalDesk } from '../../src/chat/ports.js';
import { Proposals } from '../../src/vscode/edits/proposals/proposals.js';
import { waitFor } from '../vscode/wait.mjs';
import { says } from '../support/wording.js';
import { plannedText } from '../support/planned-text.js';

const SCHEME = 'gnomon-proposal-test';
const folder = `${realpathSync.native(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '')}/proposal`;
const log = { info: () => undefined, warn: () => undefined, error: (message: string, error?: unknown) => assert.fail(`${message} ${String(error)}`) };

/** A session with one call after the other, that takes every change over unless it is told why not. */
class Talk {
  readonly answers: (readonly [callId: string, answer: ApprovalAnswer])[] = [];
  refusal: string | undefined;
  judgment: Extract<Judgment, { type: 'ask' }> = { type: 'ask', reasons: [says('changesFile')] };
  desk: ProposalDesk | undefined;
  private readonly asking = new Map<string, AwaitingApproval>();
  private listener: ((event: SessionEvent) => void) | undefined;

  readonly session = {
    answer: (callId: string, answer: ApprovalAnswer, revision?: number): boolean => {
      const asking = this.asking.get(callId);
      if (asking === undefined || revision !== asking.revision) return false;
      this.answers.push([callId, answer]);
      if (answer.type !== 'revise' || answer.amendment.type !== 'content') {
        this.end(callId, { status: 'cancelled' });
        return true;
      }
      const { text } = answer.amendment;
      // An engine takes its time to judge.
      setImmediate(() => {
        const taken = this.refusal === undefined ? { ...asking.plan, changes: asking.plan.changes.map((change) => ({ ...change, text })) } : asking.plan;
        this.put(callId, {
          status: 'awaiting_approval',
          call: asking.call,
          judgment: this.judgment,
          revision: asking.revision + 1,
          plan: taken,
          ...(this.refusal === undefined ? {} : { problem: this.refusal }),
        });
      });
      return true;
    },
    onEvent: (listener: (event: SessionEvent) => void) => {
      this.listener = listener;
      return () => (this.listener = undefined);
    },
  };

  useProposals(desk: ProposalDesk): void {
    this.desk = desk;
  }

  /** A call asks whether it may give a file a text. */
  ask(callId: string, path: string, text: string, created = false): void {
    const preview = { kind: 'diff' as const, path, diff: '', created };
    const change: FileChange = created ? { action: 'create', path, text } : { action: 'modify', path, baseHash: 'x', text };
    const plan: Plan = { tool: 'edit', subject: path, args: {}, accesses: [], preview, changes: [change] };
    this.put(callId, { status: 'awaiting_approval', call: { name: 'edit', input: {} }, plan, judgment: this.judgment, revision: 1 });
  }

  end(callId: string, state: ToolCallState): void {
    this.asking.delete(callId);
    this.listener?.({ type: 'tool_call', callId, state, who: ownSession('s') });
  }

  /** The text that would be written now. */
  text(callId: string): string | undefined {
    const plan = this.asking.get(callId)?.plan;
    return plan === undefined ? undefined : plannedText(plan);
  }

  private put(callId: string, state: AwaitingApproval): void {
    this.asking.set(callId, state);
    this.listener?.({ type: 'tool_call', callId, state, who: ownSession('s') });
  }
}

describe('C-3 proposals in editors', () => {
  const files = new ProposalFiles(SCHEME);
  const registration = files.register();
  const at = (name: string): string => join(folder, name);
  let proposals: Proposals;
  let talk: Talk;
  let stop: () => void;

  const configure = (name: string, value: unknown): Thenable<void> =>
    vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
  const tabs = (): readonly vscode.Tab[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => shownIn(tab)?.scheme === SCHEME);
  const until = (what: string, condition: () => boolean): Promise<unknown> => waitFor(condition, { what, timeoutMs: 30_000 });

  before(() => configure('files.autoSave', 'off'));
  beforeEach(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    proposals = new Proposals({ files, documents: createDiskDocuments(), log });
    talk = new Talk();
    stop = proposals.follow(talk);
  });
  afterEach(async () => {
    stop();
    for (const tab of tabs()) {
      const uri = shownIn(tab);
      if (uri !== undefined) await vscode.window.showTextDocument(uri);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const name of ['files.encoding', 'files.eol', 'files.insertFinalNewline']) await configure(name, undefined);
    await configure('files.autoSave', 'off');
  });
  after(async () => {
    registration.dispose();
    await configure('files.autoSave', undefined);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Has a call propose a text for a file and shows it. Returns the right side. */
  async function shown(name: string, before: string | undefined, proposed: string, callId = 'c'): Promise<vscode.TextDocument> {
    if (before !== undefined) writeFileSync(at(name), before);
    talk.ask(callId, at(name), proposed, before === undefined);
    await talk.desk?.show(callId);
    // VS Code tells an extension of its tabs a little later.
    const right = await waitFor(
      () => {
        const uri = shownIn(vscode.window.tabGroups.activeTabGroup.activeTab);
        // A notebook has an ending of its own.
        return uri?.scheme === SCHEME && uri.path.startsWith(at(name)) ? uri : undefined;
      },
      { what: 'the proposal to be shown', timeoutMs: 30_000 },
    );
    return vscode.workspace.openTextDocument(right);
  }

  async function type(document: vscode.TextDocument, line: number, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(line, 0), text);
    assert.ok(await vscode.workspace.applyEdit(edit));
  }

  it('the file is on the left, the proposal on the right, both under the name of the file', async () => {
    const right = await shown('a.ts', 'old\n', 'new\n');
    const [tab] = tabs();
    assert.ok(tab?.input instanceof vscode.TabInputTextDiff);
    const left = await vscode.workspace.openTextDocument(tab.input.original);
    assert.deepEqual([left.getText(), right.getText(), tab.label], ['old\n', 'new\n', 'a.ts: proposed by Gnomon']);
    assert.deepEqual([left.uri.path, right.uri.path, right.languageId], [at('a.ts'), at('a.ts'), 'typescript']);
    assert.equal(talk.desk?.obstacle('c'), undefined);
  });

  for (const [name, proposed, expected] of [
    ['LF', 'one\ntwo\n', 'mine\none\ntwo\n'],
    ['CRLF', 'one\r\ntwo\r\n', 'mine\r\none\r\ntwo\r\n'],
    ['mixed endings', 'one\r\ntwo\nthree\r\nlast', 'mine\r\none\r\ntwo\nthree\r\nlast'],
    ['CR', 'one\rtwo\r', 'mine\rone\rtwo\r'],
    ['a mark', '\uFEFFone\n', '\uFEFFmine\none\n'],
  ] as const) {
    it(`tool-06: what is saved is judged anew, and lines that stay keep their endings: ${name}`, async () => {
      const document = await shown('a.txt', 'x', proposed);
      await type(document, 0, document.eol === vscode.EndOfLine.CRLF ? 'mine\r\n' : 'mine\n');
      assert.equal(talk.desk?.obstacle('c'), says('proposalUnsaved'));
      assert.equal(talk.text('c'), proposed);
      assert.ok(await document.save());
      assert.equal(talk.text('c'), expected);
      assert.equal(talk.desk.obstacle('c'), undefined);
    });
  }

  for (const encoding of ['utf16le', 'windows1252', 'utf8bom']) {
    it(`tool-06: a proposal holds what is saved, whatever encoding the person prefers for files: ${encoding}`, async () => {
      await configure('files.encoding', encoding);
      const document = await shown('a.txt', 'x', 'é → ü\r\nnext\n');
      assert.equal(document.getText().split(/\r?\n/)[0], 'é → ü');
      await type(document, 1, 'mine ');
      assert.ok(await document.save());
      assert.equal(talk.text('c'), 'é → ü\r\nmine next\n');
    });
  }

  it('what cannot be taken over stays unsaved, and can be saved again', async () => {
    const document = await shown('a.txt', 'old', 'new');
    talk.refusal = 'A rule denies it.';
    await type(document, 0, 'mine ');
    assert.equal(await document.save(), false);
    assert.deepEqual([document.isDirty, talk.text('c')], [true, 'new']);
    talk.refusal = undefined;
    assert.equal(await document.save(), true);
    assert.deepEqual([document.isDirty, talk.text('c')], [false, 'mine new']);
  });

  it('Allow saves first and allows exactly that; its tab is closed', async () => {
    const document = await shown('a.txt', 'old', 'new');
    await type(document, 0, 'mine ');
    await proposals.run('gnomon.allowProposal', [document.uri]);
    assert.deepEqual(
      talk.answers.map(([, { type: answered }]) => answered),
      ['revise', 'allow'],
    );
    await until('the tab to be closed', () => tabs().length === 0);
  });

  it('Allow allows nothing when the change is refused, and asks once more when it brings up something new', async () => {
    const document = await shown('a.txt', 'old', 'new');
    await type(document, 0, 'mine ');
    talk.refusal = 'A rule denies it.';
    await proposals.run('gnomon.allowProposal', [document.uri]);
    assert.deepEqual(
      talk.answers.map(([, { type: answered }]) => answered),
      ['revise'],
    );
    talk.refusal = undefined;
    talk.judgment = { type: 'ask', strict: true, reasons: ['It is protected.'] };
    await proposals.run('gnomon.allowProposal', []);
    assert.deepEqual(
      talk.answers.map(([, { type: answered }]) => answered),
      ['revise', 'revise'],
    );
    await proposals.run('gnomon.allowProposal', []);
    assert.deepEqual(talk.answers.at(-1)?.[1], { type: 'allow' });
  });

  it('several are open at once; each answer is for its own', async () => {
    const one = await shown('one.txt', 'old', 'first', 'one');
    const two = await shown('two.txt', undefined, 'second', 'two');
    // A file that is new is beside nothing.
    const beside = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(beside instanceof vscode.TabInputTextDiff);
    assert.equal((await vscode.workspace.openTextDocument(beside.original)).getText(), '');
    await type(one, 0, 'mine ');
    await proposals.run('gnomon.denyProposal', [two.uri]);
    assert.deepEqual(talk.answers, [['two', { type: 'deny' }]]);
    await until('one tab to be left', () => tabs().length === 1);
    assert.deepEqual([one.isDirty, talk.text('one')], [true, 'first']);
  });

  it('text that was not saved when the call ended stays in its tab; saving it does nothing', async () => {
    const document = await shown('a.txt', 'old', 'new');
    await type(document, 0, 'mine ');
    talk.end('c', { status: 'cancelled' });
    assert.equal(await document.save(), false);
    assert.deepEqual([document.getText(), tabs().length, talk.answers], ['mine new', 1, []]);
    await proposals.run('gnomon.allowProposal', [document.uri]);
    assert.deepEqual(talk.answers, []);
  });

  it('a conversation that is closed takes its editors with it', async () => {
    await shown('a.txt', 'old', 'new', 'one');
    await shown('b.txt', 'old', 'new', 'two');
    stop();
    await until('the tabs to be closed', () => tabs().length === 0);
    await talk.desk?.show('one');
    assert.equal(tabs().length, 0);
  });

  it('a notebook is shown as text', async () => {
    const json = '{"cells":[],  "metadata":{},"nbformat":4,"nbformat_minor":5}\n';
    const document = await shown('n.ipynb', json, json.replace('{}', '{"a":1}'));
    await type(document, 0, ' ');
    assert.ok(await document.save());
    assert.equal(talk.text('c'), ` ${json.replace('{}', '{"a":1}')}`);
  });

  it('saved by itself while the person types, it is judged each time', async () => {
    const document = await shown('a.txt', 'old', 'new');
    await configure('files.autoSave', 'afterDelay');
    await type(document, 0, 'mine ');
    await until('the change to be judged', () => talk.text('c') === 'mine new');
    await type(document, 0, 'all ');
    await until('the next change to be judged', () => talk.text('c') === 'all mine new');
    assert.equal(document.getText(), 'all mine new');
  });

  it('shown again, it is beside the file as it is by then', async () => {
    await shown('a.txt', 'old', 'new');
    const [tab] = tabs();
    assert.ok(tab?.input instanceof vscode.TabInputTextDiff);
    const left = await vscode.workspace.openTextDocument(tab.input.original);
    writeFileSync(at('a.txt'), 'other');
    await talk.desk?.show('c');
    await until('the left side to follow', () => left.getText() === 'other');
    assert.equal(tabs().length, 1);
  });

  it('what is no text is not shown, and says why', async () => {
    writeFileSync(at('a.bin'), Buffer.from([0, 1, 2, 0]));
    talk.ask('c', at('a.bin'), 'text');
    await assert.rejects(async () => talk.desk?.show('c'), /a\.bin cannot be shown in an editor/);
    assert.equal(tabs().length, 0);
  });

  it('an address that nothing is behind says so, and is no folder', async () => {
    const uri = vscode.Uri.from({ scheme: SCHEME, authority: 'nothing', path: '/a.txt' });
    await assert.rejects(async () => vscode.workspace.fs.readFile(uri), /This proposed change is no longer active/);
    await assert.rejects(async () => vscode.workspace.fs.writeFile(uri, Buffer.from('x')), /This proposed change is no longer active/);
    await assert.rejects(async () => vscode.workspace.fs.delete(uri));
  });
});
