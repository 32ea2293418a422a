import { present } from '../../domain/present.js';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { isAbortError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import type { McpEntry } from '../../domain/mcp/config.js';
import { McpError } from '../../domain/mcp/connection.js';
import type { McpServerState } from '../../domain/mcp/server.js';
import type { McpAuth } from '../../mcp/auth/mcp-auth.js';
import { readConfigFile } from '../../mcp/config/read-config.js';
import type { McpServers } from '../../mcp/servers/servers.js';
import type { ServerAction } from '../../protocol/servers.js';
import type { Approvals } from '../../agent-host/servers/approvals.js';
import { foldersOfWindow } from '../workspace/folders.js';
import { type Configurations, SERVERS_SETTING } from '../../agent-host/servers/configurations.js';
import type { Inputs } from '../../agent-host/servers/inputs.js';
import type { ServerChoices } from '../../agent-host/servers/server-choices.js';
import type { ServerLogs } from '../../agent-host/servers/server-logs.js';
import { importKey } from '../../chat/servers/server-rows.js';

/** What a file for servers has in it before the first one. */
const EMPTY_FILE = '{\n  "mcpServers": {}\n}\n';

/** Dependencies of {@link ServerActions}. */
export interface ServerActionsDeps {
  readonly servers: McpServers;
  readonly configurations: Configurations;
  readonly approvals: Approvals;
  readonly choices: ServerChoices;
  readonly inputs: Inputs;
  readonly auth: McpAuth;
  readonly logs: ServerLogs;
}

/** What the user can do about a server. What fails rejects, with a message for the user; what it returns is for the user, too. */
export class ServerActions {
  /** Sign-ins that wait for the browser, by server. */
  private readonly signingIn = new Map<string, AbortController>();

  constructor(private readonly deps: ServerActionsDeps) {}

  async run(state: McpServerState, action: ServerAction): Promise<string | undefined> {
    const { servers, logs } = this.deps;
    const { id, entry } = state;
    const acts: Readonly<Record<ServerAction, () => unknown>> = {
      start: () => servers.start(id),
      stop: () => this.stop(id),
      restart: () => servers.restart(id),
      enable: () => this.enable(state, true),
      disable: () => this.enable(state, false),
      sign_in: () => this.signIn(state),
      sign_out: () => this.signOut(state),
      enter_value: () => this.startApproved(state),
      show_log: () => logs.show(state),
      copy_report: () => this.copyReport(id),
      revoke: () => this.revoke(state),
      open_source: () => openPlace(entry.source.file, entry.source.line),
    };
    const told = await acts[action]();
    return typeof told === 'string' ? told : undefined;
  }

  /** Starts a server that has just been approved. */
  async startApproved({ id, entry }: McpServerState): Promise<void> {
    const { servers, inputs, configurations } = this.deps;
    // Whatever it is asked for next, it does not wait for the approval any more.
    await servers.recheck(id);
    if (!(await inputs.ask(entry.source.file, configurations.inputsOf(entry), entry.name))) return;
    await servers.recheck(id);
    servers.start(id);
  }

  /** Whether there are tokens for a server. */
  async isSignedIn({ entry }: McpServerState): Promise<boolean> {
    const verdict = await this.deps.approvals.verdict(entry);
    return verdict.may && this.deps.auth.isSignedIn(verdict.target);
  }

  /** Opens the place to add a server to; a file that is not there is made. */
  async add(to: 'workspace' | 'user'): Promise<void> {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    if (to === 'user' || folder === undefined) {
      await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: SERVERS_SETTING, edit: true } });
      return;
    }
    const uri = vscode.Uri.joinPath(folder.uri, '.mcp.json');
    const edit = new vscode.WorkspaceEdit();
    edit.createFile(uri, { ignoreIfExists: true, contents: Buffer.from(EMPTY_FILE) });
    if (!(await isThere(uri)) && !(await vscode.workspace.applyEdit(edit))) throw new Error(t('The file .mcp.json could not be created.'));
    const document = await vscode.workspace.openTextDocument(uri);
    // Between the braces, where the first server goes.
    const at = document.positionAt(document.getText() === EMPTY_FILE ? EMPTY_FILE.indexOf('{}') + 1 : 0);
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
  }

  /** Opens the place of a problem. */
  async openProblem({ file, line }: ConfigProblem): Promise<void> {
    await openPlace(file, line);
  }

  /** Copies servers from files of other programs into Gnomon's setting; each is approved there like any other. */
  async import(keys: readonly string[]): Promise<string> {
    const { files } = this.deps.configurations.current;
    const entries = files
      .flatMap((file) => readConfigFile(file, foldersOfWindow()).entries)
      .filter(({ name, source }) => keys.includes(importKey(source.file, name)));
    const settings = vscode.workspace.getConfiguration();
    const before: unknown = settings.inspect(SERVERS_SETTING)?.globalValue;
    const known = typeof before === 'object' && before !== null ? before : {};
    const added = entries.filter(({ name }) => !Object.hasOwn(known, name));
    await settings.update(
      SERVERS_SETTING,
      { ...known, ...Object.fromEntries(added.map((entry) => [entry.name, written(entry)])) },
      vscode.ConfigurationTarget.Global,
    );
    return added.length === 1
      ? t('1 server was added to your settings. It starts when you have approved it.')
      : t('{0} servers were added to your settings. They start when you have approved them.', added.length);
  }

  private async stop(id: string): Promise<void> {
    this.signingIn.get(id)?.abort();
    await this.deps.servers.stop(id);
  }

  private async copyReport(id: string): Promise<string> {
    await vscode.env.clipboard.writeText(this.deps.servers.report(id));
    return t('The report was copied to the clipboard.');
  }

  private async revoke({ id, entry }: McpServerState): Promise<void> {
    await this.deps.approvals.revoke(entry);
    await this.deps.inputs.forget(entry.source.file, this.deps.configurations.inputsOf(entry));
    await this.deps.servers.recheck(id);
  }

  private async enable({ id, entry }: McpServerState, on: boolean): Promise<void> {
    await this.deps.choices.set(entry, { enabled: on });
    await this.deps.servers.switch(id, on);
    if (on) this.deps.servers.start(id);
  }

  private async signIn(state: McpServerState): Promise<void> {
    const { servers, approvals, auth } = this.deps;
    const { id, entry } = state;
    const verdict = await approvals.verdict(entry);
    if (!verdict.may) return servers.recheck(id);
    this.signingIn.get(id)?.abort();
    const stop = new AbortController();
    this.signingIn.set(id, stop);
    try {
      const { Notification } = vscode.ProgressLocation;
      await vscode.window.withProgress({ location: Notification, cancellable: true, title: t('Signing in to {0}…', entry.name) }, async (_, token) => {
        token.onCancellationRequested(() => stop.abort());
        await auth.signIn(verdict.target, stop.signal);
      });
    } catch (error) {
      if (isAbortError(error)) return;
      throw error;
    } finally {
      if (this.signingIn.get(id) === stop) this.signingIn.delete(id);
    }
    servers.restart(id);
  }

  private async signOut({ id, entry }: McpServerState): Promise<string> {
    const { servers, approvals, auth } = this.deps;
    const verdict = await approvals.verdict(entry);
    if (!verdict.may) throw new McpError('refused', t('The server has to be approved before you can sign out of it.'));
    await servers.stop(id);
    const revoked = await auth.signOut(verdict.target);
    // It says itself what it is without the user: most want them to sign in again.
    servers.restart(id);
    return revoked
      ? t('You are signed out of {0}.', entry.name)
      : t('You are signed out of {0} here. The server may keep the sign-in until it expires.', entry.name);
  }
}

/** An entry as Gnomon's setting has it. */
function written({ config, timeoutMs, alwaysLoad }: McpEntry): Readonly<Record<string, unknown>> {
  const { type, ...rest } = config;
  const options = present({ timeout: timeoutMs, alwaysLoad });
  return { type, ...rest, ...options };
}

async function isThere(uri: vscode.Uri): Promise<boolean> {
  const names = await vscode.workspace.fs.readDirectory(vscode.Uri.file(dirname(uri.fsPath)));
  return names.some(([name]) => uri.path.endsWith(`/${name}`));
}

async function openPlace(file: string, line = 1): Promise<void> {
  if (file === SERVERS_SETTING) {
    await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: SERVERS_SETTING } });
    return;
  }
  const start = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(start, start) });
}
