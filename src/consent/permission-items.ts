import { limitOf } from '../permission/rules/rule-coverage.js';
import { escapeHidden } from '../domain/hidden-characters.js';
import { t } from '../domain/l10n.js';
import { type PermissionRule, type RuleEffect, RULE_EFFECTS } from '../domain/tool/permission.js';
import { BUILT_IN, type ModelUse } from '../domain/tool/model-use.js';
import type { TurnGrant } from '../domain/tool/turn-grant.js';
import { present } from '../domain/present.js';
import { turnRules } from '../permission/rules/turn-rules.js';
import type { ListedEntry, PendingList, RuleListing } from './rules/settings-rule-book.js';

/** Action of a list item. */
export type PermissionAct =
  | { readonly type: 'none' }
  | { readonly type: 'add' }
  | { readonly type: 'open_settings' }
  | { readonly type: 'review'; readonly list: PendingList }
  | { readonly type: 'rule'; readonly entry: ListedEntry }
  | { readonly type: 'session_rule'; readonly text: string; readonly effect: RuleEffect }
  /** A model that an agent may use. */
  | { readonly type: 'model_use'; readonly uses: ModelUse }
  /** Reviews what a skill or command names. */
  | { readonly type: 'grant'; readonly grant: TurnGrant };

/** A line of “Manage Permissions”. One that only says something does nothing. */
export interface PermissionItem {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly act: PermissionAct;
  /** A heading over the lines that follow. */
  readonly heading?: true;
}

const HEADINGS: Readonly<Record<RuleEffect, () => string>> = {
  deny: () => t('Always denied'),
  ask: () => t('Always ask'),
  allow: () => t('Allowed without asking'),
};
const ICONS: Readonly<Record<RuleEffect, string>> = { deny: '$(circle-slash)', ask: '$(question)', allow: '$(check)' };

/**
 * The lines of “Manage Permissions”: problems first, then what waits, then every rule, then what can be done.
 * @param own the rules of the conversation that is shown, what is approved of its turn, and the models that agents may use
 */
export function permissionItems(
  { entries, problems, pending }: RuleListing,
  own: { readonly rules: readonly PermissionRule[]; readonly grants: readonly TurnGrant[]; readonly uses: readonly ModelUse[] },
): readonly PermissionItem[] {
  return [
    ...section(t('Problems'), problems.map(problemItem)),
    ...section(t('Needs your approval'), pending.map(pendingItem)),
    ...RULE_EFFECTS.flatMap((effect) => section(HEADINGS[effect](), ofEffect(effect, entries, own.rules))),
    ...section(t('Models allowed for agents in this project'), own.uses.map(useItem)),
    ...section(t('Allowed in this chat'), own.rules.filter(({ effect }) => effect === 'allow').map(sessionItem)),
    ...section(t('Allowed in this turn'), own.grants.flatMap(grantItems)),
    ...section('', [
      { label: `$(add) ${t('Add Rule…')}`, act: { type: 'add' } },
      { label: `$(gear) ${t('Open Settings')}`, act: { type: 'open_settings' } },
    ]),
  ];
}

/** The rules with an effect: those that restrict a chat are beside those of the settings. */
function ofEffect(effect: RuleEffect, entries: readonly ListedEntry[], own: readonly PermissionRule[]): readonly PermissionItem[] {
  const ofSession = own.filter((rule) => rule.effect === effect && effect !== 'allow');
  return [...entries.filter(({ rule }) => rule.effect === effect).map(ruleItem), ...ofSession.map(sessionItem)];
}

function section(label: string, items: readonly PermissionItem[]): readonly PermissionItem[] {
  return items.length === 0 ? [] : [{ label, heading: true, act: { type: 'none' } }, ...items];
}

function problemItem(problem: string): PermissionItem {
  return { label: `$(warning) ${t('Invalid rule')}`, detail: escapeHidden(problem), act: { type: 'open_settings' } };
}

function pendingItem(list: PendingList): PermissionItem {
  const { length } = list.rules;
  const words = length === 1 ? t('Review 1 rule in {0}…', list.source.label) : t('Review {0} rules in {1}…', length, list.source.label);
  return { label: `$(unverified) ${words}`, act: { type: 'review', list } };
}

function useItem(uses: ModelUse): PermissionItem {
  const { agent, content, model, label } = uses;
  return {
    label: `${ICONS.allow} ${escapeHidden(t('{0} for {1}', label, agent))}`,
    description: content === BUILT_IN ? escapeHidden(model) : t('{0}, until the agent’s file changes', escapeHidden(model)),
    act: { type: 'model_use', uses },
  };
}

function sessionItem({ effect, text }: PermissionRule): PermissionItem {
  return { label: `${ICONS[effect]} ${escapeHidden(text)}`, description: t('this chat'), act: { type: 'session_rule', text, effect } };
}

function grantItems(grant: TurnGrant): readonly PermissionItem[] {
  return turnRules(grant).map(({ effect, text, turnOf = '' }) => ({
    label: `${ICONS[effect]} ${escapeHidden(text)}`,
    description: escapeHidden(turnOf),
    act: { type: 'grant', grant },
  }));
}

function ruleItem(entry: ListedEntry): PermissionItem {
  const { rule, source, state } = entry;
  const words = { holds: '', unreadable: ` · ${t('cannot be read')}`, needs_consent: ` · ${t('not approved yet')}` }[state];
  const limit = limitOf(rule);
  return {
    label: `${ICONS[rule.effect]} ${escapeHidden(rule.text)}`,
    description: `${source.label}${words}`,
    ...present({ detail: limit?.why }),
    act: { type: 'rule', entry },
  };
}
