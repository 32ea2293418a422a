import { escapeHidden } from '../domain/hidden-characters.js';
import { t } from '../domain/l10n.js';
import type { TurnGrant } from '../domain/tool/turn-grant.js';
import { turnRulesIn } from '../permission/rules/turn-rules.js';
import { limitOf } from '../permission/rules/rule-coverage.js';
import type { GrantState } from './turn-grants.js';

/** Whether the rules of a skill or command count, in words for a list; empty where there is nothing that could. */
export function grantStateText(state: GrantState): string {
  switch (state) {
    case 'own':
      return t('Allows tools in its turn');
    case 'approved':
      return t('Allows tools in its turn, as you approved');
    case 'waits':
      return t('Tools to be allowed wait for your approval');
    case 'changed':
      return t('Changed since you approved its tools');
    case 'nothing':
      return '';
  }
}

/** All of a grant, for the user to read before they approve it: every rule that could count, and those that cannot. */
export function grantText({ origin, rules }: TurnGrant): string {
  const { usable, refused } = turnRulesIn(rules);
  return [
    ...usable.flatMap((rule) => [`• ${escapeHidden(rule)}`, ...limitText(rule)]),
    ...(refused.length === 0 ? [] : ['', t('Never allowed:'), ...refused.map(({ why }) => `• ${escapeHidden(why)}`)]),
    '',
    t(
      'This is in {0}. It counts only in turns in which it is used, never for what is denied or always asks, and no longer than the file stays as it is.',
      escapeHidden(origin.display),
    ),
  ].join('\n');
}

function limitText(text: string): readonly string[] {
  const limit = limitOf({ effect: 'allow', text, scope: 'session' });
  return limit === undefined ? [] : [`  ${limit.why}`];
}
