import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { type Browser, joinBrowser, openBrowser } from '../vscode/browser.mjs';
import { workbenchUrl } from '../vscode/extension.mjs';
import { type Server, type ServerOptions, startVsCode } from '../vscode/server.mjs';
import { falseOnTimeout } from '../vscode/editor.mjs';
import { Workbench } from '../vscode/workbench.mjs';
import { Chat } from './chat.js';
import { waitForFile } from './files.js';
import { type SharedRun, makeFresh, serverOfWorker, sharedRun, untilClosed } from './shared-run.js';

/** The editor of settings lies in the window like all others, with the palette in reach. */
export const SETTINGS_IN_WINDOW = { 'workbench.editor.useModal': 'off' };

/** Key that the model servers of tests take. */
export const KEY = 'sk-e2e';

/** The environment of a VS Code that can talk to one of them. */
export const MODEL_ENV: NodeJS.ProcessEnv = { ANTHROPIC_API_KEY: KEY };

/** How a test wants its VS Code. */
export interface AppOptions {
  /** Settings of the user, by full name. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Folder to copy as the workspace; the sample workspace when absent. */
  readonly workspace?: string;
  /** Language of VS Code, such as `de`; English when absent. Its own words stay English, as no language pack is installed. */
  readonly language?: string;
  /** A server of its own, as a test needs that differs in what a server has or that ends one; a shared one when absent. */
  readonly own?: OwnServer;
}

/** A VS Code server that no other test uses. */
export interface OwnServer {
  /** Its environment; {@link MODEL_ENV} when absent. */
  readonly env?: NodeJS.ProcessEnv;
  /** Whether VS Code asks if the workspace is trusted; every workspace is when absent. */
  readonly workspaceTrust?: boolean;
  /** Folders of further extensions; none when absent. */
  readonly others?: readonly string[];
  /** False takes away what holds commands; true when absent. */
  readonly sandbox?: boolean;
}

/** Milliseconds that a step in the window may take on a busy machine. */
const TIMEOUT_MS = 60_000;
/** Milliseconds in which a window that reads its workspace file has its folders; it takes less than two. */
const READ_WORKSPACE_MS = 10_000;

const SAMPLE = resolve('test/fixtures/sample-workspace');

/** Path of the package that `npm run package` made. */
export async function vsixPath(): Promise<string> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  return resolve(`dist/gnomon-${version}.vsix`);
}

/** A real VS Code with the packaged extension on a workspace of its own, and a page of a browser as its window. */
export class App {
  /** Those that run: what a failed test leaves is looked at in their windows. */
  static readonly running = new Set<App>();
  /** The folder that is open. */
  readonly workspace: string;
  private server: Server | undefined;
  private browser: Browser | undefined;
  private bench: Workbench | undefined;

  private constructor(
    private readonly folder: string,
    private readonly options: AppOptions,
  ) {
    this.workspace = join(folder, 'workspace');
  }

  /** Starts VS Code and opens its window. */
  static async start(options: AppOptions = {}): Promise<App> {
    const folder = await mkdtemp(join(tmpdir(), 'gnomon-e2e-'));
    const app = new App(folder, options);
    await app.copyWorkspace();
    App.running.add(app);
    await app.open();
    return app;
  }

  get workbench(): Workbench {
    if (this.bench === undefined) throw new Error('The window is not open.');
    return this.bench;
  }

  get page(): Page {
    return this.workbench.page;
  }

  /** The chat's page object. */
  get chat(): Chat {
    return new Chat(this.workbench);
  }

  /** Where the server keeps its data, sessions included. */
  get dataDir(): string {
    return this.shared === undefined ? join(this.folder, 'data') : serverOfWorker(this.shared).dataDir;
  }

  /** What it shares with other tests; nothing when it has a server of its own, or when there are no other tests. */
  private get shared(): SharedRun | undefined {
    return this.options.own === undefined ? sharedRun() : undefined;
  }

  /** Opens the chat view and waits for its composer. */
  async openChat(): Promise<Chat> {
    await this.workbench.openView('Gnomon');
    await this.chat.message.waitFor({ timeout: TIMEOUT_MS });
    return this.chat;
  }

  /** Reads a file of the workspace. */
  read(name: string): Promise<string> {
    return readFile(join(this.workspace, name), 'utf8');
  }

  /** Changes settings of the user while VS Code runs, in their file. VS Code has to be started with {@link SETTINGS_IN_WINDOW}. */
  async changeSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const file = join(this.dataDir, 'data', 'User', 'settings.json');
    const wanted = JSON.stringify({ ...(JSON.parse(await readFile(file, 'utf8')) as Readonly<Record<string, unknown>>), ...settings });
    const { keyboard } = this.page;
    await this.workbench.runCommand('Preferences: Open User Settings (JSON)');
    await this.page.locator('.editor-group-container.active .monaco-editor[data-uri$="/settings.json"] .view-line').first().click({ timeout: 60_000 });
    await keyboard.press('Control+a');
    await keyboard.insertText(wanted);
    // The brackets and quotes that the editor has closed stand behind the cursor.
    await keyboard.press('Control+Shift+End');
    await keyboard.press('Delete');
    await keyboard.press('Control+s');
    await waitForFile(file, wanted);
    await this.workbench.runCommand('View: Close Editor');
  }

  /** Waits until a file of the workspace holds a text or bytes; one that is not there holds none. */
  waitForFile(name: string, content: string | Buffer): Promise<void> {
    return waitForFile(join(this.workspace, name), content);
  }

  /**
   * Closes the window and opens it again on the same data: the extension host ends and another one starts. A server of
   * its own ends, too.
   */
  async restart(): Promise<void> {
    await this.page.close();
    if (this.shared === undefined) await this.server?.stop();
    else await untilClosed(serverOfWorker(this.shared));
    await this.openWindow(this.shared === undefined ? await this.startServer(this.server?.port) : serverOfWorker(this.shared));
  }

  /**
   * Opens the folder so that VS Code takes it for another workspace, with another storage: from another port, or as one of
   * several folders. The server is one of its own.
   */
  async move(how: 'to another port' | 'as one of several'): Promise<void> {
    await this.page.close();
    if (how === 'to another port') {
      await this.server?.stop();
      await this.startServer();
    }
    if (this.server === undefined) throw new Error('It has no server of its own.');
    if (how !== 'as one of several') return this.openWindow(this.server);
    await mkdir(join(this.folder, 'other'));
    const several = join(this.folder, 'several.code-workspace');
    const folders = { folders: [{ path: this.workspace }, { path: 'other' }] };
    await writeFile(several, JSON.stringify(folders));
    await this.openWindow(this.server, several);
    await this.untilFolders((attempt) => writeFile(several, JSON.stringify(folders, undefined, attempt)));
  }

  /**
   * Waits until the window has the folders of its workspace file. VS Code in a browser sometimes misses that it has read
   * that file from the server: it says “No Folder Opened” below the workspace's name until the file changes, and of a file in a folder that
   * was just made it does not hear each time.
   */
  private async untilFolders(changeFile: (attempt: number) => Promise<void>): Promise<void> {
    // Only the first is sure to be in sight.
    const row = this.page.locator('.explorer-folders-view .monaco-list-row').first();
    for (let attempt = 1; ; attempt += 1) {
      // Each time, as an extension that shows the chat when it starts does that at any time after the window is ready.
      await this.workbench.openView('Explorer');
      if (attempt > TIMEOUT_MS / READ_WORKSPACE_MS) return row.waitFor();
      if (await row.waitFor({ timeout: READ_WORKSPACE_MS }).then(() => true, falseOnTimeout)) return;
      await changeFile(attempt);
    }
  }

  /** Brings the workspace back to what it was when it was opened, and removes the home folder. */
  async renewFiles(): Promise<void> {
    await Promise.all([empty(this.workspace), rm(join(this.dataDir, 'home'), { recursive: true, force: true, maxRetries: 5 })]);
    await this.copyWorkspace();
  }

  /** Ends everything and removes it. */
  async stop(): Promise<void> {
    App.running.delete(this);
    await this.browser?.close();
    await this.server?.stop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private copyWorkspace(): Promise<void> {
    return cp(this.options.workspace ?? SAMPLE, this.workspace, { recursive: true, verbatimSymlinks: true });
  }

  private async open(): Promise<void> {
    if (this.shared === undefined) return this.openWindow(await this.startServer());
    const server = serverOfWorker(this.shared);
    await makeFresh(server, this.settings);
    await this.openWindow(server);
  }

  /** Opens the window, in the browser that was used before, which keeps the layout. */
  private async openWindow(server: Pick<Server, 'url' | 'port'>, workspace = this.workspace): Promise<void> {
    this.browser ??= await (sharedRun() === undefined ? openBrowser() : joinBrowser());
    const page = await this.browser.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    // What the messages of a language pack do when they are loaded.
    if (this.options.language !== undefined)
      await page.addInitScript((language) => Reflect.set(globalThis, '_VSCODE_NLS_LANGUAGE', language), this.options.language);
    this.bench = new Workbench(page);
    await this.bench.open(workbenchUrl({ server, workspace }));
  }

  /** A request for a title comes at any time after an answer; tests that count requests want none. */
  private get settings(): Readonly<Record<string, unknown>> {
    return { 'gnomon.improveTitles': false, ...this.options.settings };
  }

  private async startServer(port?: number): Promise<Server> {
    const { env = MODEL_ENV, workspaceTrust = false, others = [], sandbox = true } = this.options.own ?? {};
    const paths = others.map((path) => resolve(path));
    const { dataDir, settings } = this;
    this.server = await startVsCode({
      ...(await this.installed()),
      dataDir,
      settings,
      workspaceTrust,
      others: paths,
      builtin: 'used',
      env,
      sandbox,
      ...(port === undefined ? {} : { port }),
    });
    return this.server;
  }

  /** Where the extension is: installed already when there are other tests, unless further ones are to be put beside it. */
  private async installed(): Promise<Pick<ServerOptions, 'extension' | 'extensionsDir'>> {
    const run = sharedRun();
    if (run === undefined || this.options.own?.others !== undefined) return { extension: { kind: 'vsix', path: await vsixPath() } };
    return { extension: 'installed', extensionsDir: run.extensionsDir };
  }
}

async function empty(folder: string): Promise<void> {
  const names = await readdir(folder);
  await Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 })));
}
