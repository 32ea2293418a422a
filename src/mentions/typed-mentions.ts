import { type SpecialMention, MENTION, mayBegin, SPECIAL_MENTIONS, pathMention, resourceIn, withoutSentence } from '../protocol/mention-syntax.js';
import type { LineRange } from '../text/text-edit.js';
import type { Mention } from './mention-deps.js';
import type { MentionOffer } from '../protocol/host/composer-messages.js';
import { t } from '../domain/l10n.js';
import type { SymbolPlace, Symbols } from '../domain/workspace/code-intelligence.js';
import { showName } from '../text/show.js';
import type { ResourceMentions } from './resource-mentions.js';
import type { PathIndex } from './path-index.js';

/** Characters of a text in which mentions are looked for: enough for what a user types, not for files that they paste. */
const MAX_LOOKED_AT = 200_000;
const LINES = /:(\d{1,9})(?:-(\d{1,9}))?$/;

/**
 * Parses the mentions in a text, in order, each once.
 * @param isServer whether there is an MCP server with an id: only then is a word with a colon one of its resources
 */
export function parseMentions(text: string, isServer: (id: string) => boolean = () => false): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const match of text.slice(0, MAX_LOOKED_AT).matchAll(MENTION)) {
    if (!mayBegin(text, match.index)) continue;
    const mention = mentionIn(match, isServer);
    if (mention !== undefined) found.set(JSON.stringify(mention), mention);
  }
  return [...found.values()];
}

function mentionIn([, path, lines = '', server, uri, word = '']: RegExpExecArray, isServer: (id: string) => boolean): Mention | undefined {
  if (path !== undefined) return pathOf(path + lines, true, lines !== '');
  if (server !== undefined && uri !== undefined) return isServer(server) ? { kind: 'resource', server, uri } : mentionOf(server);
  const bare = withoutSentence(word);
  const resource = resourceIn(bare);
  return resource !== undefined && isServer(resource.server) ? { kind: 'resource', ...resource } : mentionOf(bare);
}

function mentionOf(word: string): Mention | undefined {
  if (word === '') return undefined;
  if (word.startsWith('#')) return /^#[\p{L}_$]/u.test(word) ? { kind: 'symbol', name: word.slice(1) } : undefined;
  if (/^https?:\/\//i.test(word)) return URL.canParse(word) ? { kind: 'url', url: word } : undefined;
  return specialOf(word) ?? pathOf(word, /[./\\]/.test(word), true);
}

function specialOf(word: string): Mention | undefined {
  const [name = '', ...rest] = word.split(':');
  const kind = SPECIAL_MENTIONS.find((special): special is SpecialMention => special === name);
  if (kind === undefined) return undefined;
  const path = rest.join(':');
  if (path === '') return { kind };
  if (kind !== 'problems') return undefined;
  const lines = LINES.exec(path);
  return lines === null ? { kind, path } : { kind, path: path.slice(0, lines.index), lines: linesOf(lines) };
}

function pathOf(word: string, sure: boolean, mayHaveLines: boolean): Mention {
  const lines = mayHaveLines ? LINES.exec(word) : null;
  if (lines === null) return { kind: 'path', path: word, sure };
  return { kind: 'path', path: word.slice(0, lines.index), lines: linesOf(lines), sure: true };
}

function linesOf([, from = '1', to = from]: RegExpExecArray): LineRange {
  const [a, b] = [Math.max(1, Number(from)), Math.max(1, Number(to))];
  return { first: Math.min(a, b), last: Math.max(a, b) };
}

/** Offers of one answer. */
const MAX_OFFERS = 30;
/** Those of them that are resources of servers. */
const MAX_RESOURCES = 10;

function specialOffers(): readonly (MentionOffer & { readonly word: SpecialMention | '#' | 'https://' })[] {
  return [
    { word: 'problems', insert: '@problems', kind: 'problems', label: t('Problems'), detail: t('Errors and warnings') },
    { word: 'changes', insert: '@changes', kind: 'changes', label: t('Uncommitted changes'), detail: t('Since the last commit') },
    { word: 'editors', insert: '@editors', kind: 'editors', label: t('Open editors'), detail: t('List open files') },
    { word: 'terminal', insert: '@terminal', kind: 'terminal', label: t('Terminal selection'), detail: t('In the active terminal') },
    { word: '#', insert: '@#', kind: 'symbol', label: t('Symbol…'), detail: t('Search by name') },
    { word: 'https://', insert: '@https://', kind: 'web', label: t('Web page…'), detail: t('Enter a URL') },
  ];
}

/** Sources of mention offers. */
interface OfferDeps {
  /** Files and folders as they are now, or were a moment ago. */
  readonly paths: (signal: AbortSignal) => Promise<PathIndex>;
  readonly symbols: Pick<Symbols, 'search'>;
  readonly resources: Pick<ResourceMentions, 'offers'>;
  /** Display paths of recently viewed files, newest first: offered while nothing is typed. */
  readonly recent: () => readonly string[];
  /** The display form of a path. */
  readonly display: (path: string) => string;
}

/**
 * Mentions to offer after an `@`, best first.
 * @throws AbortError when the signal is aborted.
 */
export async function mentionOffers(query: string, deps: OfferDeps, signal: AbortSignal): Promise<readonly MentionOffer[]> {
  if (query.startsWith('#')) return symbolOffers(query.slice(1), deps, signal);
  if (/^https?:/i.test(query)) return [];
  const typed = query.toLowerCase();
  const specials = specialOffers()
    .filter(({ word }) => word.startsWith(typed))
    .map(({ word: _, ...offer }) => offer);
  const index = await deps.paths(signal);
  const found = query === '' ? deps.recent() : await index.find(query, MAX_OFFERS, signal);
  // A word that was begun is most likely one of the few; with nothing typed the files come first.
  const resources = deps.resources.offers(query, MAX_RESOURCES);
  const files = found.slice(0, MAX_OFFERS - specials.length - resources.length).map(pathOffer);
  return query === '' ? [...files, ...specials, ...resources] : [...specials, ...files, ...resources];
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
  return {
    insert: pathMention(path),
    kind: folder ? 'folder' : 'file',
    label: showName(path.slice(start)),
    detail: showName(path.slice(0, Math.max(0, start - 1))),
  };
}
