import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser } from '../vscode/browser.mjs';
import { workbenchUrl } from '../vscode/extension.mjs';
import { startVsCode } from '../vscode/server.mjs';
import { Workbench } from '../vscode/workbench.mjs';
import { Chat } from './chat.js';
import { waitForFile } from './files.js';

/** How a test wants its VS Code. */
export interface AppOptions {
  /** Settings of the person, by full name. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: NodeJS.ProcessEnv;
  /** Folder to copy as the workspace; the sample workspace when absent. */
  readonly workspace?: string;
  /** Whether VS Code asks if the workspace is trusted; every workspace is when absent. */
  readonly workspaceTrust?: boolean;
  /** Folders of further extensions; none when absent. */
  readonly others?: readonly string[];
  /** Language of VS Code, such as `de`; English when absent. Its own words stay English, as no language pack is installed. */
  readonly language?: string;
}

/** Milliseconds that a step in the window may take on a busy machine. */
const TIMEOUT_MS = 60_000;

const SAMPLE = resolve('test/fixtures/sample-workspace');

/** Path of the package that `npm run package` made. */
export async function vsixPath(): Promise<string> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  return resolve(`dist/gnomon-${version}.vsix`);
}

/** A real VS Code with the packaged extension on a workspace of its own, and a browser as its window. */
export class App {
  readonly workspace: string;
  private readonly folder: string;
  private readonly options: AppOptions;
  private server: Awaited<ReturnType<typeof startVsCode>> | undefined;
  private browser: Awaited<ReturnType<typeof openBrowser>> | undefined;
  private bench: Workbench | undefined;

  private constructor(folder: string, options: AppOptions) {
    this.folder = folder;
    this.workspace = join(folder, 'workspace');
    this.options = options;
  }

  /** Starts VS Code and opens its window. */
  static async start(options: AppOptions = {}): Promise<App> {
    const folder = await mkdtemp(join(tmpdir(), 'gnomon-e2e-'));
    const app = new App(folder, options);
    await cp(options.workspace ?? SAMPLE, app.workspace, { recursive: true });
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
    return join(this.folder, 'data');
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

  /** Waits until a file of the workspace holds a text or bytes; one that is not there holds none. */
  waitForFile(name: string, content: string | Buffer): Promise<void> {
    return waitForFile(join(this.workspace, name), content);
  }

  /** Closes the window and VS Code, and opens both again on the same data. */
  async restart(how: 'stop' | 'kill9' = 'stop'): Promise<void> {
    const port = this.server?.port;
    await this.browser?.close();
    await this.server?.[how]();
    await this.open(port);
  }

  /** Ends everything and removes it. */
  async stop(): Promise<void> {
    await this.browser?.close();
    await this.server?.stop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private async open(port?: number): Promise<void> {
    const extension = { kind: 'vsix' as const, path: await vsixPath() };
    this.server = await startVsCode({
      dataDir: this.dataDir,
      extension,
      // A request for a title comes at any time after an answer; tests that count requests want none.
      settings: { 'gnomon.improveTitles': false, ...this.options.settings },
      workspaceTrust: this.options.workspaceTrust ?? false,
      others: (this.options.others ?? []).map((path) => resolve(path)),
      ...(port === undefined ? {} : { port }),
      ...(this.options.env === undefined ? {} : { env: this.options.env }),
    });
    this.browser = await openBrowser({ persistentDir: join(this.folder, 'browser') });
    const page = await this.browser.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    // What the messages of a language pack do when they are loaded.
    if (this.options.language !== undefined) await page.addInitScript((language) => Reflect.set(globalThis, '_VSCODE_NLS_LANGUAGE', language), this.options.language);
    this.bench = new Workbench(page);
    await this.bench.open(workbenchUrl({ server: this.server, workspace: this.workspace, extension }));
  }
}
