import type { Disposable } from '../domain/host/disposable.js';
import type { Memory } from '../domain/host/memory.js';
import { escapeHidden } from '../domain/hidden-characters.js';
import { t } from '../domain/l10n.js';
import type { Log } from '../domain/log.js';
import type { Dialogs } from '../domain/host/dialogs.js';

/** Kind of approvals: hooks, or MCP servers. */
export type ApprovedKind = 'hooks' | 'servers';

/** Milliseconds that are waited for more: hooks and servers are read at about the same time. */
const TELL_MS = 2_000;
/** Names that are shown, and names that are remembered. */
const MAX_SHOWN = 5;
const MAX_TOLD = 500;
const KEY = 'gnomon.toldOfMoreBound';

/** Services for the one-time notice about approvals that cover more than before: the dialog, and a memory of what was shown. */
export interface MoreBoundDeps {
  readonly dialogs: Pick<Dialogs, 'notify'>;
  /** Where it is kept what was shown, for all windows. */
  readonly memory: Memory;
  /** Shows where the user reviews them. */
  readonly review: (kind: ApprovedKind) => PromiseLike<unknown>;
  readonly log: Log;
}

/** Says once, for all of them together, that approvals of earlier versions are bound to more by now. They stay approved. */
export class MoreBound implements Disposable {
  /** By key. */
  private readonly waiting = new Map<string, { readonly kind: ApprovedKind; readonly name: string }>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly deps: MoreBoundDeps) {}

  /** Those that were shown are left out, by their keys. */
  add(kind: ApprovedKind, approved: readonly { readonly key: string; readonly name: string }[]): void {
    const told = this.told();
    for (const { key, name } of approved) if (!told.includes(key)) this.waiting.set(key, { kind, name });
    if (this.waiting.size === 0) return;
    const failed = (error: unknown): void => this.deps.log.error('It could not be said that approvals are bound to more', error);
    this.timer ??= setTimeout(() => void this.tell().catch(failed), TELL_MS);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private async tell(): Promise<void> {
    this.timer = undefined;
    const [keys, all] = [[...this.waiting.keys()], [...this.waiting.values()]];
    this.waiting.clear();
    await this.deps.memory.update(KEY, [...keys, ...this.told()].slice(0, MAX_TOLD));
    const names = all.map(({ name }) => escapeHidden(name));
    const shown = [...names.slice(0, MAX_SHOWN), ...(names.length > MAX_SHOWN ? ['…'] : [])].join(', ');
    const review = t('Review');
    const words = t('Gnomon now also binds more of what you approved: {0}. It stays approved.', shown);
    if ((await this.deps.dialogs.notify('info', words, review)) === review) await this.deps.review(all[0]?.kind ?? 'hooks');
  }

  private told(): readonly string[] {
    const kept: unknown = this.deps.memory.get(KEY);
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : [];
  }
}
