import { present } from '../domain/present.js';
import { t } from '../domain/l10n.js';
import type { ModelUse } from '../domain/tool/model-use.js';
import type { JudgedDenial } from '../domain/tool/denial.js';
import { type CommandRisk, type HookOpinion, type Judgment, type PermissionRule, parsePermissionMode } from '../domain/tool/permission.js';
import type { Confinement } from '../domain/workspace/sandbox.js';
import type { Access } from '../domain/tool/tool.js';
import type { Call, Need } from './call.js';
import { isHarmless, unreadableReason } from './command-needs.js';
import { isIn } from './files/closed-folders.js';
import { sentencesFor } from './needs.js';
import { risksOf } from './risks/index.js';
import { isRule, parseRule } from './rules/rule.js';
import { nameOf, ruleText, ruleWords } from './rules/rule-labels.js';
import type { Hit } from './rules/strict-rules.js';

/** Everything that a decision depends on. */
export interface Facts {
  readonly mode: string;
  /** Whether the user trusts the workspace. */
  readonly trusted: boolean;
  readonly call: Call;
  readonly denies: readonly Hit[];
  readonly asks: readonly Hit[];
  /** Deny and ask rules that cannot be read. */
  readonly unreadable: readonly PermissionRule[];
  readonly needs: readonly Need[];
  /** The rules that would let the call pass, if there are any. */
  readonly proposal: readonly string[] | undefined;
  /** Present where that is an approval of a model for an agent. */
  readonly uses?: ModelUse;
  /** The same for the whole folders in which files outside of the workspace lie. */
  readonly wider?: readonly string[];
  /** Opinion of hooks. */
  readonly hook?: HookOpinion | undefined;
}

/** Tools that only read files. */
const FILE_READERS: readonly string[] = ['read', 'grep', 'glob', 'list', 'diagnostics', 'symbols', 'skill'];
/** Tools that only read or talk with the user, by name: what may run in plan mode, beside commands that only read. */
const READING_TOOLS: ReadonlySet<string> = new Set([...FILE_READERS, 'todo', 'ask', 'jobs', 'find_tools']);

/** One row of the order of evaluation: says nothing when it does not apply. */
interface Row {
  /** Names the row in docs/permissions.md, which lists them in the same order. */
  readonly title: string;
  readonly says: (facts: Facts) => Judgment | undefined;
  /** Whether what it asks about needs more than that nothing allows it. */
  readonly strict?: true;
}

/** The order of evaluation. The first row that says something decides. docs and tests mirror these lines. */
export const ORDER: readonly Row[] = [
  // A mode that is not offered allows nothing.
  { title: 'Unknown mode', says: ({ mode }) => (parsePermissionMode(mode) === undefined ? deny({ kind: 'unknown_mode', mode }) : undefined) },
  // In an untrusted workspace files can be read, and nothing else.
  { title: 'Workspace not trusted', says: ({ trusted, call }) => (trusted || isKnownToRead(call) ? undefined : deny({ kind: 'untrusted' })) },
  // Deny rules apply in every mode, whatever else allows the call, and wherever they are stored.
  { title: 'Deny rules', says: ({ denies }) => deniedBy(denies) },
  // What an agent does in a worktree comes to the user’s own files only when they take it over.
  { title: 'Checkout of the user', says: ({ call }) => writesElsewhere(call) },
  // Plan mode knows reading only; no rule changes that. What says of itself that it only reads is asked about below.
  {
    title: 'Plan mode',
    says: ({ mode, call }) => (mode === 'plan' && !changesNothing(call) && !saysItReads(call) && !startsAgent(call) ? deny({ kind: 'plan_mode' }) : undefined),
  },
  // A rule that cannot be read may be about this call.
  { title: 'Rules that cannot be read', strict: true, says: ({ unreadable }) => ask(unreadable.map(unreadableWords)) },
  // What stays within Gnomon: asking the user, showing a plan, looking after a command it started.
  {
    title: 'Talking with you',
    says: ({ call, asks, hook }) =>
      touchesOnly(call, ['interact']) && asks.length === 0 && hook?.type !== 'ask' ? allow(t('It only interacts with you in the chat.')) : undefined,
  },
  // Each call of that agent is judged on its own, in the same mode and by the same rules.
  {
    title: 'Handing work to an agent',
    says: ({ call, needs, asks, hook, mode }) =>
      startsAgent(call) && needs.length === 0 && asks.length === 0 && hook?.type !== 'ask' && mode !== 'ask'
        ? allow(t('Each of its calls is judged on its own.'))
        : undefined,
  },
  // Outside the workspace, links, protected files, hidden characters, facts unknown: asked in every mode.
  { title: 'Safety checks', strict: true, says: ({ needs, proposal, mode }) => ask(open(needs, 'safety'), mode === 'ask' ? undefined : proposal) },
  // Ask rules, and deny rules that may apply depending on run time, also apply in every mode.
  { title: 'Ask rules', strict: true, says: ({ asks, denies }) => ask([...asks, ...denies].map(askedBy)) },
  // A hook that wants the user to decide. One that blocks has ended the call before.
  { title: 'Hooks that ask', strict: true, says: ({ hook }) => (hook?.type === 'ask' ? ask([t('The hook {0} asks: {1}', hook.by, hook.reason)]) : undefined) },
  // What can contain passwords or keys is read only when a rule names it.
  { title: 'Passwords and keys', strict: true, says: ({ needs, proposal, mode }) => ask(open(needs, 'secret'), mode === 'ask' ? undefined : proposal) },
  // What third-party code says of itself is no proof, so planning never runs it unasked: neither a rule nor a hook lifts this.
  {
    title: 'Mode: plan',
    strict: true,
    says: ({ mode, call, needs }) =>
      mode === 'plan' && saysItReads(call) ? ask([t('In plan mode, a tool that says it only reads always asks.'), ...open(needs, 'ordinary')]) : undefined,
  },
  // The mode that asks for everything.
  {
    title: 'Mode: ask',
    says: ({ mode, call }) => (mode === 'ask' ? plain(ask([t('This mode always asks.'), ...sentencesFor(call.plan.accesses)])) : undefined),
  },
  // The mode that asks for nothing more, except for lines that cannot be read.
  {
    title: 'Mode: bypass permissions',
    says: ({ mode, call }) => (mode === 'bypassPermissions' && isReadable(call) ? allow(t('Permissions are bypassed in this mode.')) : undefined),
  },
  // The mode that changes ordinary files of the workspace, as long as that changes nothing that programs load or run.
  {
    title: 'Mode: accept edits',
    says: ({ mode, call }) => (mode === 'acceptEdits' && isOrdinaryEdit(call) ? allow(t('Edits are accepted in this mode.')) : undefined),
  },
  // A hook that allows: like a rule, and never against what stands before.
  {
    title: 'Hooks that allow',
    says: ({ hook, call }) => (hook?.type === 'allow' && isReadable(call) ? allow(t('The hook {0} allows it.', hook.by)) : undefined),
  },
  // Allow rules, when they and the next row cover all of the call.
  { title: 'Allow rules', says: ({ needs, call }) => (needs.length > 0 && needs.every(({ by }) => by !== undefined) ? byRules(call, needs) : undefined) },
  // Reading in the workspace, and commands that are known to only read.
  {
    title: 'Reading',
    says: ({ needs, call }) => (needs.length > 0 ? undefined : call.command === undefined ? allow(t('It only reads files in the workspace.')) : confined(call)),
  },
  // Where the user's settings let all commands run that can neither change nor send anything.
  { title: 'Sandboxed commands', says: ({ call }) => (call.command?.choices?.unasked === true && isReadable(call) ? heldAlone(call) : undefined) },
  // All else.
  {
    title: 'Prompt',
    says: ({ needs, proposal }) => (needs.every(isPlain) ? plain(ask(open(needs, 'ordinary'), proposal)) : ask(open(needs, 'ordinary'), proposal)),
  },
];

/** Decides on permission for a call: the first step of {@link ORDER} with a result. */
export function decide(facts: Facts): Judgment {
  for (const { says, strict = false } of ORDER) {
    const judgment = says(facts);
    if (judgment?.type === 'ask')
      return {
        ...judgment,
        ...(judgment.proposal === undefined ? {} : present({ uses: facts.uses, wider: facts.wider })),
        strict,
        ...placeOf(facts, judgment),
        ...partsOf(facts.call),
        ...risksIn(facts.call),
        ...workConfined(facts.call),
      };
    if (judgment?.type === 'allow') return { ...workConfined(facts.call), ...judgment, ...(changesNothing(facts.call) ? { readsOnly: true } : {}) };
    if (judgment !== undefined) return judgment;
  }
  return deny({ kind: 'nothing_allows' });
}

/** A call in a worktree that leads nowhere else, as far as is known. Rules name files as they are in the checkout, and count for its worktrees as well. */
function placeOf({ call, uses }: Facts, { proposal }: Extract<Judgment, { type: 'ask' }>): { readonly place?: string } {
  const { plan, bases, files } = call;
  const runs = plan.accesses.some(({ kind }) => kind === 'execute');
  const isThere = bases.standIns !== undefined && (runs || plan.accesses.some(({ kind }) => kind === 'write'));
  if (!isThere || files.some(({ kind, location }) => kind === 'write' && location?.inside !== true)) return {};
  // Where a command writes may be known only while it runs.
  const where = runs ? t('It runs in a worktree.') : t('It works in a worktree, not in your own files.');
  const offersRules = proposal !== undefined && uses === undefined;
  return { place: offersRules ? `${where} ${t('A rule that allows it applies to your own files, too.')}` : where };
}

/** The commands of a line with several; of one that cannot be read they would not be all. */
function partsOf({ command }: Call): { readonly parts?: readonly string[] } {
  if (command?.analysis.unreadable !== undefined) return {};
  const parts = command?.analysis.commands.map(({ source }) => source) ?? [];
  return parts.length > 1 ? { parts } : {};
}

/** Risks of a command to show in its prompt. They do not affect the decision. */
function risksIn(call: Call): { readonly risks?: readonly CommandRisk[] } {
  const risks = risksOf(call);
  return risks.length === 0 ? {} : { risks };
}

function allow(reason: string): Extract<Judgment, { type: 'allow' }> {
  return { type: 'allow', reason };
}

/** Rules about files allow no command more than reading these. */
function byRules(call: Call, needs: readonly Need[]): Judgment {
  const reason = allowedBy(needs);
  const onlyFiles = call.command?.unheld === undefined && changesNothing(call) && needs.every(({ by }) => by !== undefined && isAboutFiles(by));
  return call.command === undefined || !onlyFiles ? allow(reason) : { ...confined(call), reason };
}

function isAboutFiles({ text }: PermissionRule): boolean {
  const rule = parseRule(text);
  return isRule(rule) && (rule.about === 'read' || rule.about === 'edit');
}

/** Allows a call without asking, in the sandbox: there, effects that the analysis of its text missed do no harm. */
function confined({ command, files }: Call): Extract<Judgment, { type: 'allow' }> {
  if (command?.unheld !== undefined) return allow(t('It only runs commands without side effects.'));
  return { type: 'allow', reason: t('It only runs read-only commands, in a sandbox.'), confined: { readable: readableFiles(files) } };
}

/** Allows a command in the sandbox, where it can neither change anything nor reach the network. */
function heldAlone({ files }: Call): Extract<Judgment, { type: 'allow' }> {
  return {
    type: 'allow',
    reason: t('It runs in a sandbox, where it cannot change anything and has no network access.'),
    confined: { readable: readableFiles(files) },
  };
}

/** Sandbox limits of an allowed command, if the user wants allowed ones confined, too. */
function workConfined({ command, files }: Call): { readonly confined?: Confinement } {
  if (command?.choices?.allowed !== true) return {};
  return { confined: { readable: readableFiles(files), work: { hosts: command.choices.hosts } } };
}

function readableFiles(files: Call['files']): readonly string[] {
  return files.flatMap(({ kind, by, location }) => (kind === 'read' && by !== 'place' && location !== undefined ? [location.real] : []));
}

function deny(denial: JudgedDenial): Judgment {
  return { type: 'deny', denial };
}

function unreadableWords(rule: PermissionRule): string {
  if (rule.missing !== undefined) return t('{0} Until that is fixed, nothing runs without asking.', rule.missing);
  return t('{0} is invalid, so nothing runs without asking. Fix it in the settings.', ruleWords(rule));
}

/** Asks when there is a reason to. */
function ask(reasons: readonly string[], proposal?: readonly string[]): Judgment | undefined {
  if (reasons.length === 0) return undefined;
  return { type: 'ask', reasons: [...new Set(reasons)], ...present({ proposal }) };
}

/** Marks a question whose reasons say nothing that the call does not show. */
function plain(judgment: Judgment | undefined): Judgment | undefined {
  return judgment?.type === 'ask' ? { ...judgment, plain: true } : judgment;
}

/** Where a rule covers a part, the reasons say which part it does not. */
function isPlain({ plain: says, by }: Need): boolean {
  return says === true && by === undefined;
}

function open(needs: readonly Need[], kind: Need['kind']): readonly string[] {
  return needs.flatMap((need) => (need.kind === kind && need.by === undefined ? [need.reason] : []));
}

/** A file of the checkout that the worktree of the session was made of, or what a command would do there. */
function writesElsewhere({ files, closed, inClosed }: Call): Judgment | undefined {
  const file = files.find(({ kind, location }) => kind === 'write' && location !== undefined && isIn(closed, location));
  const location = file?.location ?? inClosed;
  return location === undefined ? undefined : deny({ kind: 'other_checkout', file: nameOf(location.display) });
}

function deniedBy(denies: readonly Hit[]): Judgment | undefined {
  const certain = denies.find((hit) => hit.certain);
  return certain === undefined ? undefined : denyBy(certain);
}

function denyBy({ rule, what }: Hit): Judgment {
  return deny({ kind: 'rule', rule: ruleText(rule), scope: rule.scope, ...present({ file: rule.file }), what });
}

function askedBy({ rule, what, certain }: Hit): string {
  if (certain) return t('{0} applies to {1}.', ruleWords(rule), what);
  if (rule.effect === 'deny') return t('{0} might deny {1}; this is only known when it runs.', ruleWords(rule), what);
  return t('{0} might apply to {1}; this is only known when it runs.', ruleWords(rule), what);
}

function allowedBy(needs: readonly Need[]): string {
  const rules = [...new Set(needs.flatMap(({ by }) => (by === undefined ? [] : [ruleWords(by)])))];
  return rules.length === 1 ? t('{0} allows it.', rules.join('')) : t('Allowed by these rules: {0}.', rules.join('; '));
}

/** A plan that names nothing it touches is not known to be harmless. */
function touchesOnly({ plan }: Call, kinds: readonly Access['kind'][]): boolean {
  return plan.accesses.length > 0 && plan.accesses.every((access) => kinds.includes(access.kind));
}

function isKnownToRead(call: Call): boolean {
  return call.command === undefined && READING_TOOLS.has(call.plan.tool) && touchesOnly(call, ['read', 'interact']);
}

/** Whether it is known of a call that it only reads, or talks with the user. */
function changesNothing(call: Call): boolean {
  const { command, files } = call;
  if (command === undefined) return isKnownToRead(call);
  const { commands } = command.analysis;
  const onlyReads = touchesOnly(call, ['read', 'execute']) && files.every(({ kind, by }) => kind === 'read' || by === 'word');
  return onlyReads && unreadableReason(command) === undefined && commands.length > 0 && commands.every(isHarmless);
}

/** Whether a call has another agent work, and does nothing else. */
function startsAgent(call: Call): boolean {
  return call.plan.foreign === undefined && call.plan.changes.length === 0 && touchesOnly(call, ['spawn']);
}

/** Whether third-party code claims to only read: in plan mode the user is asked about it, and no more. */
function saysItReads({ plan, command }: Call): boolean {
  return command === undefined && plan.accesses.length === 0 && plan.changes.length === 0 && plan.foreign?.saysItReads === true;
}

function isReadable({ command }: Call): boolean {
  return command?.shell !== 'bash' || command.analysis.unreadable === undefined;
}

/** Deleting is no edit: what accepts edits asks for it. What is moved is still there, so both of its ends have to be ordinary, and that is all. */
function isOrdinaryEdit(call: Call): boolean {
  return (
    call.command === undefined &&
    call.plan.foreign === undefined &&
    touchesOnly(call, ['read', 'write']) &&
    call.files.every(({ location, loads }) => location?.inside === true && loads === undefined) &&
    call.plan.accesses.every(({ removal }) => removal !== 'deleted')
  );
}
