import { isAbortError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { McpEntry } from '../../domain/mcp/config.js';
import { McpError } from '../../domain/mcp/connection.js';
import type { McpServerState } from '../../domain/mcp/server.js';
import { present } from '../../domain/present.js';
import { SERVERS_SETTING } from '../../agent-host/servers/configurations.js';
import type { ServerChoice } from '../../agent-host/servers/server-choices.js';
import { readConfigFile } from '../../mcp/config/read-config.js';
import { toolFingerprint } from '../../mcp/consent/tool-fingerprint.js';
import type { ServerAction } from '../../protocol/servers.js';
import type { ServerParts } from '../ports.js';
import { importKey, problemView } from './server-views.js';

/** The user's actions on servers. Errors reject with a message for the user; a returned text is for the user, too. */
export class ServerActions {
  /** Sign-ins that wait for the browser, by server. */
  private readonly signingIn = new Map<string, AbortController>();
  /** Servers for which there were tokens when that was looked up. */
  readonly signedIn = new Set<string>();

  constructor(private readonly parts: ServerParts) {}

  /** Does what takes one press. */
  run(state: McpServerState, action: ServerAction): unknown {
    const { all, logs, window } = this.parts;
    const { id, entry } = state;
    const acts: Readonly<Record<ServerAction, () => unknown>> = {
      start: () => all.start(id),
      stop: () => this.stop(id),
      restart: () => all.restart(id),
      enable: () => this.enable(state, true),
      disable: () => this.enable(state, false),
      sign_in: () => this.signIn(state),
      sign_out: () => this.signOut(state),
      enter_value: () => this.startApproved(state),
      show_log: () => logs.show(state),
      copy_report: () => this.copyReport(id),
      revoke: () => this.revoke(state),
      open_source: () => window.open(entry.source.file, entry.source.line),
    };
    return acts[action]();
  }

  /** Approves a server and starts it. Rejects when it is another one by now than `hash` names, or the workspace is not trusted. */
  async approve(state: McpServerState, hash: string): Promise<void> {
    await this.parts.approvals.approve(state.entry, hash);
    await this.startApproved(state);
  }

  /** Changes what the user chose of a server. */
  async choose({ entry }: McpServerState, change: Partial<ServerChoice>): Promise<void> {
    await this.parts.choices.set(entry, change);
    this.parts.offered.refresh();
  }

  /** Has models get a tool, or not. */
  async switchTool(state: McpServerState, tool: string, on: boolean): Promise<void> {
    const others = this.parts.choices.of(state.entry).off.filter((name) => name !== tool);
    await this.choose(state, { off: on ? others : [...others, tool] });
  }

  /** Accepts a changed tool. Rejects when it is another one by now than `hash` names. */
  async acceptTool({ entry, tools }: McpServerState, name: string, hash: string): Promise<void> {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) return;
    if (toolFingerprint(tool) !== hash) throw new Error(t('The tool has just changed. Look at it again before you accept it.'));
    await this.parts.approvals.accept(entry, [tool]);
    this.parts.offered.refresh();
  }

  /** Looks up whether there are tokens for a server: nothing tells of those that another window received. Returns whether that is news. */
  async lookForSignIn({ id, entry }: McpServerState): Promise<boolean> {
    const { approvals, auth } = this.parts;
    const verdict = await approvals.verdict(entry);
    const is = verdict.may && (await auth.isSignedIn(verdict.target));
    if (is === this.signedIn.has(id)) return false;
    if (is) this.signedIn.add(id);
    else this.signedIn.delete(id);
    return true;
  }

  /** Opens the place of a problem. */
  async openProblem(id: string): Promise<void> {
    const { configurations, window } = this.parts;
    const problem = configurations.current.problems.find((each) => problemView(each, configurations).id === id);
    if (problem !== undefined) await window.open(problem.file, problem.line);
  }

  /** Copies servers from files of other programs into Gnomon's setting; each is approved there like any other. */
  async import(keys: readonly string[]): Promise<string> {
    const { configurations, ports, window } = this.parts;
    const entries = configurations.current.files
      .flatMap((file) => readConfigFile(file, ports.folders.paths()).entries)
      .filter(({ name, source }) => keys.includes(importKey(source.file, name)));
    const before = ports.settings.inspect(SERVERS_SETTING).globalValue;
    const known = typeof before === 'object' && before !== null ? before : {};
    const added = entries.filter(({ name }) => !Object.hasOwn(known, name));
    await window.configure({ ...known, ...Object.fromEntries(added.map((entry) => [entry.name, written(entry)])) });
    return added.length === 1
      ? t('1 server was added to your settings. It starts when you have approved it.')
      : t('{0} servers were added to your settings. They start when you have approved them.', added.length);
  }

  /** Starts a server that has just been approved, with what it asks for before. */
  private async startApproved({ id, entry }: McpServerState): Promise<void> {
    const { all, inputs, configurations } = this.parts;
    // Whatever it is asked for next, it does not wait for the approval any more.
    await all.recheck(id);
    if (!(await inputs.ask(entry.source.file, configurations.inputsOf(entry), entry.name))) return;
    await all.recheck(id);
    all.start(id);
  }

  private async stop(id: string): Promise<void> {
    this.signingIn.get(id)?.abort();
    await this.parts.all.stop(id);
  }

  private async copyReport(id: string): Promise<string> {
    await this.parts.window.copy(this.parts.all.report(id));
    return t('The report was copied to the clipboard.');
  }

  private async revoke({ id, entry }: McpServerState): Promise<void> {
    const { all, approvals, configurations, inputs } = this.parts;
    await approvals.revoke(entry);
    await inputs.forget(entry.source.file, configurations.inputsOf(entry));
    await all.recheck(id);
  }

  private async enable({ id, entry }: McpServerState, on: boolean): Promise<void> {
    const { all, choices } = this.parts;
    await choices.set(entry, { enabled: on });
    await all.switch(id, on);
    if (on) all.start(id);
  }

  private async signIn({ id, entry }: McpServerState): Promise<void> {
    const { all, approvals, auth } = this.parts;
    const verdict = await approvals.verdict(entry);
    if (!verdict.may) return all.recheck(id);
    this.signingIn.get(id)?.abort();
    const stop = new AbortController();
    this.signingIn.set(id, stop);
    try {
      await this.parts.window.progress(t('Signing in to {0}…', entry.name), stop, () => auth.signIn(verdict.target, stop.signal));
    } catch (error) {
      if (isAbortError(error)) return;
      throw error;
    } finally {
      if (this.signingIn.get(id) === stop) this.signingIn.delete(id);
    }
    all.restart(id);
  }

  private async signOut({ id, entry }: McpServerState): Promise<string> {
    const { all, approvals, auth } = this.parts;
    try {
      const verdict = await approvals.verdict(entry);
      if (!verdict.may) throw new McpError('refused', t('The server has to be approved before you can sign out of it.'));
      await all.stop(id);
      const revoked = await auth.signOut(verdict.target);
      // It says itself what it is without the user: most want them to sign in again.
      all.restart(id);
      return revoked
        ? t('You are signed out of {0}.', entry.name)
        : t('You are signed out of {0} here. The server may keep the sign-in until it expires.', entry.name);
    } finally {
      this.signedIn.delete(id);
    }
  }
}

/** An entry as Gnomon's setting has it. */
function written({ config, timeoutMs, alwaysLoad }: McpEntry): Readonly<Record<string, unknown>> {
  const { type, ...rest } = config;
  const options = present({ timeout: timeoutMs, alwaysLoad });
  return { type, ...rest, ...options };
}
