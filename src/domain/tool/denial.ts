import { assertNever } from '../assert-never.js';
import { t } from '../l10n.js';

/** Where a rule is kept, and for how long: a session's rules end with it. `local` is the file with what only this user has in a workspace. */
export const RULE_SCOPES = ['session', 'local', 'workspace', 'user'] as const;
/** One of {@link RULE_SCOPES}. */
export type RuleScope = (typeof RULE_SCOPES)[number];

/** Why a call is denied without a question. */
export type JudgedDenial =
  | { readonly kind: 'unknown_mode'; readonly mode: string }
  | { readonly kind: 'untrusted' }
  | { readonly kind: 'plan_mode' }
  /** `rule` is its text and `what` the part of the call that it is about, both as they stand in a sentence. `file` as `PermissionRule` has it. */
  | { readonly kind: 'rule'; readonly rule: string; readonly scope: RuleScope; readonly file?: string; readonly what: string }
  /** It would change a file of the checkout that a worktree was made of, which is not the worktree's own. */
  | { readonly kind: 'other_checkout'; readonly file: string }
  | { readonly kind: 'nothing_allows' }
  /** The agent that works may not use the tool, or may not have the user asked. */
  | { readonly kind: 'agent'; readonly agent: string; readonly cannot: 'use' | 'ask' }
  /** Nobody can be asked; `why` is why somebody would have to be. */
  | { readonly kind: 'unattended'; readonly why: string }
  /** `by` is how users know the hook; not `answered`: it was to decide and failed, which never counts as permission. */
  | { readonly kind: 'hook'; readonly by: string; readonly reason: string; readonly answered: boolean };

/** Why a call is denied: as it was judged, or because the user said so, with their reason where they gave one. */
export type Denial = JudgedDenial | { readonly kind: 'user'; readonly said?: string };

const PLACES: Readonly<Record<RuleScope, string>> = {
  session: 'for this chat',
  local: 'in the local settings',
  workspace: 'in the workspace settings',
  user: 'in the user settings',
};

const NO_TOOL = 'does not have this tool.';
const NO_QUESTIONS = 'may not have the user asked, and no rule allows this.';

/** Why a call is denied, as a sentence for the model. Older versions know a stored denial by it. */
export function denialForModel(denial: JudgedDenial): string {
  switch (denial.kind) {
    case 'unknown_mode':
      return `The permission mode “${denial.mode}” is not known.`;
    case 'untrusted':
      return 'This workspace is not trusted, so Gnomon only reads in it.';
    case 'plan_mode':
      return 'Plan mode only reads; nothing may be changed or run.';
    case 'rule':
      return `The deny rule ${denial.rule} ${denial.file === undefined ? PLACES[denial.scope] : `in the file ${denial.file}`} forbids \`${denial.what}\`.`;
    case 'other_checkout':
      return `${denial.file} is in the checkout of the user. You work in a worktree of your own: change the file there, by its path in the worktree.`;
    case 'nothing_allows':
      return 'Nothing allows it.';
    case 'agent':
      return `The agent “${denial.agent}” ${denial.cannot === 'use' ? NO_TOOL : NO_QUESTIONS}`;
    case 'unattended':
      return `Nobody can be asked here, and this needs permission: ${denial.why}`;
    case 'hook':
      return denial.answered
        ? `The hook ${denial.by} blocked it: ${denial.reason}`
        : `The hook ${denial.by} was to decide about it and gave no answer: ${denial.reason}`;
    default:
      return assertNever(denial);
  }
}

const PLAIN_WORDS = {
  untrusted: () => t('This workspace is not trusted, so Gnomon is read-only here.'),
  plan_mode: () => t('Plan mode is read-only.'),
  nothing_allows: () => t('Nothing allows this.'),
} as const;

/** The same for the user. */
export function denialWords(denial: Denial): string {
  switch (denial.kind) {
    case 'unknown_mode':
      return t('The permission mode “{0}” is unknown.', denial.mode);
    case 'untrusted':
    case 'plan_mode':
    case 'nothing_allows':
      return PLAIN_WORDS[denial.kind]();
    case 'rule':
      return denial.file === undefined ? ruleBlocks(denial.rule, denial.scope) : t('The deny rule {0} in {1} blocks this.', denial.rule, denial.file);
    case 'other_checkout':
      return t('An agent in a worktree cannot change your own checkout: {0}.', denial.file);
    case 'agent':
      return agentLacks(denial.agent, denial.cannot);
    case 'unattended':
      return t('Nobody can be asked here, and this needs permission: {0}', denial.why);
    case 'hook':
      return denial.answered
        ? t('The hook {0} blocked this: {1}', denial.by, denial.reason)
        : t('Blocked because the hook {0} did not answer: {1}', denial.by, denial.reason);
    case 'user':
      return denial.said === undefined ? t('You denied it.') : t('You denied it: {0}', denial.said);
    default:
      return assertNever(denial);
  }
}

function agentLacks(agent: string, cannot: 'use' | 'ask'): string {
  return cannot === 'use' ? t('The agent “{0}” does not have this tool.', agent) : t('The agent “{0}” may not ask you, and no rule allows this.', agent);
}

function ruleBlocks(rule: string, scope: RuleScope): string {
  switch (scope) {
    case 'session':
      return t('The deny rule {0} for this chat blocks this.', rule);
    case 'local':
      return t('The deny rule {0} in your settings for this workspace blocks this.', rule);
    case 'workspace':
      return t('The deny rule {0} in the workspace settings blocks this.', rule);
    case 'user':
      return t('The deny rule {0} in your user settings blocks this.', rule);
    default:
      return assertNever(scope);
  }
}
