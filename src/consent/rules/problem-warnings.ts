import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { Dialogs } from '../../domain/host/dialogs.js';

/** Problems that one warning names. */
const NAMED = 3;
/** Characters of a problem that a warning shows. */
const MAX_CHARACTERS = 300;

/** Tells the user loudly what is wrong with the rules in the settings: again whenever that has changed. */
export class ProblemWarnings {
  private shown: readonly string[] = [];

  constructor(
    private readonly dialogs: Dialogs,
    private readonly openSettings: () => Promise<void>,
  ) {}

  /** Shows the problems that there are now, unless they are those that were shown last. */
  async show(problems: readonly string[]): Promise<void> {
    const isKnown = problems.length === this.shown.length && problems.every((problem) => this.shown.includes(problem));
    this.shown = problems;
    if (isKnown || problems.length === 0) return;
    const open = t('Open Settings');
    const answer = await this.dialogs.notify('warning', wordsOf(problems), open);
    if (answer === open) await this.openSettings();
  }
}

function wordsOf(problems: readonly string[]): string {
  const more = problems.length - NAMED;
  const rest = more > 0 ? [more === 1 ? t('And 1 more problem.') : t('And {0} more problems.', more)] : [];
  const named = [...problems.slice(0, NAMED).map(shown), ...rest].join(' ');
  return t('Gnomon cannot read all permission rules. {0} Until they are fixed, Gnomon asks more often.', named);
}

function shown(problem: string): string {
  const text = escapeHidden(problem);
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
