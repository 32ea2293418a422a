import { escapeHidden } from '../domain/hidden-characters.js';
import type { PermissionRule, RuleScope } from '../domain/permission.js';

/** Characters of a command or name in a sentence; the prompt shows the whole. */
const QUOTED_CHARACTERS = 200;

const SCOPES: Readonly<Record<RuleScope, string>> = {
  session: 'of this session',
  workspace: 'of the workspace settings',
  user: 'of your settings',
};

/** Where a rule is kept, in words. */
export function scopeWords(scope: RuleScope): string {
  return SCOPES[scope];
}

/** A rule as it is written, for a sentence. */
export function ruleText({ text }: PermissionRule): string {
  return cut(escapeHidden(text));
}

/** A rule as the beginning of a sentence, with its effect and where it is kept. */
export function ruleWords(rule: PermissionRule): string {
  return `The rule ${rule.effect} ${ruleText(rule)} ${scopeWords(rule.scope)}`;
}

/** A command or name, on one line and not too long for a sentence. */
export function quoted(text: string): string {
  return `\`${cut(escapeHidden(text.trim()))}\``;
}

function cut(text: string): string {
  return text.length <= QUOTED_CHARACTERS ? text : `${text.slice(0, QUOTED_CHARACTERS)}…`;
}
