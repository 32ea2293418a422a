import { escapeHidden } from '../../domain/hidden-characters.js';
import type { PermissionRule, RuleEffect } from '../../domain/permission.js';
import { RULE_EFFECTS } from '../../domain/permission.js';
import type { ListedEntry, PendingList, RuleListing } from './settings-rule-book.js';

/** What choosing a line of the list does. */
export type PermissionAct =
  | { readonly type: 'none' }
  | { readonly type: 'add' }
  | { readonly type: 'open_settings' }
  | { readonly type: 'review'; readonly list: PendingList }
  | { readonly type: 'rule'; readonly entry: ListedEntry }
  | { readonly type: 'session_rule'; readonly text: string };

/** A line of “Manage Permissions”. One that only says something does nothing. */
export interface PermissionItem {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly act: PermissionAct;
  /** A heading over the lines that follow. */
  readonly heading?: true;
}

const HEADINGS: Readonly<Record<RuleEffect, string>> = { deny: 'Never', ask: 'Always ask', allow: 'Allowed without asking' };
const ICONS: Readonly<Record<RuleEffect, string>> = { deny: '$(circle-slash)', ask: '$(question)', allow: '$(check)' };

/**
 * The lines of “Manage Permissions”: problems first, then what waits, then every rule, then what can be done.
 * @param own the rules of the conversation that is shown.
 */
export function permissionItems({ entries, problems, pending }: RuleListing, own: readonly PermissionRule[]): readonly PermissionItem[] {
  return [
    ...section('Problems', problems.map(problemItem)),
    ...section('Waits for your consent', pending.map(pendingItem)),
    ...RULE_EFFECTS.flatMap((effect) => section(HEADINGS[effect], entries.filter(({ rule }) => rule.effect === effect).map(ruleItem))),
    ...section('Allowed in this session', own.map(sessionItem)),
    ...section('', [
      { label: '$(add) Add a rule…', act: { type: 'add' } },
      { label: '$(gear) Open the settings', act: { type: 'open_settings' } },
    ]),
  ];
}

function section(label: string, items: readonly PermissionItem[]): readonly PermissionItem[] {
  return items.length === 0 ? [] : [{ label, heading: true, act: { type: 'none' } }, ...items];
}

function problemItem(problem: string): PermissionItem {
  return { label: '$(warning) A rule cannot be read', detail: escapeHidden(problem), act: { type: 'open_settings' } };
}

function pendingItem(list: PendingList): PermissionItem {
  const count = `${list.rules.length} ${list.rules.length === 1 ? 'rule' : 'rules'}`;
  return { label: `$(unverified) Review ${count} of ${list.source.label}…`, act: { type: 'review', list } };
}

function sessionItem({ effect, text }: PermissionRule): PermissionItem {
  return { label: `${ICONS[effect]} ${escapeHidden(text)}`, description: 'this session', act: { type: 'session_rule', text } };
}

function ruleItem(entry: ListedEntry): PermissionItem {
  const { rule, source, state } = entry;
  const words = { holds: '', unreadable: ' · cannot be read', needs_consent: ' · waits for your consent' }[state];
  return { label: `${ICONS[rule.effect]} ${escapeHidden(rule.text)}`, description: `${source.label}${words}`, act: { type: 'rule', entry } };
}
