import { basename } from 'node:path';
import { Signal } from '../../concurrency/signal.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { McpEntry } from '../../domain/mcp/config.js';
import type { McpToolInfo } from '../../domain/mcp/feature.js';
import type { McpServerState } from '../../domain/mcp/server.js';
import type { McpSignInFetch } from '../../domain/mcp/sign-in.js';
import type { AgentSession } from '../../engine/agent-session.js';
import { serverIcon } from '../../mcp/servers/server-icon.js';
import { importPreview } from '../../mcp/consent/import-preview.js';
import { changedTools, toolFingerprint } from '../../mcp/consent/tool-fingerprint.js';
import { budgetOf } from '../../mcp/tools/budget.js';
import type {
  ServerAction,
  ServerBudget,
  ServerConsent,
  ServerDetails,
  ServerImport,
  ServerInspection,
  ServerRow,
  ServersView,
} from '../../protocol/servers.js';
import { textTokens } from '../../text/text-tokens.js';
import { unifiedDiff } from '../../text/unified-diff.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import type { McpAuth } from '../../mcp/auth/mcp-auth.js';
import type { McpServers } from '../../mcp/servers/servers.js';
import type { Approvals } from '../../agent-host/servers/approvals.js';
import { type Configurations, SERVERS_SETTING } from '../../agent-host/servers/configurations.js';
import type { ServerChoice, ServerChoices } from '../../agent-host/servers/server-choices.js';
import type { OfferedServers } from '../../agent-host/servers/offered-servers.js';
import { consentView, detailsOf, importView, inspectionOf, problemView, rowOf } from './server-rows.js';
import type { ServerIcon, ServersPort } from './servers-port.js';

/** Milliseconds between two changes that are told. */
const TELL_MS = 100;

/** What users do with servers, each with what it asks and says. */
export interface ServerActions {
  /** @returns a sentence for the user; `undefined` where there is nothing to say */
  run(state: McpServerState, action: ServerAction): Promise<string | undefined>;
  /** Starts a server that the user has just approved, with what it asks for before. */
  startApproved(state: McpServerState): Promise<void>;
  /** Whether there are tokens for it. */
  isSignedIn(state: McpServerState): Promise<boolean>;
  /** Opens the file, or the setting, where a server can be added. */
  add(to: 'workspace' | 'user'): Promise<void>;
  openProblem(problem: ConfigProblem): Promise<void>;
  /** Takes servers over from files of other programs. @returns a sentence for the user */
  import(keys: readonly string[]): Promise<string>;
}

/** Dependencies of {@link WindowServers}. */
export interface WindowServersDeps {
  readonly servers: McpServers;
  readonly configurations: Configurations;
  readonly approvals: Approvals;
  readonly choices: ServerChoices;
  readonly auth: McpAuth;
  readonly actions: ServerActions;
  readonly offered: OfferedServers;
  readonly trusted: () => boolean;
  /** Absolute paths of the workspace folders. */
  readonly folders: () => readonly string[];
  /** Gets the pictures of servers. */
  readonly iconFetch: McpSignInFetch;
  /** A chat that is open. */
  readonly sessionOf: (id: string) => Pick<AgentSession, 'agent' | 'messages'> | undefined;
  readonly log: Log;
  /** What servers ask the user for. */
  readonly asked: Pick<ServersPort, 'elicitations' | 'answer' | 'onDidChange'>;
}

/** The MCP servers of this window as its pages show them. */
export class WindowServers implements ServersPort {
  private readonly changed = new Signal();
  readonly onDidChange = this.changed.subscribe;
  private telling: NodeJS.Timeout | undefined;
  /** Numbers that change with what is known of a server. */
  private readonly revisions = new Map<string, number>();
  /** Servers that there are tokens for. */
  private readonly signedIn = new Set<string>();

  constructor(private readonly deps: WindowServersDeps) {
    deps.servers.subscribe((event) => {
      if (event.type === 'log' || event.type === 'resource') return;
      this.touch(event.type === 'state' ? event.state.id : event.id);
      if (event.type === 'state' && event.state.status === 'connected') this.lookForSignIn(event.state);
    });
    deps.configurations.onDidChange(() => this.tell());
    deps.asked.onDidChange(() => this.tell());
  }

  view(session: string): ServersView {
    const { servers, configurations, offered, trusted } = this.deps;
    const { problems } = configurations.current;
    const chat = this.deps.sessionOf(session);
    const budgets = new Map(budgetOf(offered.toolsetFor(chat?.agent).servers, chat?.messages ?? []).map((budget) => [budget.id, budget]));
    return {
      trusted: trusted(),
      servers: servers.states.map((state) => this.row(state, budgets.get(state.id))),
      problems: problems.map((problem) => problemView(problem, this.displayOf(problem.file))),
      left: { servers: 0, problems: 0 },
    };
  }

  want(): void {
    this.deps.servers.want();
  }

  async act(id: string, action: ServerAction): Promise<string | undefined> {
    const state = this.deps.servers.state(id);
    if (state === undefined) return undefined;
    try {
      return await this.deps.actions.run(state, action);
    } finally {
      if (action === 'sign_out') this.signedIn.delete(id);
      this.touch(id);
    }
  }

  async details(id: string): Promise<ServerDetails | undefined> {
    const state = this.deps.servers.state(id);
    if (state === undefined) return undefined;
    const tokens = (tool: McpToolInfo): number => textTokens(JSON.stringify([tool.name, tool.description, tool.inputSchema]));
    const changed = new Map<string, { hash: string; diff: string }>();
    for (const { change, tool } of this.changesOf(state))
      changed.set(tool.name, {
        hash: toolFingerprint(tool),
        diff: await unifiedDiff(tool.name, { before: change.change === 'changed' ? change.before : '', after: change.after }),
      });
    return detailsOf(state, { offer: this.offerOf(id), off: this.deps.choices.of(state.entry).off, tokens, changed });
  }

  async consent(id: string): Promise<ServerConsent | undefined> {
    const state = this.deps.servers.state(id);
    if (state === undefined) return undefined;
    const judged = await this.deps.approvals.judge(state.entry);
    return judged.verdict === 'approved' && !judged.hasMore ? undefined : consentView(state, judged, await this.deps.approvals.changedScripts(judged));
  }

  async approve(id: string, hash: string): Promise<void> {
    const state = this.deps.servers.state(id);
    if (state === undefined) return;
    await this.deps.approvals.approve(state.entry, hash);
    await this.deps.actions.startApproved(state);
    this.touch(id);
  }

  async switchTool(id: string, tool: string, on: boolean): Promise<void> {
    await this.choose(id, ({ off }) => ({ off: on ? off.filter((name) => name !== tool) : [...new Set([...off, tool])] }));
  }

  async setBudget(id: string, budget: ServerBudget): Promise<void> {
    await this.choose(id, () => ({ loading: budget }));
  }

  async acceptTool(id: string, name: string, hash: string): Promise<void> {
    const state = this.deps.servers.state(id);
    const tool = state?.tools.find((each) => each.name === name);
    if (state === undefined || tool === undefined) return;
    if (toolFingerprint(tool) !== hash) throw new Error(t('The tool has just changed. Look at it again before you accept it.'));
    await this.deps.approvals.accept(state.entry, [tool]);
    this.deps.offered.refresh();
    this.touch(id);
  }

  inspection(id: string): ServerInspection | undefined {
    const state = this.deps.servers.state(id);
    return state === undefined ? undefined : inspectionOf(state, this.deps.servers.traffic(id));
  }

  message(id: string, seq: number): string | undefined {
    return this.deps.servers.traffic(id).find((line) => line.seq === seq)?.text;
  }

  async icon(id: string): Promise<ServerIcon | undefined> {
    const state = this.deps.servers.state(id);
    return state === undefined ? undefined : serverIcon(state, this.deps.iconFetch, new AbortController().signal);
  }

  async imports(): Promise<readonly ServerImport[]> {
    await this.deps.configurations.read();
    const { files, servers } = this.deps.configurations.current;
    const own = servers.flatMap(({ entry }) => (entry.source.file === SERVERS_SETTING ? [entry] : []));
    return importPreview(files, this.deps.folders(), own).map((file) =>
      importView(file, PROGRAMS[files.find(({ source }) => source.file === file.file)?.source.format ?? 'claude']),
    );
  }

  import(keys: readonly string[]): Promise<string> {
    return this.deps.actions.import(keys);
  }

  add(to: 'workspace' | 'user'): Promise<void> {
    return this.deps.actions.add(to);
  }

  async openProblem(id: string): Promise<void> {
    const { problems } = this.deps.configurations.current;
    const problem = problems.find((each) => problemView(each, '').id === id);
    if (problem !== undefined) await this.deps.actions.openProblem(problem);
  }

  elicitations(session: string): ReturnType<ServersPort['elicitations']> {
    return this.deps.asked.elicitations(session);
  }

  answer(id: string, answer: Parameters<ServersPort['answer']>[1]): void {
    this.deps.asked.answer(id, answer);
  }

  private row(state: McpServerState, budget: ReturnType<typeof budgetOf>[number] | undefined): ServerRow {
    const { approvals, choices } = this.deps;
    const { id, entry } = state;
    const { loading = entry.alwaysLoad === true ? 'always' : 'auto', off } = choices.of(entry);
    const changed = new Set(this.changesOf(state).map(({ tool }) => tool.name));
    const facts = {
      state,
      offer: this.offerOf(id),
      budget,
      loading,
      off,
      changed,
      approved: approvals.ofEntry(entry) !== undefined,
      hasMore: approvals.hasMore(entry),
      signedIn: this.signedIn.has(id),
    };
    return rowOf({ ...facts, display: this.displayOf(entry.source.file), revision: this.revisions.get(id) ?? 0 });
  }

  /** The tools that differ from what the user accepted; none before anything was. */
  private changesOf({
    entry,
    tools,
  }: McpServerState): readonly {
    readonly change: Exclude<ReturnType<typeof changedTools>[number], { readonly change: 'gone' }>;
    readonly tool: McpToolInfo;
  }[] {
    const accepted = [...this.deps.approvals.acceptedTools(entry).values()];
    if (accepted.length === 0 || tools.length === 0) return [];
    return changedTools(accepted, tools).flatMap((change) => {
      const tool = change.change === 'gone' ? undefined : tools.find(({ name }) => name === change.name);
      return tool === undefined || change.change === 'gone' ? [] : [{ change, tool }];
    });
  }

  private offerOf(id: string): OfferedServers['toolset']['servers'][number] | undefined {
    return this.deps.offered.toolset.servers.find((offer) => offer.id === id);
  }

  private async choose(id: string, change: (choice: ServerChoice) => Partial<ServerChoice>): Promise<void> {
    const state = this.deps.servers.state(id);
    if (state === undefined) return;
    await this.deps.choices.set(state.entry, change(this.deps.choices.of(state.entry)));
    this.deps.offered.refresh();
    this.touch(id);
  }

  private displayOf(file: McpEntry['source']['file']): string {
    if (file === SERVERS_SETTING) return SERVERS_SETTING;
    return escapeHidden(this.deps.configurations.current.displays.get(file) ?? basename(file));
  }

  /** Nothing tells of tokens that another window received, so it is looked up with each connection. */
  private lookForSignIn(state: McpServerState): void {
    if (state.entry.config.type !== 'http' && state.entry.config.type !== 'sse') return;
    const note = (is: boolean): void => {
      if (is === this.signedIn.has(state.id)) return;
      if (is) this.signedIn.add(state.id);
      else this.signedIn.delete(state.id);
      this.tell();
    };
    this.deps.actions
      .isSignedIn(state)
      .then(note, (error: unknown) => this.deps.log.error('It could not be found out whether there are tokens for an MCP server', error));
  }

  private touch(id: string): void {
    this.revisions.set(id, (this.revisions.get(id) ?? 0) + 1);
    this.tell();
  }

  /** Changes that come at about the same time are told together, well within the 200 ms after which a status has to be seen (M-02). */
  private tell(): void {
    if (this.telling !== undefined) return;
    this.telling = setTimeout(() => {
      this.telling = undefined;
      this.changed.emit();
    }, TELL_MS);
  }
}

/** The programs whose files are read, by format. */
const PROGRAMS = { claude: 'Claude Code', vscode: 'VS Code', cursor: 'Cursor', gnomon: 'Gnomon' } as const;
