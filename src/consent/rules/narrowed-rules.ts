import type { Memory } from '../../domain/host/memory.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { Dialogs } from '../../domain/host/dialogs.js';
import type { RuleListing } from './settings-rule-book.js';

/** Storage key of the rules that the user was notified about. */
const KEY = 'gnomon.permissions.narrowedRules';
/** Rules that the notification names, and characters of each. */
const NAMED = 3;
const NAMED_CHARACTERS = 60;

/**
 * Tells the user once about allow rules for commands that let nothing pass: earlier versions saved them for any program, and what
 * runs under them is not known. The rules stay where they are.
 */
export class NarrowedRules {
  constructor(
    private readonly dialogs: Dialogs,
    private readonly memory: Memory,
    private readonly review: () => PromiseLike<unknown>,
  ) {}

  /** Notifies the user of rules that were not shown before. */
  async show({ entries }: Pick<RuleListing, 'entries'>): Promise<void> {
    const known = this.told();
    const idle = entries.filter(({ state, limit }) => state === 'holds' && limit?.kind === 'nothing').map(({ rule }) => rule.text);
    const fresh = [...new Set(idle)].filter((text) => !known.includes(text));
    if (fresh.length === 0) return;
    await this.memory.update(KEY, [...known, ...fresh]);
    const review = t('Review');
    if ((await this.dialogs.notify('info', wordsOf(fresh), review)) === review) await this.review();
  }

  private told(): readonly string[] {
    const value = this.memory.get(KEY);
    return Array.isArray(value) ? (value as unknown[]).filter((text) => typeof text === 'string') : [];
  }
}

function wordsOf(rules: readonly string[]): string {
  const named = rules
    .slice(0, NAMED)
    .map((text) => escapeHidden(text.length > NAMED_CHARACTERS ? `${text.slice(0, NAMED_CHARACTERS)}…` : text))
    .join(', ');
  const more = rules.length - NAMED;
  const all = more > 0 ? t('{0} and {1} more', named, more) : named;
  return t(
    'Gnomon asks again about commands that these saved rules allowed, because it does not know ' +
      'which arguments of the programs run other code: {0}. The rules are still in your settings.',
    all,
  );
}
