import { present } from '../../domain/present.js';
import { type ToolResultContent, text } from '../../domain/model/content.js';
import { errorMessage, ToolInputError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { HookEvent } from '../../domain/hook/event.js';
import type { HookOutcome } from '../../domain/hook/outcome.js';
import type { JudgedDenial } from '../../domain/tool/denial.js';
import type { HookOpinion } from '../../domain/tool/permission.js';
import type { Plan, ToolResult } from '../../domain/tool/tool.js';
import type { SessionHooks } from './session-hooks.js';

/** Decision of hooks on a planned call, before permission is decided. */
export interface HookVerdict {
  /** Why it does not run. */
  readonly denial?: JudgedDenial;
  readonly opinion?: HookOpinion;
  /** Display name of the hook that changed the call. */
  readonly rewrittenBy?: string;
}

/** The hooks of the session, and the tool call whose signal and turn they can stop. */
interface CallHooksDeps {
  readonly hooks: SessionHooks;
  readonly callId: string;
  /** As {@link CallContext.inCommand}. */
  readonly inCommand?: string;
  readonly signal: AbortSignal;
  /** Ends the turn once the calls that run have ended. */
  readonly stopTurn: (reason: string) => void;
}

/** The hooks of one tool call. What is judged, shown, and run is the call as they left it. */
export class CallHooks {
  /** Cached outcomes for each set of arguments at an event, by their JSON and the hooks that apply: a call is planned several times, and hooks run once. */
  private readonly outcomes = new Map<string, Promise<HookOutcome>>();
  private readonly verdicts = new WeakMap<Plan, HookVerdict>();
  /** Comparison keys of the hooks that applied to a plan when they ran. */
  private readonly applied = new WeakMap<Plan, string>();

  constructor(private readonly deps: CallHooksDeps) {}

  /**
   * Runs the hooks for a plan, and returns the plan that stands then: another one where a hook has changed the arguments.
   * @param replan plans other arguments; throws ToolInputError for such as cannot work
   */
  async before(plan: Plan, replan: (args: unknown) => Promise<Plan>): Promise<Plan> {
    const applying = await this.applying(plan);
    const left = await this.leftBy(plan, { applying, replan });
    this.applied.set(left, left === plan ? applying : await this.applying(left));
    return left;
  }

  /** The same for a plan that hooks have seen: they run again only where others apply by now, such as one that the user has approved since. */
  async again(plan: Plan, replan: (args: unknown) => Promise<Plan>): Promise<Plan> {
    return (await this.applying(plan)) === this.applied.get(plan) ? plan : this.before(plan, replan);
  }

  private async leftBy(plan: Plan, { applying, replan }: { readonly applying: string; readonly replan: (args: unknown) => Promise<Plan> }): Promise<Plan> {
    const guarded = await this.guardedInCommand(plan, applying);
    if (guarded !== undefined) return this.noted(plan, { denial: guarded });
    const outcome = await this.outcomeOf(plan, { hook_event_name: 'PreToolUse', ...this.fieldsOf(plan) }, applying);
    const blocked = denialOf(outcome);
    if (blocked !== undefined) return this.noted(plan, { denial: blocked });
    const opinion = opinionOf(outcome);
    const { rewritten } = outcome;
    if (rewritten === undefined) return this.noted(plan, opinion === undefined ? {} : { opinion });
    try {
      const changed = await replan(rewritten.input);
      return this.noted(changed, { rewrittenBy: rewritten.by, ...present({ opinion }) });
    } catch (error) {
      if (!(error instanceof ToolInputError)) throw error;
      const reason = t('It changed the arguments to some that cannot work: {0}', errorMessage(error));
      return this.noted(plan, { denial: { kind: 'hook', by: rewritten.by, reason, answered: false } });
    }
  }

  /** Decision on a plan that {@link before} has returned. */
  verdictOf(plan: Plan): HookVerdict {
    return this.verdicts.get(plan) ?? {};
  }

  /** Keeps what was said of a plan for the same call with its files opened, and returns that. */
  sameVerdict(plan: Plan, opened: Plan): Plan {
    const applied = this.applied.get(plan);
    if (applied !== undefined) this.applied.set(opened, applied);
    return this.noted(opened, this.verdictOf(plan));
  }

  /** Runs `PermissionRequest` hooks, which can answer in place of the user, see {@link PermitDeps.hooks}. */
  async permission(plan: Plan, named: (names: string) => void, answered: AbortSignal): Promise<HookVerdict> {
    const signal = AbortSignal.any([this.deps.signal, answered]);
    const outcome = await this.run({ hook_event_name: 'PermissionRequest', ...this.fieldsOf(plan) }, signal, named);
    const denial = denialOf(outcome);
    const opinion = opinionOf(outcome);
    return present({ denial, opinion });
  }

  /** Runs the hooks for a call that has run. Returns its result with what they have to say to the model. */
  async after(plan: Plan, result: ToolResult): Promise<ToolResult> {
    if (this.deps.signal.aborted) return result;
    const words = textOf(result.content);
    const fields = this.fieldsOf(plan);
    const outcome = await this.run(
      result.isError ? { hook_event_name: 'PostToolUseFailure', ...fields, error: words } : { hook_event_name: 'PostToolUse', ...fields, tool_response: words },
    );
    return { ...result, content: [...result.content, ...outcome.context.map(({ by, text: about }) => text(`\n\n[Output of the hook ${by}]\n${about}`))] };
  }

  /**
   * Why a command line in the text of a slash command does not run. Its hooks cannot let it run without a question: what asks, or wants
   * another line, stops it (`PreSkillShellCommand` of Claude Code 2.1.331).
   */
  private async guardedInCommand(plan: Plan, applying: string): Promise<JudgedDenial | undefined> {
    const { inCommand } = this.deps;
    if (inCommand === undefined) return undefined;
    const of = { command_name: inCommand, invoked_by: 'user' } as const;
    const outcome = await this.outcomeOf(plan, { hook_event_name: 'PreSkillShellCommand', ...of, ...this.fieldsOf(plan) }, applying);
    const { ask, rewritten } = outcome;
    if (ask !== undefined) return { kind: 'hook', by: ask.by, reason: ask.reason, answered: true };
    if (rewritten !== undefined) {
      const reason = t('It changed the command line. One in the text of a command runs as it is written, or not at all.');
      return { kind: 'hook', by: rewritten.by, reason, answered: true };
    }
    return denialOf(outcome);
  }

  private outcomeOf(plan: Plan, event: HookEvent, applying: string): Promise<HookOutcome> {
    const key = JSON.stringify([event.hook_event_name, plan.args, applying]);
    const outcome = this.outcomes.get(key) ?? this.run(event);
    this.outcomes.set(key, outcome);
    return outcome;
  }

  private applying(plan: Plan): Promise<string> {
    return this.deps.hooks.applying(this.eventOf(plan));
  }

  private eventOf(plan: Plan): HookEvent {
    return { hook_event_name: 'PreToolUse', ...this.fieldsOf(plan) };
  }

  /** Hooks that were stopped with the turn block; the call itself then notices that it was stopped. */
  private async run(event: HookEvent, signal = this.deps.signal, named?: (names: string) => void): Promise<HookOutcome> {
    const { hooks, callId, stopTurn } = this.deps;
    const outcome = await hooks.run(event, signal, callId, named);
    if (outcome.stop !== undefined) stopTurn(t('The hook {0} stopped the turn: {1}', outcome.stop.by, outcome.stop.reason));
    return outcome;
  }

  private fieldsOf({
    tool,
    args,
    foreign,
  }: Plan): Pick<Extract<HookEvent, { readonly tool_name: string }>, 'tool_name' | 'tool_input' | 'tool_use_id' | 'of_server'> {
    return { tool_name: tool, tool_input: args, tool_use_id: this.deps.callId, ...present({ of_server: foreign?.named }) };
  }

  private noted(plan: Plan, verdict: HookVerdict): Plan {
    this.verdicts.set(plan, verdict);
    return plan;
  }
}

function denialOf({ block, stop }: HookOutcome): JudgedDenial | undefined {
  if (block !== undefined) return { kind: 'hook', by: block.by, reason: block.reason, answered: block.kind === 'denied' };
  return stop === undefined ? undefined : { kind: 'hook', by: stop.by, reason: stop.reason, answered: true };
}

/** Two hooks that change a call in different ways are for the user to decide. */
function opinionOf({ ask, allow, rewritten }: HookOutcome): HookOpinion | undefined {
  if (ask !== undefined) return { type: 'ask', ...ask };
  const [other] = rewritten?.conflicts ?? [];
  if (rewritten !== undefined && other !== undefined)
    return { type: 'ask', by: rewritten.by, reason: t('It and the hook {0} change this call in different ways. This is how the first changed it.', other) };
  return allow === undefined ? undefined : { type: 'allow', ...allow };
}

function textOf(content: readonly ToolResultContent[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '[image]')).join('');
}
