import * as z from 'zod/mini';
import type { ApprovalKind, ApprovalStore } from '../domain/host/approvals.js';
import { listIn } from '../domain/host/memory.js';
import { t } from '../domain/l10n.js';
import type { Log } from '../domain/log.js';
import { type PermissionMode, parsePermissionMode } from '../domain/tool/permission.js';

const accepted = z.object({ session: z.string() });
type Accepted = z.infer<typeof accepted>;

/** Sessions that may change files unasked, in the workspace in which the user chose that. */
export const ACCEPTED_EDITS: ApprovalKind<Accepted> = {
  name: 'acceptEdits',
  most: 500,
  perWorkspace: true,
  read: (value) => accepted.safeParse(value).data,
  subjectOf: ({ session }) => session,
  earlier: (memory) =>
    listIn(memory, 'gnomon.acceptedEdits')
      .toReversed()
      .map((session) => ({ session })),
};

/** A session, as far as its mode is noted. */
interface FollowedMode {
  readonly id: string;
  readonly mode: PermissionMode;
  readonly onEvent: (listener: (event: { readonly type: string }) => void) => () => void;
}

/**
 * The sessions in which the user chose the mode that accepts edits. They are kept apart from the files of the sessions: the mode in such a file is
 * untrusted.
 */
export class AcceptedEdits {
  constructor(
    private readonly store: ApprovalStore<Accepted>,
    private readonly usual: () => PermissionMode,
    private readonly log: Pick<Log, 'error'>,
  ) {}

  /** Notes each mode that a session works in. @returns what to call when it is closed. */
  follow(session: FollowedMode): () => void {
    let noted: boolean | undefined;
    return session.onEvent(({ type }) => {
      if (type !== 'settings_changed' && type !== 'turn_started') return;
      const accepts = session.mode === 'acceptEdits';
      if (accepts === noted) return;
      const isKnown = noted === undefined && this.includes(session.id) === accepts;
      noted = accepts;
      if (!isKnown) this.note(session.id, accepts);
    });
  }

  /** The mode that a stored session continues in. @param stored what its file says @param id the session, or the one that it was branched off from */
  resumedMode(id: string, stored: string | undefined): PermissionMode {
    const mode = parsePermissionMode(stored);
    if (mode === undefined) return this.usual();
    return mode !== 'acceptEdits' || this.usual() === mode || this.includes(id) ? mode : 'default';
  }

  private includes(id: string): boolean {
    return this.store.list().some(({ session }) => session === id);
  }

  private note(id: string, accepts: boolean): void {
    this.store
      .change((all) => (accepts ? [{ session: id }, ...all] : all.filter(({ session }) => session !== id)))
      .catch((error: unknown) => this.log.error('It was not saved whether this chat accepts edits', error));
  }
}

/** Message for the user when the stored mode is not the one that the session continues in: a sentence, or nothing. */
export function notTakenOver(stored: string | undefined, mode: PermissionMode): readonly string[] {
  if (mode === stored) return [];
  if (stored === 'bypassPermissions')
    return [
      t('This chat was saved with the mode “Bypass permissions”, which counts only once you have chosen it in this window. Until then, Gnomon asks as usual.'),
    ];
  if (stored !== 'acceptEdits') return [];
  return [
    t('This chat was saved with the mode “Accept edits”, which you did not choose here. Gnomon asks before it edits; choose the mode again if you want it.'),
  ];
}
