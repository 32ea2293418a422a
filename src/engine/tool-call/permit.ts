import { present } from '../../domain/present.js';
import { isDeepStrictEqual } from 'node:util';
import { errorMessage, ToolInputError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { denialWords } from '../../domain/tool/denial.js';
import type { HookVerdict } from '../hooks/call-hooks.js';
import type { Denial } from '../../domain/tool/denial.js';
import type { ApprovalAnswer, Judgment, PermissionMode, PermissionUpdate } from '../../domain/tool/permission.js';
import type { Confinement } from '../../domain/workspace/sandbox.js';
import { type FileChange, pathsOfChange } from '../../domain/workspace/documents.js';
import type { Amendment, InputAmendment, Plan, TextAmendment, Tool } from '../../domain/tool/tool.js';
import { changedFields, isSameInput } from './input-change.js';
import { whyAllowed } from './permit-labels.js';

type Ask = Extract<Judgment, { type: 'ask' }>;

/** A plan and what permission says of it. */
export interface JudgedPlan {
  readonly tool: Tool;
  readonly plan: Plan;
  readonly judgment: Judgment;
  /** The mode that it was judged in. */
  readonly mode: PermissionMode;
  /** Present when the judgment is about reading what the plan needs to be settled. */
  readonly opens?: true;
}

/** Callbacks of a call that the permission request uses. */
export interface PermitDeps {
  /** Judges a plan, with its files opened where they may be read. */
  readonly judge: (plan: Plan) => Promise<JudgedPlan>;
  /** Judges again what a prompt shows, nothing opened. */
  readonly recheck: (shown: JudgedPlan) => Promise<JudgedPlan>;
  /** Opens the files of a plan, as the user has allowed, and judges what it turns out to be. */
  readonly open: (plan: Plan) => Promise<JudgedPlan>;
  /** Shows a prompt and waits for its answer, until the signal withdraws it: then it throws AbortError. */
  readonly ask: (prompt: Prompt, withdrawn: AbortSignal) => Promise<ApprovalAnswer>;
  /** Says that the user has answered, and nothing is asked any more. */
  readonly answered: () => void;
  /**
   * Runs hooks that can answer in place of the user.
   * @param named takes their names, with commas between them, where there are any
   * @param answered is aborted when it is decided without them
   */
  readonly hooks: (plan: Plan, named: (names: string) => void, answered: AbortSignal) => Promise<HookVerdict>;
  /** Plans the call as the user changed it, and as hooks leave that. */
  readonly amend: (plan: Plan, amendment: Amendment) => Promise<Plan>;
  /** Whether a hook has made a plan of another one, so that it is not what the user gave. */
  readonly isRewritten: (plan: Plan) => boolean;
  readonly remember: (judged: JudgedPlan, answer: Extract<ApprovalAnswer, { type: 'always' }>) => Promise<void>;
  /** Changes rules and the mode, as an answer says. */
  readonly update: (judged: JudgedPlan, updates: readonly PermissionUpdate[]) => Promise<void>;
}

/** Content of a permission prompt. */
export interface Prompt {
  readonly plan: Plan;
  readonly judgment: Ask;
  /** Whether the user has changed the call before. */
  readonly changed: boolean;
  /** Why the last answer could not be followed. */
  readonly problem: string | undefined;
  /** Names of hooks that decide at the same time; absent: none does. */
  readonly deciding?: string;
}

/** Result of the permission check. `why` is for the user; `changedFrom` is what was asked for, where the user has changed the call. */
export type ApprovalResult =
  | {
      readonly allowed: true;
      readonly plan: Plan;
      readonly why: string;
      readonly readsOnly?: boolean;
      readonly confined?: Confinement;
      readonly changedFrom?: Plan;
    }
  | { readonly allowed: false; readonly plan: Plan; readonly denial: Denial };

/**
 * Takes a judged plan to an answer, asking the user as often as needed. What runs in the end is exactly what was judged last, and either
 * shown or given by the user: a change of theirs is judged again, and asked about again where that has new reasons.
 * @param original what was asked for, where the first plan is what the user made of that
 */
export async function requestApproval(first: JudgedPlan, deps: PermitDeps, original = first.plan): Promise<ApprovalResult> {
  let askedFor = original;
  let asked = first;
  let judged = first;
  let problem: string | undefined;
  let undecided = false;
  for (;;) {
    const changed = isChanged(askedFor, judged.plan);
    const hooksFirstMs = undecided ? 0 : judged === asked ? HOOKS_FIRST_MS : undefined;
    const step = await nextStep(judged, { changed, problem, ...present({ hooksFirstMs }) }, deps);
    undecided = step.undecided === true;
    const { permit } = step;
    if (permit?.allowed === true && step.judged.opens === true) {
      // What is asked about from here on is the call with its files opened.
      asked = judged = await deps.open(permit.plan);
      if (!isChanged(askedFor, permit.plan)) askedFor = judged.plan;
      problem = undefined;
      continue;
    }
    if (permit !== undefined)
      return permit.allowed && step.replaced !== true && isChanged(askedFor, permit.plan) ? { ...permit, changedFrom: askedFor } : permit;
    judged = step.judged;
    if (step.replaced === true) {
      asked = judged;
      askedFor = judged.plan;
    }
    problem = step.problem;
  }
}

/** Where a judged plan stands: whether the user has changed it, and why they are asked again. */
interface Stand {
  readonly changed: boolean;
  readonly problem: string | undefined;
  /** Milliseconds that hooks have for a decision before the user is asked at the same time; absent: they have decided. */
  readonly hooksFirstMs?: number;
}

async function nextStep(judged: JudgedPlan, { changed, problem, hooksFirstMs }: Stand, deps: PermitDeps): Promise<Step> {
  const { plan, judgment } = judged;
  if (judgment.type !== 'ask') return { judged, permit: settled(plan, judgment) };
  const prompt = { plan, judgment, changed, problem };
  const asked: ShownPlan = { ...judged, judgment, changed };
  if (hooksFirstMs !== undefined) return besideHooks(asked, { prompt, hooksFirstMs }, deps);
  return afterAnswer(await deps.ask(prompt, NEVER), asked, deps);
}

const NEVER = new AbortController().signal;
/** Milliseconds that hooks have for themselves about a call. */
const HOOKS_FIRST_MS = 3_000;

/**
 * Asks hooks, and the user where these do not decide, or take their time: then a denial of either counts at once, and what the user allows runs once
 * no hook denies it.
 */
async function besideHooks(
  asked: ShownPlan,
  { prompt, hooksFirstMs }: { readonly prompt: Prompt; readonly hooksFirstMs: number },
  deps: PermitDeps,
): Promise<Step> {
  let deciding = '';
  const [decided, withdrawn] = [new AbortController(), new AbortController()];
  const verdict = deps.hooks(asked.plan, (names) => (deciding = names), decided.signal);
  const byHooks = verdict.then((said) => ({ said }));
  const early = await within(hooksFirstMs, byHooks);
  if (early !== undefined) return (await decidedByHooks(asked, early.said, deps)) ?? afterAnswer(await deps.ask(prompt, NEVER), asked, deps);
  const byUser = deps.ask({ ...prompt, ...(deciding === '' ? {} : { deciding }) }, withdrawn.signal).then((answer) => ({ answer }));
  const first = await Promise.race([byHooks, byUser]);
  if ('said' in first) {
    const ended = await decidedByHooks(asked, first.said, deps);
    if (ended === undefined) return afterAnswer((await byUser).answer, asked, deps);
    withdrawn.abort();
    return ended;
  }
  const { answer } = first;
  deps.answered();
  if (answer.type === 'deny' || answer.type === 'revise') {
    // What they say of the call as it was counts no more; of what the user has made of it, they are asked anew.
    decided.abort();
    return { ...(await afterAnswer(answer, asked, deps)), undecided: true };
  }
  const { denial } = await verdict;
  if (denial !== undefined) return { judged: asked, permit: settled(asked.plan, { type: 'deny', denial }) };
  return afterAnswer(answer, asked, deps);
}

/** What some work comes to; `undefined` where that takes longer. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, ms, undefined)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function afterAnswer(answer: ApprovalAnswer, asked: ShownPlan, deps: PermitDeps): Promise<Step> {
  if (answer.type === 'deny') return { judged: asked, permit: deniedByUser(asked.plan, answer.feedback) };
  return follow(answer, asked, deps);
}

/**
 * What hooks decide in place of the user; `undefined` where that is for the user. An allow does not count against a safety check, a rule that asks, or the
 * mode that always asks, also where these have come while the hooks ran.
 */
async function decidedByHooks(asked: ShownPlan, { denial, opinion }: HookVerdict, deps: PermitDeps): Promise<Step | undefined> {
  const { plan } = asked;
  if (denial !== undefined) return { judged: asked, permit: settled(plan, { type: 'deny', denial }) };
  if (opinion?.type !== 'allow' || isForUser(asked)) return undefined;
  const now = await deps.recheck(asked);
  if (now.judgment.type === 'deny') return { judged: now, permit: settled(now.plan, now.judgment) };
  if (now.plan !== plan || isForUser(now)) return undefined;
  return { judged: asked, permit: permitted(plan, t('The hook {0} allows it.', opinion.by), now.judgment.confined) };
}

/** Whether only the user can allow a call. */
function isForUser({ judgment, mode }: JudgedPlan): boolean {
  return mode === 'ask' || (judgment.type === 'ask' && judgment.strict === true);
}

/** Whether a call would do something else than the one that was asked for. */
export function isChanged(asked: Plan, plan: Plan): boolean {
  if (plan === asked) return false;
  const effects = ({ changes }: Plan): string => JSON.stringify(changes.map(effectOf));
  return effects(plan) !== effects(asked) || !isSameInput(asked, plan);
}

/** Comparison key of a change: the resulting content and path, whatever was there before. */
function effectOf(change: FileChange): readonly unknown[] {
  return [...pathsOfChange(change), change.action === 'delete' ? null : change.text];
}

/** A plan as a prompt shows it. */
interface ShownPlan extends JudgedPlan {
  readonly judgment: Ask;
  /** Whether the user has changed it before. */
  readonly changed: boolean;
}

/** An answer that lets a call run as it was shown. */
type Allowance = Extract<ApprovalAnswer, { type: 'allow' | 'always' }>;

/** Result of an answer: the end, or another prompt. */
interface Step {
  readonly permit?: ApprovalResult;
  readonly judged: JudgedPlan;
  readonly problem?: string;
  /** Whether a hook has made another call of it, and not the user. */
  readonly replaced?: boolean;
  /** Whether hooks have not decided about it yet. */
  readonly undecided?: boolean;
}

async function follow(answer: Exclude<ApprovalAnswer, { type: 'deny' }>, judged: ShownPlan, deps: PermitDeps): Promise<Step> {
  try {
    if (answer.type === 'revise') return await followRevision(answer.amendment, judged, deps);
    if (answer.type === 'always') return await followAllowance(answer, judged, deps);
    const { amendment, updates = [] } = answer;
    const step = await (amendment === undefined ? followAllowance(answer, judged, deps) : followChange(amendment, judged, deps));
    return step.permit?.allowed === true && updates.length > 0 ? await updated(step, updates, deps) : step;
  } catch (error) {
    if (!(error instanceof RememberError) && !(error instanceof ToolInputError)) throw error;
    return { judged, problem: errorMessage(error) };
  }
}

async function followAllowance(answer: Allowance, judged: ShownPlan, deps: PermitDeps): Promise<Step> {
  // Rules, the mode, trust, and approvals may have changed while the prompt was open.
  const now = await deps.recheck(judged);
  if (now.judgment.type === 'deny') return { judged: now, permit: settled(now.plan, now.judgment) };
  const replaced = now.plan !== judged.plan;
  if (replaced || hasNewReasons(now.judgment, judged.judgment)) return appliesOtherwise(now, replaced);
  if (answer.type === 'always') {
    if (!areOffered(answer.rules, judged.judgment)) return offerAgain(judged, answer.rules);
    await deps.remember(judged, answer);
  }
  return { judged, permit: permitted(judged.plan, whyAllowed(answer, judged.changed, judged.judgment.uses), now.judgment.confined) };
}

/** Asks about a call for which other rules or hooks apply than when the user was asked. @param replaced whether hooks have made another call of it */
function appliesOtherwise(now: JudgedPlan, replaced: boolean): Step {
  return { judged: now, problem: t('What applies to this call has changed since you were asked.'), replaced };
}

/** Changes what the answer says. A call that may not run any more by that is denied. */
async function updated(step: Step, updates: readonly PermissionUpdate[], deps: PermitDeps): Promise<Step> {
  await deps.update(step.judged, updates);
  const now = await deps.recheck(step.judged);
  if (now.judgment.type === 'deny') return { judged: now, permit: settled(now.plan, now.judgment) };
  return now.plan === step.judged.plan ? step : appliesOtherwise(now, true);
}

/** Rules that were not kept, or another change of an answer that cannot be made. The prompt stays open, with the reason. */
export class RememberError extends Error {
  override readonly name = 'RememberError';
}

/** Shows the call as the user changed it. What may not run is not shown: the prompt stays as it was and says why. */
async function followRevision(amendment: Amendment, shown: ShownPlan, deps: PermitDeps): Promise<Step> {
  const judged = await deps.judge(await deps.amend(shown.plan, amendment));
  const { judgment } = judged;
  if (judgment.type === 'deny') return { judged: shown, problem: t('Your change was not applied. {0}', denialWords(judgment.denial)) };
  return { judged: judgment.type === 'ask' ? judged : { ...judged, judgment: { type: 'ask', reasons: [t('You changed it.')] } } };
}

/**
 * Shows the user's edited text in the prompt as it was read and judged, to be allowed there: until then only the page has
 * said what they want. What needs no permission runs.
 */
async function followText(amendment: TextAmendment, shown: ShownPlan, deps: PermitDeps): Promise<Step> {
  const judged = await deps.judge(await deps.amend(shown.plan, amendment));
  const { plan, judgment } = judged;
  const replaced = deps.isRewritten(plan);
  return judgment.type === 'ask' ? { judged, replaced } : { judged, permit: settled(plan, judgment), replaced };
}

/**
 * Runs a call with other arguments, which the answer has given whole. Where it raises another question than the one that was answered, it is
 * asked about as it was read and judged.
 */
async function followInput(amendment: InputAmendment, shown: ShownPlan, deps: PermitDeps): Promise<Step> {
  const plan = await deps.amend(shown.plan, amendment);
  // Many programs give the arguments back as they were.
  if (isSameInput(shown.plan, plan)) return followAllowance({ type: 'allow' }, shown, deps);
  const judged = await deps.judge(plan);
  const { judgment } = judged;
  const fields = changedFields(shown.plan.args, judged.plan.args).join(', ');
  const problem = t('The changed call needs your permission, too. What changed: {0}.', fields);
  const replaced = deps.isRewritten(judged.plan);
  if (judgment.type !== 'ask') return { judged, permit: settled(judged.plan, judgment), replaced };
  // What a hook has made of the answer nobody has seen.
  if (replaced) return { judged, problem, replaced };
  const { denial } = await deps.hooks(judged.plan, () => undefined, NEVER);
  if (denial !== undefined) return { judged, permit: settled(judged.plan, { type: 'deny', denial }) };
  if (isSameQuestion(shown, { ...judged, judgment })) {
    // The mode and rules may have changed while the hooks ran.
    const now = await deps.recheck(judged);
    if (now.judgment.type === 'deny') return { judged: now, permit: settled(now.plan, now.judgment) };
    if (now.plan !== judged.plan || hasNewReasons(now.judgment, judgment)) return appliesOtherwise(now, now.plan !== judged.plan);
    return { judged, permit: permitted(judged.plan, whyAllowed({ type: 'allow' }, true), now.judgment.confined) };
  }
  return { judged, problem };
}

function followChange(amendment: Amendment, shown: ShownPlan, deps: PermitDeps): Promise<Step> {
  return amendment.type === 'input' ? followInput(amendment, shown, deps) : followText(amendment, shown, deps);
}

type AskedPlan = JudgedPlan & { readonly judgment: Ask };

/** Whether the answer to one plan's prompt also covers everything that the prompt for another plan of the same tool would ask. */
function isSameQuestion(shown: AskedPlan, now: AskedPlan): boolean {
  return (
    now.plan.tool === shown.plan.tool &&
    now.opens === shown.opens &&
    isDeepStrictEqual(now.judgment.confined?.work, shown.judgment.confined?.work) &&
    asksNothingNew(shown.judgment, now.judgment)
  );
}

/** Whether there is no more to be said against a call than what was shown: a user who edits a call need not be told that nothing allows it. */
function asksNothingNew(shown: Ask, { strict, plain, reasons, risks = [] }: Ask): boolean {
  const known = new Set((shown.risks ?? []).map(({ text }) => text));
  const isKnown = plain === true || reasons.every((reason) => shown.reasons.includes(reason));
  return strict !== true && isKnown && risks.every(({ text }) => known.has(text));
}

/** Whether there is more to be said against a call than what the user was shown: a safety check, or a rule that asks. */
function hasNewReasons(now: Judgment, shown: Ask): boolean {
  return now.type === 'ask' && now.strict === true && now.reasons.some((reason) => !shown.reasons.includes(reason));
}

function areOffered(rules: readonly string[], { proposal = [], wider = [] }: Ask): boolean {
  return [proposal, wider].some((offered) => rules.every((rule) => offered.includes(rule)));
}

/** Shows rules that the user wrote as those that would be kept. */
function offerAgain(shown: ShownPlan, rules: readonly string[]): Step {
  return { judged: { ...shown, judgment: { ...shown.judgment, proposal: rules } }, problem: t('You changed the rules. “Always Allow” now offers yours.') };
}

function settled(plan: Plan, judgment: Exclude<Judgment, Ask>): ApprovalResult {
  if (judgment.type === 'allow') return { ...permitted(plan, judgment.reason, judgment.confined), readsOnly: judgment.readsOnly === true };
  return { allowed: false, plan, denial: judgment.denial };
}

function permitted(plan: Plan, why: string, confined: Confinement | undefined): Extract<ApprovalResult, { allowed: true }> {
  if (confined === undefined) return { allowed: true, plan, why };
  return { allowed: true, plan, why: confined.work === undefined ? why : `${why} ${t('It runs in a sandbox.')}`, confined };
}

function deniedByUser(plan: Plan, feedback: string | undefined): ApprovalResult {
  const said = feedback === undefined || feedback.trim() === '' ? undefined : feedback.trim();
  return { allowed: false, plan, denial: { kind: 'user', ...present({ said }) } };
}
