import type { ConfigProblem } from '../../domain/config/problem.js';
import { hiddenCharacters } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { PermissionRule } from '../../domain/tool/permission.js';
import type { TurnGrant } from '../../domain/tool/turn-grant.js';
import { coversNothing } from './rule-coverage.js';
import { isForAllForeign, isRule, parseRule } from './rule.js';
import { nameOf } from './rule-labels.js';

/** A rule that a skill or command cannot have, and why. */
export interface RefusedRule {
  readonly text: string;
  /** A sentence for the user that names the rule. */
  readonly why: string;
}

/** Most rules of one file: a user would not read more. */
const MAX_RULES = 100;

/** Splits the rules of a skill or command: those that can be approved, and those that never apply, as they are invalid or allow every command. */
export function turnRulesIn(texts: readonly string[]): { readonly usable: readonly string[]; readonly refused: readonly RefusedRule[] } {
  const all = [...new Set(texts)];
  const judged = all.slice(0, MAX_RULES).map((text) => ({ text, why: refusal(text) }));
  const refused = judged.flatMap(({ text, why }) => (why === undefined ? [] : [{ text, why }]));
  const rest = all.slice(MAX_RULES).map((text) => ({ text, why: t('{0} is one rule too many: there can be {1}.', nameOf(text), MAX_RULES) }));
  return { usable: judged.flatMap(({ text, why }) => (why === undefined ? [text] : [])), refused: [...refused, ...rest] };
}

/** The rules of a grant that was approved, as they count in its turn: allow rules of the weakest kind. */
export function turnRules({ kind, name, rules }: TurnGrant): readonly PermissionRule[] {
  const turnOf = kind === 'skill' ? t('the skill “{0}”', name) : t('the command “/{0}”', name);
  return turnRulesIn(rules).usable.map((text) => ({ effect: 'allow', text, scope: 'session', turnOf }));
}

/** Problems of the rules of a skill or command, each by its name. Tools that only another program has are no mistake. */
export function refusedRules({ origin, rules }: Pick<TurnGrant, 'origin' | 'rules'>): readonly ConfigProblem[] {
  return turnRulesIn(rules).refused.flatMap(({ text, why }) => (isOfOtherProgram(text) ? [] : [{ file: origin.file, key: 'allowed-tools', message: why }]));
}

function isOfOtherProgram(text: string): boolean {
  const rule = parseRule(text);
  return isRule(rule) && rule.about === 'nothing';
}

/** A pattern from the root or the home folder that says no name. */
const ANYWHERE = /^(?:\/\/|~)[/*?.]*$/;

function refusal(text: string): string | undefined {
  const rule = parseRule(text);
  if (!isRule(rule)) return t('{0} is not a valid rule. {1}', nameOf(text), rule.problem);
  const hidden = hiddenCharacters(text);
  if (hidden !== undefined) return t('{0} contains invisible or misleading characters: {1}.', nameOf(text), hidden);
  if (rule.about === 'nothing') return t('{0} is about a tool that only {1} has.', nameOf(text), rule.program);
  const isAnywhere = (rule.about === 'edit' || rule.about === 'read') && ANYWHERE.test(rule.pattern ?? '');
  if (isAnywhere) return t('{0} would allow every file on this machine. Name the files, as in Edit(src/**).', nameOf(text));
  const isForAll = (rule.about === 'command' && rule.pattern === undefined) || isForAllForeign(rule);
  if (isForAll) return t('{0} would allow everything. Name the commands, as in Bash(git log:*).', nameOf(text));
  return coversNothing(rule) ? t('{0} allows nothing: Gnomon does not know which arguments of this program run other code.', nameOf(text)) : undefined;
}
