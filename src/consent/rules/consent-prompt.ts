import { escapeHidden, hiddenCharacters } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { Dialogs } from '../../domain/host/dialogs.js';
import type { PendingList, SettingsRuleBook } from './settings-rule-book.js';

/** Rules that a notification names, and the characters it has for them. */
const NOTIFIED_RULES = 3;
const NOTIFIED_CHARACTERS = 160;
/** Most rules that a dialog shows in full; a longer list is shown in an editor. */
const MAX_SHOWN_RULES = 30;
const MAX_SHOWN_CHARACTERS = 2_000;
/** Most rules that can be approved: a user would not read more. */
const MAX_READ_RULES = 500;
const MAX_READ_CHARACTERS = 40_000;

/** Asks the user about rules by which a workspace would allow things. */
export class ConsentPrompt {
  /** Lists that this window has asked about, so that “Not now” is valid until the list changes. */
  private readonly asked = new Set<string>();

  constructor(
    private readonly book: SettingsRuleBook,
    private readonly dialogs: Dialogs,
  ) {}

  /** Asks about each list that waits and was not asked about before. Resolves when all are answered. */
  async askAll(): Promise<void> {
    const fresh = this.book.listing().pending.filter((list) => !this.asked.has(keyOf(list)));
    for (const list of fresh) this.asked.add(keyOf(list));
    await Promise.all(fresh.map((list) => this.ask(list)));
  }

  /** Shows a whole list and asks. Nothing is cut off: what cannot be shown whole cannot be agreed to. */
  async review(list: PendingList): Promise<void> {
    if (!canBeRead(list)) {
      await this.dialogs.modal(t('The list of allow rules in this workspace is too long to show.'), tooLong(list));
      return;
    }
    const allow = t('Allow');
    const detail = detailOf(list);
    const answer = await (fitsDialog(list)
      ? this.dialogs.modal(t('This workspace wants Gnomon to allow the following without asking. Approve these rules?'), detail, allow)
      : this.dialogs.beside(
          t('This workspace wants Gnomon to allow what the editor shows without asking: {0}. Approve all of them?', countOf(list.rules.length)),
          { title: t('Allow Rules'), text: detail },
          allow,
        ));
    if (answer === allow) await this.book.agree(list);
  }

  private async ask(list: PendingList): Promise<void> {
    const whole = fitsNotification(list);
    const review = t('Review');
    const allow = t('Allow');
    const answer = await this.dialogs.notify('info', wordsOf(list, whole), review, ...(whole ? [allow] : []), t('Not Now'));
    if (answer === review) await this.review(list);
    else if (answer === allow && whole) await this.book.agree(list);
  }
}

function tooLong({ source }: PendingList): string {
  return t(
    'At most {0} rules with {1} characters in total can be approved at once, so that you can see all of them. ' +
      'Shorten the list of allow rules in {2}, or move rules to your user settings.',
    MAX_READ_RULES,
    MAX_READ_CHARACTERS,
    source.label,
  );
}

function keyOf({ source, rules }: PendingList): string {
  return JSON.stringify([source.id, [...rules].sort()]);
}

function wordsOf({ rules, fresh }: PendingList, whole: boolean): string {
  const changed = fresh.length < rules.length;
  if (fresh.length === 0) return t('This workspace changed its allow rules. None of them apply until you approve them.');
  const shown = whole ? fresh.map(escapeHidden).join(', ') : countOf(fresh.length);
  return changed
    ? t('This workspace also wants Gnomon to allow the following without asking: {0}.', shown)
    : t('This workspace wants Gnomon to allow the following without asking: {0}.', shown);
}

function countOf(rules: number): string {
  return rules === 1 ? t('1 rule to review') : t('{0} rules to review', rules);
}

/** Whether a notification shows all that would be agreed to. What was agreed to before is in the list, too. */
function fitsNotification({ rules, fresh }: PendingList): boolean {
  const short = fresh.length > 0 && fresh.length <= NOTIFIED_RULES && fresh.join(', ').length <= NOTIFIED_CHARACTERS;
  return short && rules.length <= MAX_SHOWN_RULES && rules.every((rule) => hiddenCharacters(rule) === undefined && !/[\n\t]|\]\(/.test(rule));
}

/** Whether anybody would read a whole list of rules. */
export function canBeRead({ rules }: Pick<PendingList, 'rules'>): boolean {
  return rules.length <= MAX_READ_RULES && rules.map(escapeHidden).join('\n').length <= MAX_READ_CHARACTERS;
}

/** Whether a dialog shows a whole list of rules. */
export function fitsDialog({ rules }: Pick<PendingList, 'rules'>): boolean {
  return rules.length <= MAX_SHOWN_RULES && rules.map(escapeHidden).join('\n').length <= MAX_SHOWN_CHARACTERS;
}

function detailOf({ source, rules, fresh }: PendingList): string {
  const isChange = fresh.length < rules.length;
  const lines = rules.map((rule) => (isChange && fresh.includes(rule) ? t('• {0}   (new)', escapeHidden(rule)) : `• ${escapeHidden(rule)}`));
  return [
    ...lines,
    '',
    t(
      'These rules are in {0}, which others can edit, and apply to everything in this window. ' +
        'Deny and ask rules still take precedence. If the list changes, Gnomon asks you again.',
      source.label,
    ),
  ].join('\n');
}
