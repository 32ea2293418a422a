import { effortWithin, type ThinkingEffort } from '../../domain/model/effort.js';
import { modelKey } from '../../domain/model/model-key.js';
import type { AgentSession } from '../../engine/agent-session.js';
import { readMode } from '../flags.js';
import { offeredCommands } from '../offered-commands.js';
import type { HeadlessHost } from '../open-host.js';
import { chooseModel, type OpenedSession } from '../session-setup.js';
import type { BegunInput } from './begun-input.js';
import type { ControlBody } from './control.js';
import type { DrivingProgram } from './driving-program.js';
import { eventsWithoutCalls } from './initialize.js';
import type { WireMessage } from './wire-content.js';
import { rewindFiles } from './rewind.js';
import type { SaidMessages } from './said-messages.js';
import { AUTO } from '../../domain/model/model-choice.js';

/** The run that requests are about. */
export interface ControlledRun {
  /** The session; it is opened with the first request or message that needs it. */
  readonly opening: Promise<OpenedSession> | undefined;
  open(): Promise<OpenedSession>;
  /** Stops what is being answered, if anything is. */
  interrupt(): Promise<void>;
  /** Writes a message about the session. */
  tell(message: WireMessage): void;
}

/** What requests are carried out with. */
export interface ControlParts extends HeadlessHost {
  /** Takes what the other program brings. */
  readonly driven: DrivingProgram;
  readonly begun: BegunInput;
  /** The messages of the user, by what the other program knows them by. */
  readonly said: SaidMessages;
}

/** Carries out what a driving program can ask for beside messages: the control requests of the Agent SDK protocol, host to program. */
export class ControlRequests {
  /** Whether what would be asked about is denied, as a mode that was set meanwhile has it. */
  neverAsks = false;
  /** How much models think where no limit is set. */
  private usualEffort: ThinkingEffort | undefined;

  constructor(
    private readonly parts: ControlParts,
    private readonly run: ControlledRun,
  ) {}

  /**
   * Carries out a request.
   * @returns the answer; `undefined` for a request that there is not
   * @throws Error with the reason why it is refused, for the other program
   */
  async carryOut(request: ControlBody): Promise<ControlBody | undefined> {
    const { driven, host } = this.parts;
    switch (request['subtype']) {
      case 'initialize':
        return this.initialize(request);
      case 'interrupt':
        await this.run.interrupt();
        return {};
      case 'set_permission_mode':
        return this.setMode(request['mode']);
      case 'set_model':
        return this.setModel(request['model']);
      case 'set_max_thinking_tokens':
        return this.limitThinking(request);
      case 'get_settings':
        return this.settings();
      case 'rewind_files':
        return rewindFiles(this.parts, (await this.run.open()).session, request);
      case 'stop_task':
        return this.stopTask(request['task_id']);
      case 'mcp_status':
        return { mcpServers: this.servers() };
      case 'mcp_message':
        return driven.received(String(request['server_name']), request['message']) ? {} : undefined;
      case 'mcp_reconnect':
        host.servers.all.restart(this.serverNamed(request['serverName']));
        return {};
      case 'mcp_toggle':
        await host.servers.all.switch(this.serverNamed(request['serverName']), request['enabled'] === true);
        return {};
      case 'get_context_usage':
        return contextUsage((await this.run.open()).session);
      default:
        return undefined;
    }
  }

  private async initialize(request: ControlBody): Promise<ControlBody> {
    const { driven, begun } = this.parts;
    driven.take(request);
    const { agents, models } = this.parts.host;
    const [commands] = await Promise.all([offeredCommands(this.parts.host), agents.ready()]);
    return {
      commands: commands.map(({ name, description, argumentHint }) => ({ name, description, argumentHint })),
      agents: agents.agents.map(({ name }) => ({ name, description: agents.find(name)?.description ?? '' })),
      output_style: 'default',
      models: models.entries().flatMap((entry) => entry.models.map((model) => ({ value: modelKey(model), displayName: model.label, description: '' }))),
      account: {},
      hook_on_failure_supported: true,
      ...(request['hooks'] === undefined || request['hooks'] === null ? {} : { hooks_applied: true }),
      ...(request['mcpServers'] === undefined ? {} : { mcp_servers_applied: begun.servers === JSON.stringify({ mcpServers: request['mcpServers'] }) }),
      hooks_not_applied: eventsWithoutCalls(request['hooks']),
      pid: process.pid,
    };
  }

  private async settings(): Promise<ControlBody> {
    const { session } = await this.run.open();
    return {
      ...(await this.parts.host.toldSettings()),
      applied: { model: modelKey(session.model), effort: session.effort, permissionMode: session.effectiveMode },
    };
  }

  private async setMode(wanted: unknown): Promise<ControlBody> {
    const found = typeof wanted === 'string' ? readMode(wanted) : undefined;
    if (found?.mode === undefined)
      throw new Error(typeof wanted === 'string' ? `The permission mode “${wanted}” is not known.` : 'The request names no permission mode.');
    const { session } = await this.run.open();
    if (found.mode === 'bypassPermissions' && this.parts.host.permissions.bypass.startingMode(found.mode) !== found.mode)
      throw new Error('Permissions can be bypassed only where Gnomon was started with --allow-dangerously-skip-permissions.');
    session.setMode(found.mode);
    this.neverAsks = found.neverAsks;
    return { mode: session.effectiveMode };
  }

  /** @param wanted nothing for the user’s */
  private async setModel(wanted: unknown): Promise<ControlBody> {
    if (wanted !== undefined && wanted !== null && typeof wanted !== 'string') throw new Error('set_model needs the name of a model, or none.');
    const { session } = await this.run.open();
    const { host } = this.parts;
    const chosen = wanted === AUTO ? host.models.chooseFor(session, AUTO) : chooseModel(host, wanted ?? undefined);
    const { provider, model, choice } = await chosen;
    session.setModel(provider, model, choice);
    return { model: modelKey(model) };
  }

  /** Limits how much the model thinks, from the next request on. Models take efforts, so that it is the highest one within the limit. */
  private async limitThinking({ max_thinking_tokens: most, thinking_display: display }: ControlBody): Promise<ControlBody> {
    if (display !== undefined && display !== null && display !== 'summarized') throw new Error('Gnomon shows thinking as a summary, and in no other way.');
    if (most !== undefined && most !== null && !(typeof most === 'number' && Number.isSafeInteger(most) && most >= 0))
      throw new Error('max_thinking_tokens must be a whole number from 0, or null for no limit.');
    const { session } = await this.run.open();
    this.usualEffort ??= session.effort;
    if (most !== undefined) session.setEffort(most === null ? this.usualEffort : effortWithin(most));
    return { effort: session.effort };
  }

  /** Ends a command in the background, or the work of an agent. An agent reports its end in a message of its own. */
  private async stopTask(id: unknown): Promise<ControlBody> {
    if (typeof id !== 'string' || id === '') throw new Error('stop_task needs a task_id.');
    const opened = await this.run.opening;
    if (opened !== undefined && (await this.stopElf(opened.session, id))) return {};
    const jobs = opened === undefined ? undefined : this.parts.host.sessions.jobsOf(opened.session.id);
    if (jobs?.list().find((job) => job.id === id)?.ended !== undefined) throw new Error(`The job “${id}” has ended already.`);
    const job = await jobs?.kill(id);
    if (job === undefined) throw new Error(`There is no job “${id}”. No job was started in this session.`);
    this.run.tell({ type: 'system', subtype: 'task_notification', task_id: id, status: 'stopped', output_file: '', summary: `Stopped: ${job.command}` });
    return {};
  }

  /** @returns whether there is an agent that is known by an id, as `task_started` names it, or as its model does */
  private async stopElf(session: AgentSession, id: string): Promise<boolean> {
    const { elves } = this.parts.host;
    const household = await elves.of(session);
    const elf = household.ofSession(id) ?? household.find(id);
    if (elf === undefined) return false;
    if (!elf.isWorking) throw new Error(`The agent “${id}” has ended already.`);
    await elves.stop(session, elf.name);
    return true;
  }

  private servers(): readonly ControlBody[] {
    return this.parts.host.servers.all.states.map(({ entry, status, problem, tools }) => ({
      name: entry.name,
      status,
      ...(problem === undefined ? {} : { error: this.parts.clean(problem) }),
      tools: tools.map(({ name }) => ({ name })),
    }));
  }

  private serverNamed(name: unknown): string {
    const found = this.parts.host.servers.all.states.find(({ entry }) => entry.name === name);
    if (found === undefined) throw new Error(`There is no MCP server “${String(name)}”.`);
    return found.id;
  }
}

function contextUsage({ context, model }: AgentSession): ControlBody {
  const total = context?.used ?? 0;
  const most = context?.limit ?? model.contextWindow;
  return {
    // Colors are for who draws them.
    categories: Object.entries({ ...context?.parts }).map(([name, tokens]) => ({ name, tokens, color: '' })),
    totalTokens: total,
    maxTokens: most,
    rawMaxTokens: model.contextWindow,
    percentage: Math.round((total / most) * 100),
    model: model.id,
  };
}
