import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { Dialogs } from '../../domain/host/dialogs.js';
import type { SessionActivity } from './session-activity.js';

/** Characters of a title that a notification shows. */
const MAX_TITLE = 60;

/** Dependencies of {@link alertWhenFinished}. */
export interface FinishDeps {
  readonly activity: SessionActivity;
  readonly dialogs: Dialogs;
  readonly log: Log;
  /** Whether the user wants to be notified of conversations that have finished. */
  readonly wanted: () => boolean;
  /** Whether the user works in this window. */
  readonly windowFocused: () => boolean;
  readonly open: (id: string) => Promise<void>;
}

/** Tells the user of a conversation that has finished while they were elsewhere, and leads to it. Returns what ends that. */
export function alertWhenFinished({ activity, dialogs, log, wanted, windowFocused, open }: FinishDeps): () => void {
  const tell = async (id: string, title: string): Promise<void> => {
    const name = escapeHidden(title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE)}…` : title);
    const show = t('Show');
    if ((await dialogs.notify('info', t('Gnomon finished “{0}”.', name), show)) === show) await open(id);
  };
  return activity.onDidFinish(({ id, title }) => {
    if (!wanted() || windowFocused()) return;
    tell(id, title).catch((error: unknown) => log.error('A conversation that has finished could not be shown', error));
  });
}
