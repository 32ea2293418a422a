import { assertNever } from '../../domain/assert-never.js';
import { errorMessage, ToolInputError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { denialForModel, denialWords } from '../../domain/tool/denial.js';
import type { HookVerdict } from '../hooks/call-hooks.js';
import type { ApprovalAnswer, Denial, Judgment, PermissionMode, RuleScope } from '../../domain/tool/permission.js';
import type { Confinement } from '../../domain/workspace/sandbox.js';
import type { Amendment, Plan, Tool } from '../../domain/tool/tool.js';

type Ask = Extract<Judgment, { type: 'ask' }>;

/** A plan and what permission says of it. */
export interface JudgedPlan {
  readonly tool: Tool;
  readonly plan: Plan;
  readonly judgment: Judgment;
  /** The mode that it was judged in. */
  readonly mode: PermissionMode;
}

/** What asking for permission needs of the call. */
export interface PermitDeps {
  /** The mode now; the user can change it at any time. */
  readonly mode: () => PermissionMode;
  readonly judge: (plan: Plan) => Promise<JudgedPlan>;
  /** Shows a prompt and waits for its answer. `problem` says why the last answer could not be followed. */
  readonly ask: (plan: Plan, judgment: Ask, problem: string | undefined) => Promise<ApprovalAnswer>;
  /** What hooks answer in place of the user. */
  readonly hooks: (plan: Plan) => Promise<HookVerdict>;
  /** Plans the call as the user changed it. */
  readonly amend: (plan: Plan, amendment: Amendment) => Promise<Plan>;
  readonly remember: (judged: JudgedPlan, answer: Extract<ApprovalAnswer, { type: 'always' }>) => Promise<void>;
}

/** Result of the permission check. `why` is for the user, `told` for the model. */
export type Permit =
  | { readonly allowed: true; readonly plan: Plan; readonly why: string; readonly readsOnly?: boolean; readonly confined?: Confinement }
  | { readonly allowed: false; readonly plan: Plan; readonly denial: Denial; readonly told: string };

/**
 * Takes a judged plan to an answer, asking the user as often as needed. What runs in the end is exactly what was
 * judged and shown last: a change of the user's is judged again, and asked about again where that has new reasons.
 */
export async function seekPermit(first: JudgedPlan, deps: PermitDeps): Promise<Permit> {
  let judged = first;
  let problem: string | undefined;
  for (;;) {
    const { plan, judgment } = judged;
    if (judgment.type !== 'ask') return settled(plan, judgment);
    const ended = judged === first ? answeredByHook(judged, judgment, await deps.hooks(plan)) : undefined;
    if (ended !== undefined) return ended;
    const answer = await deps.ask(plan, judgment, problem);
    if (answer.type === 'deny') return deniedByPerson(plan, answer.feedback);
    const next = await follow(answer, { ...judged, judgment, changed: isChanged(first.plan, plan) }, deps);
    problem = next.problem;
    if (next.permit !== undefined) return next.permit;
    judged = next.judged;
  }
}

/** What hooks say before the user is asked. An allow does not count against a safety check, a rule that asks, or the mode that always asks. */
function answeredByHook({ plan, mode }: JudgedPlan, { strict, confined }: Ask, { denial, opinion }: HookVerdict): Permit | undefined {
  if (denial !== undefined) return settled(plan, { type: 'deny', denial });
  if (opinion?.type !== 'allow' || strict === true || mode === 'ask') return undefined;
  return permitted(plan, t('The hook {0} allows it.', opinion.by), confined);
}

/** Whether a call would do something else than the one that was asked for. */
export function isChanged(asked: Plan, plan: Plan): boolean {
  if (plan === asked) return false;
  const sameFiles = plan.changes.length === asked.changes.length && plan.changes.every(({ path, text }, index) => asked.changes[index]?.path === path && asked.changes[index].text === text);
  return !sameFiles || JSON.stringify(plan.args) !== JSON.stringify(asked.args);
}

/** A plan as a prompt shows it. */
interface ShownPlan extends JudgedPlan {
  readonly judgment: Ask;
  /** Whether the user has changed it before. */
  readonly changed: boolean;
}

/** What following an answer led to: the end, or another prompt. */
interface Step {
  readonly permit?: Permit;
  readonly judged: JudgedPlan;
  readonly problem?: string;
}

async function follow(
  answer: Exclude<ApprovalAnswer, { type: 'deny' }>,
  judged: ShownPlan,
  deps: PermitDeps,
): Promise<Step> {
  try {
    if (answer.type === 'revise') return await followRevision(answer.amendment, judged, deps);
    if (answer.type === 'allow' && answer.amendment !== undefined) return await followAmendment(answer.amendment, judged, deps);
    // The user may have chosen a stricter mode while the prompt was open.
    const now = deps.mode() === judged.mode ? judged : await deps.judge(judged.plan);
    if (now.judgment.type === 'deny') return { judged: now, permit: settled(now.plan, now.judgment) };
    if (answer.type === 'always') {
      if (!areOffered(answer.rules, judged.judgment)) return offerAgain(judged, answer.rules);
      await deps.remember(judged, answer);
    }
    return { judged, permit: permitted(judged.plan, whyOf(answer, judged.changed), now.judgment.confined) };
  } catch (error) {
    if (!(error instanceof RememberError) && !(error instanceof ToolInputError)) throw error;
    return { judged, problem: errorMessage(error) };
  }
}

/** A rule that was not kept. The prompt stays open, with the reason. */
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
 * What the user wrote in the prompt is shown as it was read and judged, and allowed there: until then only the page has
 * said what they want. What needs no permission runs.
 */
async function followAmendment(amendment: Amendment, shown: ShownPlan, deps: PermitDeps): Promise<Step> {
  const judged = await deps.judge(await deps.amend(shown.plan, amendment));
  const { plan, judgment } = judged;
  return judgment.type === 'ask' ? { judged } : { judged, permit: settled(plan, judgment) };
}

function areOffered(rules: readonly string[], { proposal = [], wider = [] }: Ask): boolean {
  return [proposal, wider].some((offered) => rules.every((rule) => offered.includes(rule)));
}

/** Shows rules that the user wrote as those that would be kept. */
function offerAgain(shown: ShownPlan, rules: readonly string[]): Step {
  return { judged: { ...shown, judgment: { ...shown.judgment, proposal: rules } }, problem: t('You changed the rules. “Always Allow” now offers yours.') };
}

function settled(plan: Plan, judgment: Exclude<Judgment, Ask>): Permit {
  if (judgment.type === 'allow') return { ...permitted(plan, judgment.reason, judgment.confined), readsOnly: judgment.readsOnly === true };
  return { allowed: false, plan, denial: judgment.denial, told: `Permission denied. ${denialForModel(judgment.denial)} Nothing was done.` };
}

function permitted(plan: Plan, why: string, confined: Confinement | undefined): Extract<Permit, { allowed: true }> {
  if (confined === undefined) return { allowed: true, plan, why };
  return { allowed: true, plan, why: confined.work === undefined ? why : `${why} ${t('It runs in a sandbox.')}`, confined };
}

function deniedByPerson(plan: Plan, feedback: string | undefined): Permit {
  const said = feedback === undefined || feedback.trim() === '' ? undefined : feedback.trim();
  const told = said === undefined ? '' : ` They said: ${said}`;
  return { allowed: false, plan, denial: { kind: 'user', ...(said === undefined ? {} : { said }) }, told: `The user denied this call; nothing was done.${told}` };
}

function whyOf(answer: Extract<ApprovalAnswer, { type: 'allow' | 'always' }>, changed: boolean): string {
  if (answer.type === 'allow') return changed ? t('You changed it and allowed it.') : t('You allowed it.');
  const rules = answer.rules.join(', ');
  return changed ? changedAndAdded(rules, answer.scope) : allowedAndAdded(rules, answer.scope);
}

function changedAndAdded(rules: string, scope: RuleScope): string {
  switch (scope) {
    case 'session':
      return t('You changed it, allowed it, and added {0} for this chat.', rules);
    case 'local':
      return t('You changed it, allowed it, and added {0} for this workspace, only for you.', rules);
    case 'workspace':
      return t('You changed it, allowed it, and added {0} for this workspace.', rules);
    case 'user':
      return t('You changed it, allowed it, and added {0} for all workspaces.', rules);
    default:
      return assertNever(scope);
  }
}

function allowedAndAdded(rules: string, scope: RuleScope): string {
  switch (scope) {
    case 'session':
      return t('You allowed it and added {0} for this chat.', rules);
    case 'local':
      return t('You allowed it and added {0} for this workspace, only for you.', rules);
    case 'workspace':
      return t('You allowed it and added {0} for this workspace.', rules);
    case 'user':
      return t('You allowed it and added {0} for all workspaces.', rules);
    default:
      return assertNever(scope);
  }
}
