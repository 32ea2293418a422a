import type { TaskKind } from '../domain/model/task-kind.js';

/** Where a chat is when a message is sent. */
export interface ChatState {
  /** Tokens that a server has in its cache for this chat. */
  readonly cachedTokens: number;
  /** Milliseconds since the cache was last used, and for which it lives; absent where that is not known. */
  readonly cacheAgeMs?: number;
  readonly cacheLifetimeMs?: number;
  /** Whether what was said has been summarized since the last request, so that nothing of it is in the cache. */
  readonly isSummarized: boolean;
  /** The kind of the last task; absent in a new chat. */
  readonly lastKind?: TaskKind;
  readonly kind: TaskKind;
}

/** Why another model may be chosen now, or why the chat keeps the one that it has. */
export type Boundary =
  | { readonly may: true; readonly because: 'newChat' | 'summarized' | 'nothingCached' | 'cacheCold' | 'kindChanged' }
  | { readonly may: false; readonly because: 'cached' };

/**
 * Kinds that ask for about the same of a model. Changing between groups is a large change of kind, except to what is easier: a model that does the
 * work can also do that, and the cache is worth more than what another one costs less.
 */
const DEMANDS: Readonly<Record<TaskKind, 'little' | 'work' | 'overview' | 'security'>> = {
  boilerplate: 'little',
  explain: 'little',
  generation: 'work',
  refactor: 'work',
  review: 'work',
  unit_test: 'work',
  debug: 'work',
  planning: 'overview',
  orchestration: 'overview',
  security_review: 'security',
};

/** Whether a model is chosen anew: only where its cache is lost anyway, or where the work becomes another one. */
export function mayChoose({ cachedTokens, cacheAgeMs, cacheLifetimeMs, isSummarized, lastKind, kind }: ChatState): Boundary {
  if (lastKind === undefined) return { may: true, because: 'newChat' };
  if (isSummarized) return { may: true, because: 'summarized' };
  if (!(cachedTokens > 0)) return { may: true, because: 'nothingCached' };
  if (cacheAgeMs !== undefined && cacheLifetimeMs !== undefined && cacheAgeMs > cacheLifetimeMs) return { may: true, because: 'cacheCold' };
  return isLargeChange(lastKind, kind) ? { may: true, because: 'kindChanged' } : { may: false, because: 'cached' };
}

/** Whether the work becomes another one. */
export function isLargeChange(from: TaskKind, to: TaskKind): boolean {
  return DEMANDS[from] !== DEMANDS[to] && !(DEMANDS[from] === 'work' && DEMANDS[to] === 'little');
}
