import { present } from '../../domain/present.js';
import { type ChangeRecorder, changesFiles } from '../../domain/workspace/changes.js';
import { text, type ToolCallBlock } from '../../domain/model/content.js';
import { errorMessage, ToolInputError } from '../../domain/errors.js';
import type { Purse } from '../../domain/model/purse.js';
import { t } from '../../domain/l10n.js';
import { denialForModel } from '../../domain/tool/denial.js';
import { withNotesBefore } from '../../domain/tool/model-notes.js';
import type { Failure, RanInstead } from '../../domain/tool/outcome.js';
import type { AskedCall } from '../../domain/tool/asks.js';
import type { Log } from '../../domain/log.js';
import type { Gate, GateRequest, Judgment, PermissionMode } from '../../domain/tool/permission.js';
import type { TurnGrant } from '../../domain/tool/turn-grant.js';
import type { PermissionDenial } from '../../domain/session/session-store.js';
import { isReadOnly, type Plan, type Tool, type ToolContext, type ToolResult } from '../../domain/tool/tool.js';
import { abortable, settledInTime, StillRunningError } from './abort.js';
import { assess } from './assess.js';
import type { Approvals } from './approvals.js';
import { parseArguments, wholeArguments } from './arguments.js';
import { isSameInput, withChange, withWhatRan } from './input-change.js';
import type { EmittedEvent, ToolCallState } from '../events.js';
import { CallHooks } from '../hooks/call-hooks.js';
import type { SessionHooks } from '../hooks/session-hooks.js';
import { findTool } from './find-tool.js';
import { type JudgedPlan, type ApprovalResult, type PermitDeps, isChanged, RememberError, requestApproval } from './permit.js';
import { type ModeChoice, makeUpdates } from './updates.js';
import { paidFor } from '../turn/pay.js';
import { CANCELLED, cancelled, cutShort, failure, notKept, thrown } from './results.js';
import { deniedByAgent, judgedFor } from '../agents/narrow.js';
import type { AgentFile } from '../../domain/config/agent.js';

/** Context that all calls of a turn share. */
export interface CallContext {
  readonly sessionId: string;
  readonly tools: readonly Tool[];
  /** Tools of the session that the agent does not have. Absent: none. */
  readonly withheld?: readonly Tool[];
  /** The agent that works now: it limits what calls may do, also those that are under way. Absent: none. */
  readonly agent?: () => AgentFile | undefined;
  readonly gate: Gate;
  /** Rules that skills and the command of the turn request; later calls can have more of them. */
  readonly grants: readonly TurnGrant[];
  readonly hooks: SessionHooks;
  /** The slash command in whose text the calls are, without its slash; empty where that is not known. Absent: they are a model’s. */
  readonly inCommand?: string;
  /** Ends the turn once the calls that run have ended. */
  readonly stopTurn: (reason: string) => void;
  /** Whether that is to happen: no call begins any more. */
  readonly stopped: () => boolean;
  readonly approvals: Approvals;
  /** Budget for calls that cost something. */
  readonly purse: Purse;
  /** The mode now; the user can change it at any time. */
  readonly mode: () => PermissionMode;
  /** Changes it, as an answer says. */
  readonly modes: ModeChoice;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly emit: (event: EmittedEvent) => void;
  readonly denied: (denial: PermissionDenial) => void;
  /** Records what calls change. Default: nothing is recorded. */
  readonly changes?: ChangeRecorder;
  /** Index of the user's message that the turn answers. */
  readonly messageIndex: number;
}

/** A call that was planned and judged, nothing done yet. */
export type PlannedCall = JudgedPlan;

/** A call that came to its end before anything was done. */
export interface EndedCall {
  readonly state: ToolCallState;
  readonly result: ToolResult;
}

/** The tool of a call, and its arguments, not checked yet. */
interface Resolved {
  readonly tool: Tool;
  readonly args: unknown;
}

/** State machine of one tool call. */
export class ToolCall {
  /** Present when the call is over. */
  result: ToolResult | undefined;
  /** Whether the call ran and changed nothing. */
  readOnly = false;
  private readonly hooks: CallHooks;
  /** Number of prompts shown so far. */
  private prompts = 0;
  /** The permission decision behind the last prompt. */
  private lastAsked: Extract<Judgment, { type: 'ask' }> | undefined;
  /** Prompt that was shown early, before the call's turn, with its pending answer; without one, the call has ended. */
  private asked: { readonly planned: PlannedCall; readonly permit: Promise<ApprovalResult | undefined> } | undefined;

  constructor(
    readonly block: ToolCallBlock,
    private readonly context: CallContext,
  ) {
    this.hooks = new CallHooks({ ...context, callId: block.id });
    this.emit({ status: 'pending' });
  }

  /** Parses, plans and judges; touches nothing and changes no state, so it can be done again later. Never throws. */
  prepare(): Promise<PlannedCall | EndedCall> {
    return this.preparedFrom(() => this.resolve());
  }

  private async preparedFrom(resolve: () => Resolved): Promise<PlannedCall | EndedCall> {
    try {
      this.context.signal.throwIfAborted();
      if (this.context.stopped()) throw new ToolInputError('Not run: a hook ended the turn before it.');
      const { tool, args } = resolve();
      return await this.judge(tool, await this.hooked(tool, await this.plan(tool, args)));
    } catch (error) {
      return this.failed(error, undefined);
    }
  }

  /**
   * Takes a prepared call to its end: asks when needed, runs it when allowed. Never throws.
   * @param original what was asked for, where the call is what the user made of that
   */
  async finish(prepared: PlannedCall | EndedCall, original?: Plan): Promise<void> {
    this.end('judgment' in prepared ? await this.permitAndRun(prepared, original) : prepared);
  }

  /** Whether the user was asked about the call before its turn. */
  get isAsked(): boolean {
    return this.asked !== undefined;
  }

  /** Asks about a prepared call before its turn. One that is denied ends at once. */
  askAhead(planned: PlannedCall): void {
    this.asked = { planned, permit: this.approvalAhead(planned) };
  }

  /**
   * Takes a call that was asked about before its turn to its end. It runs as it was shown; when it would do something else by now, the user is asked again.
   * Never throws.
   */
  async finishAsked(): Promise<void> {
    const { asked } = this;
    const permit = await asked?.permit;
    if (asked === undefined || permit?.allowed !== true || this.result !== undefined) return;
    const { planned } = asked;
    // A text of the user's belongs to the call as it was asked for; with other arguments it is another call, which is judged on its own.
    const other = isSameInput(planned.plan, permit.plan) ? undefined : permit.plan;
    const now = await (other === undefined ? this.prepare() : this.preparedFrom(() => ({ tool: planned.tool, args: other.args })));
    const shown = other === undefined ? planned : { ...planned, plan: other, judgment: this.lastAsked ?? planned.judgment };
    if ('judgment' in now && isAsShown(shown, now)) this.end(await this.runPermitted(planned, permit));
    else await this.finish(now, other === undefined ? undefined : planned.plan);
  }

  private async approvalAhead(planned: PlannedCall): Promise<ApprovalResult | undefined> {
    try {
      const permit = await requestApproval(planned, this.permitDeps(planned));
      if (permit.allowed) this.emit({ status: 'pending' });
      else this.end(this.denied(permit));
      return permit;
    } catch (error) {
      this.end(this.failed(error, planned.plan));
      return undefined;
    }
  }

  private end({ state, result }: EndedCall): void {
    this.result = result;
    this.readOnly = state.status === 'done' && isReadOnly(state.plan);
    this.emit(state);
  }

  private async runPermitted(planned: PlannedCall, permit: Extract<ApprovalResult, { allowed: true }>): Promise<EndedCall> {
    try {
      return await this.execute(planned, permit);
    } catch (error) {
      const ended = this.failed(error, permit.plan);
      const ran = this.ranInstead(permit);
      return ran === undefined ? ended : { ...ended, result: withWhatRan(ended.result, ran) };
    }
  }

  private async permitAndRun(planned: PlannedCall, original?: Plan): Promise<EndedCall> {
    try {
      const permit = await requestApproval(planned, this.permitDeps(planned), original);
      return permit.allowed ? await this.runPermitted(planned, permit) : this.denied(permit);
    } catch (error) {
      return this.failed(error, planned.plan);
    }
  }

  /** The call as its model made it. */
  private asMade(): AskedCall {
    const { name, arguments: raw } = this.block;
    const read = parseArguments(raw);
    return { name, input: read.ok ? read.value : (read.bare ?? raw) };
  }

  private resolve(): Resolved {
    const { name, arguments: raw } = this.block;
    const tool = findTool(this.context.tools, name);
    if (tool === undefined) {
      const names = this.context.tools
        .filter(({ spec }) => spec.deferral !== 'deferred')
        .map(({ spec }) => spec.name)
        .join(', ');
      throw new ToolInputError(this.withoutTool(name), { detail: names });
    }
    const args = parseArguments(raw);
    if (args.ok) return { tool, args: args.value };
    if (args.bare !== undefined) return { tool, args: args.bare };
    throw new ToolInputError({ kind: 'invalid_arguments', tool: name, wrong: 'json' }, { detail: args.problem });
  }

  /** Why there is no tool of a name. */
  private withoutTool(name: string): Failure {
    const [agent, { withheld = [] }] = [this.context.agent?.(), this.context];
    if (agent === undefined || findTool(withheld, name) === undefined) return { kind: 'unknown_tool', tool: name };
    return { kind: 'agent_lacks_tool', agent: agent.name };
  }

  private plan(tool: Tool, args: unknown): Promise<Plan> {
    return abortable(
      tool.plan(
        args,
        this.toolContext(() => undefined),
      ),
      this.context.signal,
    );
  }

  /** The plan as hooks leave it. Every plan passes them before it is judged. */
  private hooked(tool: Tool, plan: Plan): Promise<Plan> {
    return abortable(
      this.hooks.before(plan, (args) => this.plan(tool, wholeArguments(tool, plan, args))),
      this.context.signal,
    );
  }

  /** Judges a plan; its files are opened only where reading them needs no question. */
  private async judge(tool: Tool, plan: Plan): Promise<PlannedCall> {
    const judged = await this.assessed(tool, plan);
    return judged.opens === true && judged.judgment.type === 'allow' ? this.open(tool, plan) : judged;
  }

  /** Decides on permission for a plan as it is. */
  private async assessed(tool: Tool, plan: Plan): Promise<PlannedCall> {
    const mode = this.context.mode();
    const [agent, { gate, signal }] = [this.context.agent?.(), this.context];
    const denial = deniedByAgent(plan.tool, agent) ?? this.hooks.verdictOf(plan).denial;
    if (denial !== undefined) return { tool, plan, judgment: { type: 'deny', denial }, mode };
    const { judgment, next } = await assess(plan, (part) => abortable(gate.judge(this.gateRequest(part, mode, plan), signal), signal));
    return { tool, plan, judgment: judgedFor(agent, judgment), mode, ...(next === 'open' ? { opens: true } : {}) };
  }

  /** Judges what a prompt shows again: nothing is opened for it, and hooks run only where others apply by now. */
  private async recheck(tool: Tool, plan: Plan): Promise<PlannedCall> {
    const now = await abortable(
      this.hooks.again(plan, (args) => this.plan(tool, wholeArguments(tool, plan, args))),
      this.context.signal,
    );
    return now === plan ? this.assessed(tool, plan) : this.judge(tool, now);
  }

  private async open(tool: Tool, plan: Plan): Promise<PlannedCall> {
    if (tool.open === undefined) throw new TypeError(`The tool ${tool.spec.name} cannot open its plan.`);
    const opened = await abortable(
      tool.open(
        plan,
        this.toolContext(() => undefined),
      ),
      this.context.signal,
    );
    return this.judge(tool, this.hooks.sameVerdict(plan, opened));
  }

  /** @param whole the plan that it is a part of: what hooks said of that is not about a part. */
  private gateRequest(plan: Plan, mode: PermissionMode, whole = plan): GateRequest {
    const { opinion } = plan === whole ? this.hooks.verdictOf(plan) : {};
    const { sessionId, grants } = this.context;
    return { sessionId, callId: this.block.id, mode, plan, ...(grants.length === 0 ? {} : { grants: [...grants] }), ...present({ hook: opinion }) };
  }

  /** Callbacks of the permission request of a call: judging its plan, asking the user, and judging it again. */
  private permitDeps({ tool }: PlannedCall): PermitDeps {
    const { approvals, gate, signal, modes } = this.context;
    const callId = this.block.id;
    return {
      judge: (plan) => this.judge(tool, plan),
      recheck: ({ plan }) => this.recheck(tool, plan),
      open: (plan) => this.open(tool, plan),
      answered: () => this.emit({ status: 'pending' }),
      ask: ({ plan, judgment, changed, problem, deciding }, withdrawn) => {
        this.prompts += 1;
        const revision = this.prompts;
        const { rewrittenBy } = this.hooks.verdictOf(plan);
        const marks = { ...(changed ? { changed: true as const } : {}), ...present({ problem, rewrittenBy, deciding }) };
        // Opened before the event is sent: a program that gets the event may answer at once.
        const answer = approvals.ask({ callId, revision }, AbortSignal.any([signal, withdrawn]));
        this.lastAsked = judgment;
        this.emit({ status: 'awaiting_approval', call: this.asMade(), plan, judgment, revision, ...marks });
        return answer;
      },
      hooks: (plan, named, answered) => abortable(this.hooks.permission(plan, named, answered), signal),
      amend: async (plan, amendment) => {
        if (amendment.type === 'input') return this.hooked(tool, await this.plan(tool, amendment.input));
        if (tool.amend === undefined) throw new ToolInputError(t('{0} calls cannot be edited.', this.block.name));
        const changed = tool.amend(
          plan,
          amendment,
          this.toolContext(() => undefined),
        );
        return this.hooked(tool, await abortable(changed, signal));
      },
      isRewritten: (plan) => this.hooks.verdictOf(plan).rewrittenBy !== undefined,
      remember: ({ plan, mode: judgedIn }, { rules, scope }) =>
        gate.remember(this.gateRequest(plan, judgedIn), rules, scope).catch((error: unknown) => {
          throw new RememberError(errorMessage(error));
        }),
      update: ({ plan, mode: judgedIn }, updates) => makeUpdates(updates, { gate, request: this.gateRequest(plan, judgedIn), modes }),
    };
  }

  private denied({ plan, denial }: Extract<ApprovalResult, { allowed: false }>): EndedCall {
    const reason = denial.kind === 'user' ? (denial.said ?? t('You denied it.')) : denialForModel(denial);
    this.context.denied({ toolName: plan.tool, toolCallId: this.block.id, reason, toolInput: plan.args });
    return { state: { status: 'denied', plan, denial }, result: failure({ kind: 'denied', denial }) };
  }

  private async execute(
    { tool }: PlannedCall,
    { plan, why, readsOnly, confined, changedFrom }: Extract<ApprovalResult, { allowed: true }>,
  ): Promise<EndedCall> {
    const { signal, emit, purse } = this.context;
    signal.throwIfAborted();
    this.emit({ status: 'running', plan, why });
    const output = (chunk: string): void => {
      if (this.result === undefined) emit({ type: 'tool_output', callId: this.block.id, chunk });
    };
    const context = { ...this.toolContext(output), ...present({ confined }) };
    const run = (): Promise<ToolResult> => paidFor(plan, { purse, signal }, () => settledInTime(tool.execute(plan, context), signal));
    const ran = await (readsOnly === true ? run() : this.recorded(plan, run));
    const marked = changedFrom !== undefined ? withChange(changedFrom, plan, ran) : this.withRewriting(plan, ran);
    const result = await this.hooks.after(plan, marked);
    if (!result.isError) return { state: { status: 'done', plan, result }, result };
    if (!signal.aborted) return { state: { status: 'failed', plan, result }, result };
    return { state: { status: 'cancelled', plan }, result: cutShort(result) };
  }

  /** What runs, where it is not what the model asked for. */
  private ranInstead({ plan, changedFrom }: Extract<ApprovalResult, { allowed: true }>): RanInstead | undefined {
    if (changedFrom !== undefined) return { subject: plan.subject, by: 'user' };
    return this.hooks.verdictOf(plan).rewrittenBy === undefined ? undefined : { subject: plan.subject, by: 'hook' };
  }

  /** Tells the model what ran where a hook has changed the call. */
  private withRewriting(plan: Plan, result: ToolResult): ToolResult {
    const { rewrittenBy } = this.hooks.verdictOf(plan);
    if (rewrittenBy === undefined) return result;
    const told = withNotesBefore(result, [text(`The hook ${rewrittenBy} changed this call before it ran. What ran: ${plan.subject}\n\n`)]);
    return withWhatRan(told, { subject: plan.subject, by: 'hook' });
  }

  /** Runs a call with its changes recorded, where it can make any. */
  private async recorded(plan: Plan, run: () => Promise<ToolResult>): Promise<ToolResult> {
    const { changes, sessionId, messageIndex, signal } = this.context;
    if (changes === undefined || !changesFiles(plan)) return run();
    const beginning = changes.begin({ sessionId, callId: this.block.id, messageIndex, plan });
    // A file system that does not answer must not block stopping; a record that begins late is ended then.
    const record = await abortable(beginning, signal).catch((error: unknown) => {
      if (signal.aborted) this.endLate(beginning);
      throw error;
    });
    let failed = true;
    try {
      signal.throwIfAborted();
      const result = record.lost === true && plan.changes.some(({ action }) => action === 'delete') ? notKept(plan.subject) : await run();
      failed = result.isError;
      return result;
    } finally {
      await settledInTime(record.end({ failed }), signal);
    }
  }

  private endLate(beginning: ReturnType<ChangeRecorder['begin']>): void {
    // What is in its files then is of others: it has not run.
    beginning.then((record) => record.end({ failed: true })).catch((error: unknown) => this.context.log.error('Changes could not be recorded', error));
  }

  private failed(error: unknown, plan: Plan | undefined): EndedCall {
    const planned = plan === undefined ? {} : { plan };
    if (this.context.signal.aborted) {
      const result = error instanceof StillRunningError ? cancelled(error.message) : CANCELLED;
      return { state: { status: 'cancelled', ...planned }, result };
    }
    if (!(error instanceof ToolInputError)) this.context.log.error(`The tool ${this.block.name} failed`, error);
    const result = thrown(error, this.block.name);
    return { state: { status: 'failed', ...planned, result }, result };
  }

  private toolContext(output: (chunk: string) => void): ToolContext {
    return { signal: this.context.signal, sessionId: this.context.sessionId, callId: this.block.id, output };
  }

  private emit(state: ToolCallState): void {
    this.context.emit({ type: 'tool_call', callId: this.block.id, state });
  }
}

/** Whether an edit is still the one that the user saw, with nothing more to be said against it. */
function isAsShown({ plan, judgment: shown }: PlannedCall, { plan: fresh, judgment }: PlannedCall): boolean {
  const same = plan.preview.kind === 'diff' && fresh.preview.kind === 'diff' && plan.preview.diff === fresh.preview.diff && !isChanged(plan, fresh);
  if (!same || judgment.type === 'deny') return false;
  return judgment.type === 'allow' || (shown.type === 'ask' && judgment.strict !== true && judgment.reasons.join() === shown.reasons.join());
}
