import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { formatCost, formatNumber, formatShort } from '../../src/domain/l10n.js';
import { gate } from '../support/model-server/index.js';
import type { OpenAiServer } from '../support/openai-server/index.js';
import { processesWithHome } from '../support/running-processes.js';
import { MODELS, type SaysOf, sumOf, TwoWires } from '../support/two-wires.js';
import { falseOnTimeout } from '../vscode/editor.mjs';
import { waitFor } from '../vscode/wait.mjs';
import { unfoldAgents } from './agents.js';
import type { Chat } from './chat.js';
import type { FindingsRig } from './findings-rig.js';

const SLOW = { timeout: 60_000 };
/** For what may go before it is pressed. */
const SHORT = { timeout: 1_000 };
const BEFORE = Array.from({ length: 12 }, (_, index) => `step ${index + 1}\n`).join('');
const EDITS = [2, 11].map((step) => ({ old_string: `step ${step}\n`, new_string: `STEP ${step}\n` }));
/** A command that would take a day. */
const LONG = 'touch begun.txt; sleep 86399';

interface Part {
  readonly description: string;
  readonly prompt: string;
  readonly model?: string;
  readonly isolation?: string;
}

/** What is started side by side: two with the model of the other wire. */
const PARTS: readonly [Part, Part, Part] = [
  { description: 'Write the notes', prompt: 'PART notes', model: MODELS.chat },
  { description: 'Run it for long', prompt: 'PART long' },
  { description: 'Change two steps', prompt: 'PART steps', model: MODELS.chat, isolation: 'worktree' },
];

/** What the models of the job say, until the window closes and after that. */
class Job {
  private isLater = false;
  private name = '';
  private readonly atWork = new Set<string>();
  private readonly together = gate();
  private readonly never = gate();

  /** The window was loaded anew. */
  later(): void {
    this.isLater = true;
  }

  readonly says: SaysOf = async (asked) => {
    const { part, results, has } = asked;
    if (part !== '' || results.length > 0) this.atWork.add(part);
    if (this.atWork.size > PARTS.length) this.together.open();
    if (part === '') return this.chat(asked);
    await this.together.pass();
    if (this.isLater) return { text: has('Edited job.txt') ? 'Two steps are changed.' : 'It was forgotten.' };
    if (results.length > 0) await this.never.pass();
    if (part === 'PART long') return { calls: [['bash', { command: LONG }]] };
    return { calls: [part === 'PART notes' ? ['write', { file_path: 'notes.txt', content: 'noted\n' }] : ['edit', { file_path: 'job.txt', edits: EDITS }]] };
  };

  private readonly chat: SaysOf = async ({ results }) => {
    if (this.isLater) return results.length > 0 ? { text: `It said: ${results.join(' ')}` } : { calls: [['agents', { action: 'result', id: this.name }]] };
    if (results.length === 0) return { text: 'I start three.', calls: PARTS.map((part) => ['agent', { ...part, background: true }]) };
    if (results.length === 1) return { text: 'I have read it meanwhile.' };
    this.name = results[2]?.split(' ')[0] ?? '';
    await this.together.pass();
    return { calls: [['read', { file_path: 'job.txt' }]] };
  };
}

/** The window in which the job is done, and what a person does there. */
class Desk {
  readonly chat: Chat;

  constructor(readonly rig: FindingsRig) {
    this.chat = rig.all.chat;
  }

  get tree(): Locator {
    return this.chat.frame.getByRole('tree', { name: 'Agents' });
  }

  row({ description }: Part, state = ''): Locator {
    return this.tree.getByRole('treeitem', { name: `${description}, general, ${state}` });
  }

  /** Allows what an agent asks, once the prompt was seen to its end. */
  async allow({ description }: Part): Promise<void> {
    const prompt = this.chat.prompt.filter({ hasText: `The agent general: ${description} asks` });
    const [button, rest] = [prompt.getByRole('button', { name: 'Allow', exact: true, disabled: false }), prompt.getByRole('button', { name: 'Scroll to End' })];
    // Prompts share their room, so that this one may be seen to its end once another one is answered.
    const isAllowed = async (): Promise<boolean> => {
      await button.or(rest).first().waitFor(SLOW);
      const isSeen = await button.isVisible();
      return (isSeen ? button : rest).click(SHORT).then(() => isSeen, falseOnTimeout);
    };
    await waitFor(isAllowed, { what: `“${description}” to be allowed`, timeoutMs: 60_000 });
    await prompt.waitFor({ state: 'detached', ...SLOW });
  }

  /** Commands of agents that run. */
  get commands(): readonly number[] {
    return processesWithHome(join(this.rig.all.app.dataDir, 'home'), '86399');
  }

  /** Stops one whose command runs. */
  async stop(part: Part): Promise<void> {
    await this.rig.all.app.waitForFile('begun.txt', '');
    await waitFor(() => this.commands.length > 0, { what: 'the command to run', timeoutMs: 60_000 });
    await this.row(part, 'Working').click(SLOW);
    await this.rig.page.keyboard.press('Delete');
    await this.row(part, 'Stopped').waitFor(SLOW);
    await waitFor(() => this.commands.length === 0, { what: 'the end of the command', timeoutMs: 60_000 });
  }

  /** Has the changes of one in the files of the user, keeps the first, and undoes the second. */
  async review(part: Part): Promise<void> {
    const { app } = this.rig.all;
    const by = `general: ${part.description}`;
    expect(await readFile(join(app.workspace, 'job.txt'), 'utf8')).toBe(BEFORE);
    await this.row(part, 'Done').getByRole('button', { name: 'Apply Changes…' }).click(SLOW);
    const dialog = app.workbench.dialog();
    await dialog.getByText(`${part.description}: Apply this change to your files?`).waitFor(SLOW);
    await dialog.getByRole('button', { name: 'Apply', exact: true }).click(SLOW);
    await app.waitForFile('job.txt', BEFORE.replace('step 2\n', 'STEP 2\n').replace('step 11\n', 'STEP 11\n'));
    await (await this.chat.unfold('Changed files')).getByRole('button', { name: `${by}, 1 file`, exact: true }).waitFor(SLOW);
    await app.workbench.closeEditors();
    await app.workbench.openFile('job.txt');
    const lens = this.rig.page.locator('.codelens-decoration');
    await lens.filter({ hasText: '2/2' }).getByText(by).waitFor(SLOW);
    await lens.filter({ hasText: '1/2' }).locator('a').filter({ hasText: 'Keep' }).click(SLOW);
    await lens.filter({ hasText: '1/2' }).waitFor({ state: 'detached', ...SLOW });
    await lens.locator('a').filter({ hasText: 'Undo' }).click(SLOW);
    await app.waitForFile('job.txt', BEFORE.replace('step 2\n', 'STEP 2\n'));
    await app.workbench.closeEditors();
  }

  /** What the chat and its agents have used, as it is shown: of each of these, and of all. */
  async totals(): Promise<readonly string[]> {
    const rows = await Promise.all(PARTS.map((part) => this.row(part).locator('span[hidden]').textContent(SLOW)));
    await this.chat.frame.getByRole('button', { name: /^Context: / }).click(SLOW);
    const dialog = this.chat.frame.getByRole('dialog', { name: 'Context' });
    const all = await dialog.locator('dd').first().innerText(SLOW);
    await this.rig.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached', ...SLOW });
    return [...rows.map((row) => /\$[\d.]+.*tokens/.exec(row ?? '')?.[0] ?? ''), all];
  }
}

/** The case for all that agents are, in a window that closes in the middle of it. */
export function agentsOnTwoWires(of: () => { readonly rig: FindingsRig; readonly otherServer: OpenAiServer }): void {
  it('E-07, E-21, E-34, E-62: three agents on two wires work beside the chat; one is stopped, one goes on after a reload, and its changes are reviewed', async () => {
    const { rig, otherServer } = of();
    const { app, chat, server } = rig.all;
    const desk = new Desk(rig);
    const [notes, long, steps] = PARTS;
    const [wires, job] = [new TwoWires(server, otherServer), new Job()];
    wires.setScript(job.says);
    await rig.write('job.txt', BEFORE);
    // Worktrees of other cases are set up.
    await rm(join(app.workspace, '.gnomon', 'worktree.json'), { force: true });
    await app.workbench.openView('Gnomon');
    await chat.newSession();
    await chat.send('Have three work');
    expect(await chat.waitForPrompt()).toMatch(/Allow agent\?\s+PART notes\s+It works with another model: maker\/model/);
    // For both that have it.
    await chat.prompt.getByRole('button', { name: 'Always use maker/model for general in this project' }).click(SLOW);
    // They ask at the same time, and the chat goes on.
    for (const part of PARTS) await desk.allow(part);
    await chat.waitForText('I have read it meanwhile.');
    await chat.waitForIdle();
    await app.waitForFile('notes.txt', 'noted\n');
    await unfoldAgents(chat);
    await desk.stop(long);

    await app.workbench.reload();
    job.later();
    await app.openChat();
    await chat.waitForText('I have read it meanwhile.');
    await unfoldAgents(chat);
    await desk.row(notes, 'Interrupted').waitFor(SLOW);
    await desk.row(long, 'Stopped').waitFor(SLOW);
    await desk.row(steps, 'Interrupted').click(SLOW);
    await desk.row(steps, 'Interrupted').getByRole('button', { name: 'Continue' }).click(SLOW);
    await desk.row(steps, 'Done').waitFor(SLOW);
    await desk.review(steps);
    await chat.send('What came of it?');
    await chat.waitForText('It said: Two steps are changed.');
    await chat.waitForIdle();

    const { tokens, costUsd } = sumOf(wires.total);
    const shownOf = ({ prompt }: Part, rounds: string): string => {
      const used = sumOf(wires.reported(prompt));
      return `${formatCost(used.costUsd)}, ${rounds}, ${formatShort(used.tokens)} tokens`;
    };
    expect(await desk.totals()).toEqual([
      ...[shownOf(notes, '2 rounds'), shownOf(long, '1 round'), shownOf(steps, '3 rounds')],
      `${formatNumber(tokens)} tokens · ${formatCost(costUsd)}`,
    ]);
    // What had not been answered was ended with the window.
    expect([wires.problems, await wires.over(), desk.commands]).toEqual([[], 2, []]);
    await app.page.locator('.statusbar').getByText('Gnomon', { exact: true }).waitFor(SLOW);
  });
}
