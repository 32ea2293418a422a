import type { Memory } from '../domain/host/memory.js';
import { t } from '../domain/l10n.js';
import { type PermissionMode, parsePermissionMode } from '../domain/tool/permission.js';

/** Where it is kept which sessions may change files unasked. */
const KEY = 'gnomon.acceptedEdits';
/** Sessions that are remembered; of more, the latest. */
const MOST = 500;

/** A session, as far as its mode is noted. */
interface FollowedMode {
  readonly id: string;
  readonly mode: PermissionMode;
  readonly onEvent: (listener: (event: { readonly type: string }) => void) => () => void;
}

/**
 * The sessions in which the user chose the mode that accepts edits. VS Code stores them, apart from the files of the
 * sessions: the mode in such a file is untrusted.
 */
export class AcceptedEdits {
  constructor(
    private readonly memory: Memory,
    private readonly usual: () => PermissionMode,
  ) {}

  /** Notes each mode that a session works in. @returns what to call when it is closed. */
  follow(session: FollowedMode): () => void {
    let noted: boolean | undefined;
    return session.onEvent(({ type }) => {
      if (type !== 'settings_changed' && type !== 'turn_started') return;
      const accepts = session.mode === 'acceptEdits';
      if (accepts === noted) return;
      noted = accepts;
      const ids = this.ids();
      if (ids.includes(session.id) === accepts) return;
      const others = ids.filter((id) => id !== session.id);
      void this.memory.update(KEY, accepts ? [...others, session.id].slice(-MOST) : others);
    });
  }

  /** The mode that a stored session continues in. @param stored what its file says @param id the session, or the one that it was branched off from */
  resumedMode(id: string, stored: string | undefined): PermissionMode {
    const mode = parsePermissionMode(stored);
    if (mode === undefined) return this.usual();
    return mode !== 'acceptEdits' || this.usual() === mode || this.ids().includes(id) ? mode : 'default';
  }

  private ids(): readonly string[] {
    const value = this.memory.get(KEY);
    return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : [];
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
