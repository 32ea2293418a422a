import type { Tool } from '../../domain/tool/tool.js';
import type { ApprovalAnswer } from '../../domain/tool/permission.js';
import type { AgentSession } from '../../engine/agent-session.js';
import type { RunOptions } from '../flags.js';
import type { HeadlessHost } from '../open-host.js';
import { openSession } from '../session-setup.js';
import { NOBODY, withoutPrompts } from '../unattended.js';
import { OpenCall } from './open-call.js';
import { allowedOf, servedOf } from './served-tools.js';

/** Calls that may be open at a time: as many as read side by side, and more than wait for a person. */
const MAX_CALLS = 64;
/** The model of a session that has none: nothing is asked of it. */
const NO_MODEL = 'demo/demo';

/** A call as a client makes it. */
export interface AskedCall {
  /** The exact name of a tool that is served. */
  readonly tool: string;
  /** JSON. */
  readonly args: string;
  /** Who makes it; a line. */
  readonly client: string;
  /** Whether its user can be asked. */
  readonly canAsk: boolean;
}

/** A session in which a client of the protocol makes the calls: with the gate, the rules, the mode, and the hooks that a run with the same command line has. */
export class ServedSession {
  private readonly calls = new Map<string, OpenCall>();

  private constructor(
    private readonly options: Pick<RunOptions, 'storage'>,
    private readonly opened: HeadlessHost,
    private readonly session: AgentSession,
    private readonly tools: readonly Tool[],
    /** The ids of calls whose client can be asked. */
    private readonly askable: Set<string>,
  ) {
    opened.host.sessions.onDidChangeAsks(() => this.asksChanged());
    session.onEvent((event) => {
      if (event.type === 'tool_call' || event.type === 'tool_output') this.calls.get(event.callId)?.heard(event);
    });
  }

  /** Opens it. @throws Impossible where something that was named on the command line is not there, or may not be */
  static async open(options: RunOptions, opened: HeadlessHost): Promise<ServedSession> {
    const askable = new Set<string>();
    const served: Tool[] = [];
    const { session } = await openSession({ ...options, model: NO_MODEL }, opened, NOBODY, {
      tools: (all) => {
        const chosen = servedOf(all);
        served.push(...chosen);
        return chosen;
      },
      gate: (gate) => withoutPrompts(gate, ({ callId }) => askable.has(callId)),
    });
    return new ServedSession(options, opened, session, served, askable);
  }

  /** The tools of which a call can run, as the rules are now. */
  async offered(): Promise<readonly Tool[]> {
    const { book, sessionRules } = this.opened.host.permissions;
    await book.ready();
    return allowedOf(this.tools, [...book.rules(), ...sessionRules.of(this.session.id)]);
  }

  /** Whether a tool is served, whatever the rules. */
  has(name: string): boolean {
    return this.tools.some(({ spec }) => spec.name === name);
  }

  /** Begins a call. @returns `undefined` where too many are open */
  begin({ tool, args, client, canAsk }: AskedCall): OpenCall | undefined {
    if (this.calls.size >= MAX_CALLS) return undefined;
    const call = new OpenCall();
    const { id, signal } = call;
    const block = { type: 'tool_call', id, name: tool, arguments: args } as const;
    this.calls.set(id, call);
    if (canAsk) this.askable.add(id);
    void this.session.call({ block, words: `${tool}, called over MCP by ${client}`, signal }).then((result) => {
      this.calls.delete(id);
      this.askable.delete(id);
      call.end(result);
      return this.keepChanges();
    });
    return call;
  }

  /** Answers a prompt of a call; nothing where another one is open by now. */
  answer({ id }: OpenCall, revision: number, answer: ApprovalAnswer): void {
    this.session.answer(id, answer, revision);
  }

  /** Whether others wait beside a call. */
  hasOthers({ id }: OpenCall): boolean {
    return [...this.calls.keys()].some((each) => each !== id);
  }

  /** Ends all calls, with what they run, and saves the session. */
  close(): Promise<void> {
    return this.session.close();
  }

  /** What is on the disk is what the user has, unless a window will show it: kept with each call, as a client that ends does not wait for long. */
  private async keepChanges(): Promise<void> {
    if (this.options.storage === 'vscode') return;
    const { ledger, log } = this.opened;
    try {
      await Promise.all(ledger.files().map(({ path }) => ledger.keep(path)));
    } catch (error) {
      log.error('Changes could not be kept', error);
    }
  }

  private asksChanged(): void {
    const waiting = new Map(this.session.asks.waiting.map((ask) => [ask.callId, ask]));
    for (const [id, call] of this.calls) {
      const ask = waiting.get(id);
      call.asked(ask?.kind === 'permission' ? ask : undefined);
    }
  }
}
