import { escapeHidden } from '../domain/hidden-characters.js';
import { t } from '../domain/l10n.js';
import type { TurnGrant } from '../domain/tool/turn-grant.js';
import type { Dialogs } from '../domain/host/dialogs.js';
import { grantText } from './grant-labels.js';
import { canBeRead, fitsDialog } from './rules/consent-prompt.js';
import type { TurnGrants } from './turn-grants.js';

/** Shows all rules that a skill or command names, and lets the user approve them, or take that back. What cannot be shown whole cannot be approved. */
export async function reviewGrant(grant: TurnGrant, { grants, dialogs }: { readonly grants: TurnGrants; readonly dialogs: Dialogs }): Promise<void> {
  const state = await grants.stateOf(grant);
  const title = titleOf(grant, state === 'changed');
  if (!canBeRead(grant)) {
    await dialogs.modal(t('The list of allow rules in this file is too long to show.'), escapeHidden(grant.origin.display));
    return;
  }
  const act = state === 'approved' ? t('Revoke Approval') : state === 'waits' || state === 'changed' ? t('Approve') : undefined;
  const choices = act === undefined ? [] : [act];
  const answer = await (fitsDialog(grant)
    ? dialogs.modal(title, grantText(grant), ...choices)
    : dialogs.beside(title, { title: t('Allow Rules'), text: grantText(grant) }, ...choices));
  if (answer === undefined || answer !== act) return;
  if (state === 'approved') await grants.revoke(grant);
  else await grants.approve(grant);
}

function titleOf({ kind, name }: TurnGrant, changed: boolean): string {
  if (changed)
    return kind === 'skill'
      ? t('The skill “{0}” has changed. May it run the following without asking in its turn?', name)
      : t('The command “/{0}” has changed. May it run the following without asking in its turn?', name);
  return kind === 'skill'
    ? t('What the skill “{0}” may run without asking in its turn', name)
    : t('What the command “/{0}” may run without asking in its turn', name);
}
