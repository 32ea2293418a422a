import type { PromptAdditions } from '../../../src/engine/system-prompt.js';
import { NOTHING_MORE, type TurnAsked } from '../../../src/engine/turn/turn-settings.js';
import type { Clock } from '../../../src/domain/clock.js';
import type { Log } from '../../../src/domain/log.js';
import { type AssistantMessage, type Message, textContent } from '../../../src/domain/model/message.js';
import type { RuleScope } from '../../../src/domain/tool/denial.js';
import type { Gate, GateRequest, Judgment, PermissionMode, RuleUpdate } from '../../../src/domain/tool/permission.js';
import type { OpenSession, SessionMeta, SessionRecorder } from '../../../src/domain/session/session-store.js';
import type { Access, Plan, Tool, ToolContext, ToolResult } from '../../../src/domain/tool/tool.js';
import type { AgentSession, SessionDeps } from '../../../src/engine/agent-session.js';
import { createAgentSession } from '../../../src/engine/live-session.js';
import type { SessionEvent, ToolCallState } from '../../../src/engine/events.js';
import { type Script, ScriptedProvider, TEST_MODEL } from '../../support/scripted-provider/index.js';

/** Called at every point where the engine waits for one of its ports. */
type Hook = (point: string) => Promise<void> | void;

/** A recorder in memory. */
class MemoryRecorder implements SessionRecorder {
  readonly appended: Message[] = [];
  readonly partials: AssistantMessage[] = [];
  readonly calls: string[] = [];
  meta: Record<string, unknown> = {};
  /** Thrown by the next calls while set. */
  failure: Error | undefined;

  constructor(private readonly hook: Hook = () => undefined) {}

  append(message: Message): Promise<void> {
    this.appended.push(message);
    return this.done(`append ${message.role}`);
  }

  partial(message: AssistantMessage): Promise<void> {
    this.partials.push(message);
    return this.done('partial');
  }

  updateMeta(patch: { readonly [K in keyof SessionMeta]?: SessionMeta[K] | undefined }): Promise<void> {
    Object.assign(this.meta, patch);
    return this.done('meta');
  }

  fold(): Promise<void> {
    return this.done('fold');
  }

  close(): Promise<void> {
    return this.done('close');
  }

  private async done(call: string): Promise<void> {
    this.calls.push(call);
    await this.hook(`recorder ${call}`);
    if (this.failure !== undefined) throw this.failure;
  }
}

/** A log that keeps what it is told. */
export class MemoryLog implements Log {
  readonly lines: string[] = [];
  info(message: string): void {
    this.lines.push(message);
  }
  warn(message: string): void {
    this.lines.push(message);
  }
  error(message: string, error?: unknown): void {
    this.lines.push(`${message}: ${String(error)}`);
  }
}

/** A gate that decides by the kinds of access, or by the judgment set for a subject. */
export class TestGate implements Gate {
  readonly judged: GateRequest[] = [];
  readonly remembered: { readonly subject: string; readonly rules: readonly string[]; readonly scope: RuleScope }[] = [];
  readonly updated: RuleUpdate[] = [];
  /** Thrown by {@link remember} and {@link update} while set. */
  refusal: Error | undefined;
  judgment: (request: GateRequest) => Judgment = (request) =>
    request.plan.accesses.every((access) => access.kind === 'read')
      ? { type: 'allow', reason: 'It only reads.' }
      : { type: 'ask', reasons: ['It changes something.'], proposal: ['this'] };

  constructor(private readonly hook: Hook = () => undefined) {}

  async judge(request: GateRequest): Promise<Judgment> {
    await this.hook(`judge ${request.plan.subject}`);
    this.judged.push(request);
    return this.judgment(request);
  }

  remember({ plan }: GateRequest, rules: readonly string[], scope: RuleScope): Promise<void> {
    if (this.refusal !== undefined) return Promise.reject(this.refusal);
    this.remembered.push({ subject: plan.subject, rules, scope });
    return Promise.resolve();
  }

  update(_request: GateRequest, updates: readonly RuleUpdate[]): Promise<void> {
    if (this.refusal !== undefined) return Promise.reject(this.refusal);
    this.updated.push(...updates);
    return Promise.resolve();
  }
}

/** What a {@link testTool} does; the rest has defaults. */
interface TestToolOptions {
  readonly kind?: Access['kind'];
  readonly plan?: (args: unknown, context: ToolContext) => Promise<void> | void;
  readonly execute?: (args: unknown, context: ToolContext) => Promise<ToolResult> | ToolResult;
}

/** A tool whose subject is the argument `on`. */
export function testTool(name: string, options: TestToolOptions = {}): Tool {
  return {
    spec: { name, description: name, parameters: { type: 'object' } },
    async plan(args, context): Promise<Plan> {
      await options.plan?.(args, context);
      const subject = subjectOf(args);
      const accesses: Access[] = [{ kind: options.kind ?? 'read', target: `/ws/${subject}` }];
      return Object.freeze({ tool: name, subject, args, accesses, preview: { kind: 'none' as const }, changes: [] });
    },
    async execute(plan, context) {
      return options.execute?.(plan.args, context) ?? ok(`${name} ${plan.subject}`);
    },
  };
}

/** The argument `on` of a test tool. */
export function subjectOf(args: unknown): string {
  const on: unknown = typeof args === 'object' && args !== null ? Reflect.get(args, 'on') : undefined;
  return typeof on === 'string' ? on : '';
}

/** A good result. */
export function ok(words: string): ToolResult {
  return { content: [{ type: 'text', text: words }], isError: false };
}

/** A clock that the test moves. */
export class TestClock implements Clock {
  now = 0;
  timestamp(): string {
    return '2026-01-01T00:00:00Z';
  }
  monotonic(): number {
    return this.now;
  }
}

/** Everything around a session under test. */
export interface Rig {
  readonly session: AgentSession;
  readonly provider: ScriptedProvider;
  readonly recorder: MemoryRecorder;
  readonly gate: TestGate;
  readonly log: MemoryLog;
  readonly clock: TestClock;
  readonly events: SessionEvent[];
}

/** What differs from an empty session with no tools. */
export interface RigOptions extends Partial<
  Pick<
    SessionDeps,
    | 'tools'
    | 'model'
    | 'findModel'
    | 'maxRounds'
    | 'maxRetries'
    | 'caps'
    | 'purse'
    | 'changes'
    | 'wait'
    | 'effort'
    | 'autoCompactPercent'
    | 'autoCompactTokens'
    | 'instructions'
    | 'environment'
    | 'skills'
    | 'hooks'
    | 'mayUseMode'
    | 'identity'
    | 'choice'
    | 'router'
  >
> {
  readonly scripts?: readonly Script[];
  /** Tools that come and go. */
  readonly moreTools?: (asked: TurnAsked, signal: AbortSignal) => readonly Tool[] | Promise<readonly Tool[]>;
  readonly additions?: () => Promise<PromptAdditions>;
  readonly mode?: PermissionMode;
  readonly messages?: readonly Message[];
  readonly meta?: SessionMeta;
  /** A session of a store in place of one in memory. */
  readonly open?: OpenSession;
  readonly systemPrompt?: string;
  readonly hook?: Hook;
  /** Judges in place of the {@link TestGate}. */
  readonly realGate?: Gate;
}

/** Starts a session on scripted ports. */
export function rig(options: RigOptions = {}): Rig {
  const hook = options.hook ?? ((): void => undefined);
  const provider = new ScriptedProvider(options.scripts ?? [], { hook: (point) => hook(`provider ${point}`) });
  const recorder = new MemoryRecorder(hook);
  const gate = new TestGate(hook);
  const log = new MemoryLog();
  const clock = new TestClock();
  const times = { createdAt: clock.timestamp(), updatedAt: clock.timestamp() };
  const session = createAgentSession({
    open: options.open ?? {
      session: { id: 'session-1', systemPrompt: options.systemPrompt ?? 'Be good.', messages: options.messages ?? [], ...times },
      meta: options.meta ?? {},
      warnings: [],
      recorder,
    },
    tools: options.tools ?? [],
    gate: options.realGate ?? gate,
    clock,
    log,
    provider,
    model: options.model ?? TEST_MODEL,
    mode: options.mode ?? 'default',
    maxRounds: options.maxRounds ?? 20,
    maxRetries: options.maxRetries ?? 0,
    effort: options.effort ?? 'medium',
    ...(options.findModel === undefined ? {} : { findModel: options.findModel }),
    ...(options.caps === undefined ? {} : { caps: options.caps }),
    ...(options.purse === undefined ? {} : { purse: options.purse }),
    ...(options.changes === undefined ? {} : { changes: options.changes }),
    ...(options.wait === undefined ? {} : { wait: options.wait }),
    ...(options.instructions === undefined ? {} : { instructions: options.instructions }),
    ...(options.environment === undefined ? {} : { environment: options.environment }),
    ...(options.skills === undefined ? {} : { skills: options.skills }),
    ...(options.hooks === undefined ? {} : { hooks: options.hooks }),
    ...(options.identity === undefined ? {} : { identity: options.identity }),
    ...(options.choice === undefined ? {} : { choice: options.choice }),
    ...(options.router === undefined ? {} : { router: options.router }),
    ...(options.mayUseMode === undefined ? {} : { mayUseMode: options.mayUseMode }),
    turnSettings: async (asked, signal) => ({
      moreTools: (await options.moreTools?.(asked, signal)) ?? [],
      additions: (await options.additions?.()) ?? NOTHING_MORE.additions,
    }),
    autoCompactPercent: options.autoCompactPercent ?? 0,
    autoCompactTokens: options.autoCompactTokens ?? 0,
  });
  const events: SessionEvent[] = [];
  session.onEvent((event) => events.push(event));
  return { session, provider, recorder, gate, log, clock, events };
}

/** A message of the person. */
export function user(words: string): Message {
  return { role: 'user', content: [{ type: 'text', text: words }], timestamp: '2026-01-01T00:00:00Z' };
}

/** The states that a call went through. */
export function statesOf(events: readonly SessionEvent[], callId: string): readonly ToolCallState['status'][] {
  return events.flatMap((event) => (event.type === 'tool_call' && event.callId === callId ? [event.state.status] : []));
}

/** The conversation in short, such as `user: hi`, `assistant(tool_use): bash#1`, `result#1!: no`. */
export function outline(messages: readonly Message[]): readonly string[] {
  return messages.map((message) => {
    switch (message.role) {
      case 'user':
        return `user: ${textContent(message)}`;
      case 'assistant': {
        const parts = message.content.map((block) =>
          block.type === 'text' ? block.text : block.type === 'thinking' ? `(${block.thinking})` : `${block.name}#${block.id}`,
        );
        return `assistant(${message.stopReason}): ${parts.join(' ')}`;
      }
      case 'tool_result':
        return `result#${message.toolCallId}${message.isError ? '!' : ''}: ${textContent(message)}`;
    }
  });
}

/** Resolves at the next event that fits. */
function nextEvent(session: AgentSession, fits: (event: SessionEvent) => boolean): Promise<SessionEvent> {
  return new Promise((resolve) => {
    const stop = session.onEvent((event) => {
      if (!fits(event)) return;
      stop();
      resolve(event);
    });
  });
}

/** Resolves when a call waits for its approval. */
export function asked(session: AgentSession, callId: string): Promise<SessionEvent> {
  return nextEvent(session, (event) => event.type === 'tool_call' && event.callId === callId && event.state.status === 'awaiting_approval');
}
