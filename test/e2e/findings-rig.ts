import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { type Reply, lastToolResults, lastUserText, reply } from '../support/model-server/index.js';
import { copySampleWorkspace } from '../vscode/sample-workspace.mjs';
import type { Editor } from '../vscode/editor.mjs';
import { waitFor } from '../vscode/wait.mjs';
import { type WithModel, startWithModel } from './with-model.js';

const SLOW = { timeout: 60_000 };

/** What a model reports, with what a test does not care about left out. */
export interface Reported {
  readonly path: string;
  readonly line: number;
  readonly end_line?: number;
  readonly severity?: 'error' | 'warning' | 'info' | 'hint';
  readonly title: string;
  readonly explanation?: string;
  readonly suggestion?: string;
}

/** A VS Code on a Git repository whose changes are reviewed, and what a person sees of that. */
export class FindingsRig {
  private constructor(readonly all: WithModel) {}

  /** Starts it with a repository in which everything is committed. */
  static async start(settings: Readonly<Record<string, unknown>> = {}): Promise<FindingsRig> {
    const { folder: workspace, remove } = await copySampleWorkspace();
    git(workspace, 'init', '-q', '-b', 'main');
    commit(workspace);
    const rig = new FindingsRig(await startWithModel(settings, { workspace }));
    await remove();
    await rig.showSourceControl();
    return rig;
  }

  get page(): Page {
    return this.all.app.page;
  }

  get editor(): Editor {
    return this.all.app.workbench.editor;
  }

  git(...args: readonly string[]): void {
    git(this.all.app.workspace, ...args);
  }

  /** Commits all that there is. */
  commit(): void {
    commit(this.all.app.workspace);
  }

  async write(name: string, content: string): Promise<void> {
    const path = join(this.all.app.workspace, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }

  async showSourceControl(): Promise<void> {
    await this.all.app.workbench.openView('Source Control');
    await this.page.locator('.scm-editor').first().waitFor(SLOW);
  }

  /** Presses a button in the title of the source control; those of a view are shown while the pointer is over it. */
  async press(name: string): Promise<void> {
    await this.showSourceControl();
    await this.page.locator('.scm-editor').first().hover({ force: true });
    await this.page.locator('.scm-view, .pane-header').getByRole('button', { name }).first().click(SLOW);
  }

  /** Has the model report findings at once, and then say something. */
  reports(...findings: readonly Reported[]): void {
    this.script(findings.reduce((answer, finding) => answer.toolCall('report_finding', { severity: 'warning', explanation: 'Because.', ...finding }), reply()));
  }

  /** The first answer to a message; then a closing word. */
  script(first: Reply, last = 'That is all I found.'): void {
    this.all.server.setScript(({ body }) => (lastToolResults(body).length > 0 ? reply().text(last) : first));
  }

  /** Waits until the model was asked so often. */
  async untilAsked(count: number): Promise<void> {
    await waitFor(() => this.all.server.requests.length >= count, { what: `${count} requests`, timeoutMs: 60_000 });
  }

  /** What the model was told since the last message of the person, that included. */
  asked(): string {
    const body = this.all.server.requests.at(-1)?.body;
    const texts = body?.messages.map((message) => lastUserText({ ...body, messages: [message] })) ?? [];
    return texts.findLast((text) => text !== '') ?? '';
  }

  /** What the tools told the model last. */
  told(): string {
    const last = this.all.server.requests.at(-1);
    return last === undefined ? '' : JSON.stringify(lastToolResults(last.body));
  }

  /** The rows of the Problems view. */
  get problems(): Locator {
    return this.page.locator('.markers-panel .monaco-list-row').filter({ hasText: 'Gnomon review' });
  }

  async showProblems(): Promise<void> {
    const view = this.page.locator('.markers-panel');
    if (await view.isVisible()) return;
    await this.all.app.workbench.runCommand('Problems: Focus on Problems View');
    await view.waitFor(SLOW);
  }

  /** Waits until so many findings are in the Problems view. */
  async untilProblems(count: number): Promise<void> {
    await this.showProblems();
    await waitFor(async () => (await this.problems.count()) === count, { what: `${count} findings in the Problems view`, timeoutMs: 30_000 });
  }

  /** Waits until the Problems view tells one finding so. */
  async untilProblem(words: RegExp): Promise<void> {
    await this.showProblems();
    // All rows at once: they may go while one looks at them.
    const labels = (): Promise<readonly string[]> => this.problems.evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
    const told = async (): Promise<boolean> => (await labels()).some((label) => words.test(label));
    await waitFor(told, { what: `a problem like ${String(words)}`, timeoutMs: 30_000 });
  }

  /** Opens the thread whose sign stands beside a line of the active editor. */
  async openThread(line: number): Promise<void> {
    const sign = this.page
      .locator('.editor-group-container.active .margin-view-overlays > div')
      .filter({ has: this.page.locator('.line-numbers', { hasText: new RegExp(`^${line}$`) }) })
      .locator('.comment-range-glyph');
    await sign.first().click(SLOW);
  }

  /** Opens the light bulb of a finding at a line of the active editor. */
  async lightBulb(line: number, title: string): Promise<void> {
    await this.editor.openLightBulb(`Dismiss: ${title}`, () => this.editor.goTo(line));
  }

  /** Waits until a text is among what the active editor shows: threads hide lines behind them. */
  async shows(text: string): Promise<void> {
    await waitFor(async () => (await this.editor.text()).includes(text), { what: `the editor to show ${JSON.stringify(text)}`, timeoutMs: 30_000 });
  }

  /** Waits until no review runs any more: the button that stops it is the one that starts it again. */
  async untilReviewed(): Promise<void> {
    await this.showSourceControl();
    await this.page.locator('.scm-editor').first().hover({ force: true });
    await this.page.locator('.scm-view, .pane-header').getByRole('button', { name: 'Review Uncommitted Changes' }).first().waitFor(SLOW);
  }

  /** Writes the active editor to the disk. */
  async save(name: string): Promise<void> {
    await this.editor.save();
    await this.page.locator(`.tab.active[data-resource-name="${name}"]:not(.dirty)`).waitFor(SLOW);
  }

  chmod(name: string, mode: number): Promise<void> {
    return chmod(join(this.all.app.workspace, name), mode);
  }

  /** The thread of a finding that is open in an editor. */
  thread(title: string): Locator {
    return this.page.locator('.review-widget').filter({ hasText: title });
  }
}

function git(cwd: string, ...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd, stdio: 'pipe' });
}

function commit(cwd: string): void {
  git(cwd, 'add', '-A');
  git(cwd, 'commit', '-q', '--allow-empty', '-m', 'all');
}
