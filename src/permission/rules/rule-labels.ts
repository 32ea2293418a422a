import { assertNever } from '../../domain/assert-never.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { PermissionRule } from '../../domain/tool/permission.js';

/** Why a rule cannot be read, as a sentence that says how to write it. */
export interface RuleProblem {
  readonly problem: string;
}

/** Characters of a command or name in a sentence; the prompt shows the whole. */
const QUOTED_CHARACTERS = 200;

/** A rule as it is written, for a sentence. */
export function ruleText({ text }: PermissionRule): string {
  return cut(escapeHidden(text));
}

/** A rule as the beginning of a sentence for the user, with its effect and where it is kept. */
export function ruleWords(rule: PermissionRule): string {
  if (rule.uses !== undefined) return t('Your approval of {0} for the agent {1}', cut(escapeHidden(rule.uses.label)), cut(escapeHidden(rule.uses.agent)));
  const text = ruleText(rule);
  if (rule.file !== undefined) return t('The {0} rule {1} in {2}', rule.effect, text, rule.file);
  if (rule.turnOf !== undefined) return t('The rule {0} that {1} has for this turn', text, rule.turnOf);
  switch (rule.scope) {
    case 'session':
      return t('The {0} rule {1} for this chat', rule.effect, text);
    case 'local':
      return t('The {0} rule {1} in your settings for this workspace', rule.effect, text);
    case 'workspace':
      return t('The {0} rule {1} in the workspace settings', rule.effect, text);
    case 'user':
      return t('The {0} rule {1} in your user settings', rule.effect, text);
    default:
      return assertNever(rule.scope);
  }
}

/** Message about an invalid rule. @param problem its problem, as a sentence */
export function unreadableRule(rule: PermissionRule, problem: string): string {
  const text = ruleText(rule);
  if (rule.file !== undefined) return t('The {0} rule {1} in {2} is invalid. {3}', rule.effect, text, rule.file, problem);
  switch (rule.scope) {
    case 'session':
      return t('The {0} rule {1} for this chat is invalid. {2}', rule.effect, text, problem);
    case 'local':
      return t('The {0} rule {1} in your settings for this workspace is invalid. {2}', rule.effect, text, problem);
    case 'workspace':
      return t('The {0} rule {1} in the workspace settings is invalid. {2}', rule.effect, text, problem);
    case 'user':
      return t('The {0} rule {1} in your user settings is invalid. {2}', rule.effect, text, problem);
    default:
      return assertNever(rule.scope);
  }
}

/** A command or name, on one line and not too long for a sentence. */
export function nameOf(text: string): string {
  return cut(escapeHidden(text.trim()));
}

function cut(text: string): string {
  return text.length <= QUOTED_CHARACTERS ? text : `${text.slice(0, QUOTED_CHARACTERS)}…`;
}
