import { present } from '../../domain/present.js';
import type { AgentFile } from '../../domain/config/agent.js';
import { type HookDefinition, hookName } from '../../domain/hook/definition.js';
import type { HookContext, HookEvent, HookEventName } from '../../domain/hook/event.js';
import type { Hooks, HookScope, SessionsAbove } from '../../domain/hook/hooks.js';
import { type HookOutcome, noHooks } from '../../domain/hook/outcome.js';
import type { SessionIdentity } from '../../domain/session/identity.js';
import { ranCommandIn } from '../../domain/session/ran-command.js';
import { skillFolderIn, skillTextsIn } from '../../domain/session/skills.js';
import type { PermissionMode } from '../../domain/tool/permission.js';
import { t } from '../../domain/l10n.js';
import { type Message, textContent } from '../../domain/model/message.js';
import type { EmittedEvent } from '../events.js';

/** Milliseconds after which it is shown that hooks run: most have ended by then. */
const NOTICED_MS = 300;
/** Characters of what they are shown as. */
const MAX_STATUS = 300;
/** Events at which nothing waits for the hooks. */
const UNSEEN: ReadonlySet<HookEventName> = new Set(['Notification', 'SessionEnd']);

/** The hooks of a session, and the facts about it that every hook gets. */
export interface SessionHooksOptions {
  readonly hooks: Hooks;
  /** Absolute path of the session's file. */
  readonly transcriptPath: string;
  /** Absolute path of the folder that hooks run in, now. */
  readonly cwd: () => string;
  /** What this session works for, now; absent: nothing. */
  readonly above?: () => SessionsAbove;
}

/** The registered hooks, with the session state that their input describes: messages, mode, and agent. */
interface SessionHooksDeps {
  /** Absent: there are no hooks. */
  readonly options: SessionHooksOptions | undefined;
  readonly who: SessionIdentity;
  /** The conversation so far. */
  readonly messages: readonly Message[];
  readonly mode: () => PermissionMode;
  /** The agent that works now; `undefined`: none. */
  readonly agent: () => Pick<AgentFile, 'name' | 'hooks'> | undefined;
  readonly emit: (event: EmittedEvent) => void;
}

/**
 * The skills and the commands of files that were used in a session: their hooks run from then on until it ends, as in Claude Code
 * (code.claude.com/docs/en/hooks, "Hooks in skills and agents"). They are found in the messages, so that this is right also for a stored
 * conversation and for a branch.
 */
export class UsedOwners {
  private readonly skills = new Set<string>();
  private readonly commands = new Set<string>();

  constructor(messages: readonly Message[]) {
    for (const message of messages) this.note(message);
  }

  /** Takes what a message uses, be it recorded or about to be. */
  note(message: Message): void {
    for (const text of skillTextsIn(message)) {
      const folder = skillFolderIn(text);
      if (folder !== undefined) this.skills.add(folder);
    }
    const command = message.role === 'user' ? ranCommandIn(message) : undefined;
    if (command !== undefined) this.commands.add(command.file);
  }

  /** These, and what messages of another session use. */
  with(others: readonly Message[]): UsedOwners {
    if (others.length === 0) return this;
    const all = new UsedOwners(others);
    for (const folder of this.skills) all.skills.add(folder);
    for (const file of this.commands) all.commands.add(file);
    return all;
  }

  get scope(): Pick<HookScope, 'skills' | 'commands'> {
    return { skills: [...this.skills], commands: [...this.commands] };
  }
}

/** Runs the hooks of one session, and reports each that ran. */
export class SessionHooks {
  private readonly used: UsedOwners;
  /** Status texts of hooks that have been running for a while. */
  private readonly running = new Map<object, string>();

  constructor(private readonly deps: SessionHooksDeps) {
    this.used = new UsedOwners(deps.messages);
  }

  /** Takes a message that is about to be recorded, and returns it: from now on, the hooks of what it uses run, also those for the message itself. */
  noted<Noted extends Message>(message: Noted): Noted {
    this.used.note(message);
    return message;
  }

  /**
   * Runs the hooks of an event. Never rejects.
   * @param callId the tool call that it is about
   * @param named takes the names of those that run, with commas between them
   */
  async run(event: HookEvent, signal: AbortSignal, callId?: string, named?: (names: string) => void): Promise<HookOutcome> {
    const { options, emit } = this.deps;
    if (options === undefined) return noHooks(event.hook_event_name);
    const outcome = await this.shown(event, (noticed) => {
      const started = (hooks: readonly HookDefinition[]): void => {
        named?.(hooks.map(hookName).join(', '));
        noticed(hooks);
      };
      return options.hooks.run(event, this.context(options), signal, { scope: this.scope, started });
    });
    if (outcome.runs.length > 0) emit({ type: 'hooks_ran', outcome, ...present({ callId }) });
    return outcome;
  }

  /** Input of the hooks for the start of an agent that works for another session. */
  agentStart(): HookEvent {
    return { hook_event_name: 'SubagentStart', ...this.agentFields() };
  }

  /** Input of the hooks before a turn ends; those of an agent that works for another session are others. @param again whether they have kept it from that */
  stopEvent(messages: readonly Message[], again: boolean): HookEvent {
    const last = messages.findLast((message) => message.role === 'assistant');
    const stop = { stop_hook_active: again, ...(last === undefined ? {} : { last_assistant_message: textContent(last) }) };
    if (this.deps.who.worksFor === undefined) return { hook_event_name: 'Stop', ...stop };
    return { hook_event_name: 'SubagentStop', ...stop, ...this.agentFields(), agent_transcript_path: this.deps.options?.transcriptPath ?? '' };
  }

  /** Comparison key of the hooks that an event would run now; runs none. */
  async applying(event: HookEvent): Promise<string> {
    return (await this.deps.options?.hooks.applying?.(event, this.scope)) ?? '';
  }

  /** Says what hooks do while they run, when that takes long enough to be noticed. */
  private async shown(event: HookEvent, run: (started: (hooks: readonly HookDefinition[]) => void) => Promise<HookOutcome>): Promise<HookOutcome> {
    let timer: NodeJS.Timeout | undefined;
    const key = {};
    try {
      return await run((hooks) => {
        if (UNSEEN.has(event.hook_event_name)) return;
        timer = setTimeout(() => {
          this.running.set(key, statusOf(hooks));
          this.tell();
        }, NOTICED_MS);
      });
    } finally {
      clearTimeout(timer);
      if (this.running.delete(key)) this.tell();
    }
  }

  private agentFields(): { readonly agent_id: string; readonly agent_type: string } {
    const { session, worksFor } = this.deps.who;
    return { agent_id: session, agent_type: worksFor?.agent ?? '' };
  }

  private get scope(): HookScope {
    const above = this.deps.options?.above?.();
    const ofAgent = this.deps.agent()?.hooks ?? [];
    if (above === undefined) return { ofAgent, ...this.used.scope };
    const { messages, chat } = above;
    const ofChat = { ofAgent: chat.agent?.hooks ?? [], ...new UsedOwners(chat.messages).scope };
    return { ofAgent, ...this.used.with(messages).scope, ofChat };
  }

  private tell(): void {
    this.deps.emit({ type: 'hooks_running', status: [...new Set(this.running.values())].join(' · ').slice(0, MAX_STATUS) });
  }

  private context({ transcriptPath, cwd }: SessionHooksOptions): HookContext {
    const { who } = this.deps;
    const agent = this.deps.agent();
    return {
      session_id: who.session,
      transcript_path: transcriptPath,
      cwd: cwd(),
      permission_mode: this.deps.mode(),
      ...(who.worksFor === undefined ? {} : { agent_id: who.session, agent_depth: who.depth }),
      ...present({ agent_type: who.worksFor?.agent ?? agent?.name }),
    };
  }
}

/** Status text of hooks: the messages in their files, or their names. */
function statusOf(hooks: readonly HookDefinition[]): string {
  const said = hooks.flatMap(({ statusMessage }) => statusMessage ?? []);
  const [first] = hooks;
  if (said.length > 0) return said.join(' · ');
  return first === undefined ? '' : hooks.length === 1 ? t('Running the hook {0}…', hookName(first)) : t('Running {0} hooks…', hooks.length);
}
