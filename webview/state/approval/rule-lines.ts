import type { RuleScope } from '../../../src/domain/tool/denial.js';
import { formatNumber, t } from '../../../src/protocol/l10n.js';
import { MAX_RULE_LENGTH, MAX_RULES } from '../../../src/protocol/limits.js';

/** Where rules can be stored, with labels; the shortest lifetime first. */
export const SCOPES: readonly { readonly id: RuleScope; readonly label: () => string }[] = [
  { id: 'session', label: () => t('This chat') },
  { id: 'local', label: () => t('This workspace, only you') },
  { id: 'workspace', label: () => t('This workspace') },
  { id: 'user', label: () => t('All workspaces') },
];

/** The rules of a proposal that can be edited as lines, and how many cannot. */
export interface EditableProposal {
  readonly text: string;
  readonly leftOut: number;
}

const LINE_BREAK = /[\r\n]/;

/**
 * A proposal as text, one rule per line. A rule that contains a line break is left out: split into lines it would be
 * other rules, chosen by the author of the command.
 */
export function editableProposal(proposal: readonly string[]): EditableProposal {
  const rules = proposal.filter((rule) => !LINE_BREAK.test(rule));
  return { text: rules.join('\n'), leftOut: proposal.length - rules.length };
}

/** The rules that a user wrote, one per line; empty lines and repetitions are dropped. */
export function rulesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}

/** Why rules cannot be added, for the user; empty when they can. Whether each can be read, the host says. */
export function rulesProblem(rules: readonly string[]): string {
  if (rules.length === 0) return t('Enter at least one rule.');
  if (rules.length > MAX_RULES) return t('You entered {0} rules. You can add up to {1} at a time.', formatNumber(rules.length), formatNumber(MAX_RULES));
  const long = rules.some((rule) => rule.length > MAX_RULE_LENGTH);
  return long ? t('A rule is longer than {0} characters. Shorten it.', formatNumber(MAX_RULE_LENGTH)) : '';
}
