import type { MentionOffer } from '../../protocol/host/composer-messages.js';
import type { SpecialMention } from '../../protocol/mention-syntax.js';
import { pathMention } from '../../protocol/mention-syntax.js';
import { t } from '../../domain/l10n.js';
import type { SymbolPlace, Symbols } from '../../domain/workspace/symbols.js';
import { showName } from '../../text/show.js';
import type { PathIndex } from './path-index.js';

/** Offers of one answer. */
const MAX_OFFERS = 30;

function specialOffers(): readonly (MentionOffer & { readonly word: SpecialMention | '#' | 'https://' })[] {
  return [
    { word: 'problems', insert: '@problems', kind: 'special', label: 'problems', detail: t('Errors and warnings in the workspace') },
    { word: 'changes', insert: '@changes', kind: 'special', label: 'changes', detail: t('Changes since the last commit') },
    { word: 'editors', insert: '@editors', kind: 'special', label: 'editors', detail: t('Names of open editors') },
    { word: 'terminal', insert: '@terminal', kind: 'special', label: 'terminal', detail: t('Terminal selection') },
    { word: '#', insert: '@#', kind: 'special', label: '#', detail: t('Workspace symbol, by name') },
    { word: 'https://', insert: '@https://', kind: 'special', label: 'https://', detail: t('Web page (fetched by the model)') },
  ];
}

/** What offers are made from. */
export interface OfferDeps {
  /** Files and folders as they are now, or were a moment ago. */
  readonly paths: (signal: AbortSignal) => Promise<PathIndex>;
  readonly symbols: Pick<Symbols, 'search'>;
  /** Display paths of recently viewed files, newest first: offered while nothing is typed. */
  readonly recent: () => readonly string[];
  /** The display form of a path. */
  readonly display: (path: string) => string;
}

/**
 * What may follow an `@`, best first.
 * @throws AbortError when the signal is aborted.
 */
export async function mentionOffers(query: string, deps: OfferDeps, signal: AbortSignal): Promise<readonly MentionOffer[]> {
  if (query.startsWith('#')) return symbolOffers(query.slice(1), deps, signal);
  if (/^https?:/i.test(query)) return [];
  const typed = query.toLowerCase();
  const specials = specialOffers().filter(({ word }) => word.startsWith(typed)).map(({ word: _, ...offer }) => offer);
  const index = await deps.paths(signal);
  const found = query === '' ? deps.recent() : await index.find(query, MAX_OFFERS, signal);
  // A word that was begun is most likely one of the few; with nothing typed the files come first.
  const files = found.map(pathOffer);
  return (query === '' ? [...files.slice(0, MAX_OFFERS - specials.length), ...specials] : [...specials, ...files]).slice(0, MAX_OFFERS);
}

async function symbolOffers(name: string, { symbols, display }: OfferDeps, signal: AbortSignal): Promise<readonly MentionOffer[]> {
  if (name === '') return [];
  const places = await symbols.search(name, signal);
  return places.slice(0, MAX_OFFERS).flatMap((place) => symbolOffer(place, display));
}

function symbolOffer({ name = '', kind = '', path, line }: SymbolPlace, display: OfferDeps['display']): readonly MentionOffer[] {
  const own = name.split('.').at(-1) ?? '';
  // What cannot be written as a word is not found again by it.
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(own)) return [];
  return [{ insert: `@#${own}`, kind: 'symbol', label: showName(name), detail: `${kind} · ${showName(display(path))}:${line}` }];
}

function pathOffer(path: string): MentionOffer {
  const folder = path.endsWith('/');
  const start = path.lastIndexOf('/', path.length - 2) + 1;
  return { insert: pathMention(path), kind: folder ? 'folder' : 'file', label: showName(path.slice(start)), detail: showName(path.slice(0, Math.max(0, start - 1))) };
}
