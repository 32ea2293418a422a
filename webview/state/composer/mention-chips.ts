import { mayBegin, MENTION, resourceIn, SPECIAL_MENTIONS, withoutSentence } from '../../../src/protocol/mention-syntax.js';
import type { MentionKind } from '../../../src/protocol/host/composer-messages.js';

/** Characters of a text in which mentions are looked for, and how many of them are shown. */
const MAX_LOOKED_AT = 20_000;
const MAX_CHIPS = 20;

/** A mention in the text, as it is shown above the text. */
export interface MentionChip {
  readonly kind: MentionKind;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Names of resources by mention; empty for invalid ones, absent while not known. */
export type ResourceNames = ReadonlyMap<string, string>;

/** Certain mentions in a text, in order, each once. */
export function mentionChips(text: string, names: ResourceNames = new Map()): readonly MentionChip[] {
  const found = new Map<string, MentionChip>();
  for (const match of text.slice(0, MAX_LOOKED_AT).matchAll(MENTION)) {
    if (!mayBegin(text, match.index)) continue;
    const written = writtenIn(match);
    const name = mentionsResource(match) ? names.get(written) : undefined;
    const chip = name === undefined || name === '' ? chipOf(match[1] ?? written.slice(1), match[1] !== undefined) : { kind: 'resource' as const, name };
    if (chip !== undefined && !found.has(written) && found.size < MAX_CHIPS)
      found.set(written, { ...chip, start: match.index, end: match.index + written.length });
  }
  return [...found.values()];
}

/** Possible mentions of server resources in a text, for the host to check. */
export function resourcesIn(text: string): readonly string[] {
  const matches = [...text.slice(0, MAX_LOOKED_AT).matchAll(MENTION)].filter((match) => mayBegin(text, match.index) && mentionsResource(match));
  return [...new Set(matches.map(writtenIn))].slice(0, MAX_CHIPS);
}

function writtenIn(match: RegExpExecArray): string {
  return match[5] === undefined ? match[0] : `@${withoutSentence(match[5])}`;
}

function mentionsResource(match: RegExpExecArray): boolean {
  return match[3] !== undefined || (match[5] !== undefined && resourceIn(withoutSentence(match[5])) !== undefined);
}

/** A text without one of its mentions, and without the space that was behind it. */
export function withoutMention(text: string, { start, end }: MentionChip): string {
  return text.slice(0, start) + text.slice(text.charAt(end) === ' ' ? end + 1 : end);
}

function chipOf(word: string, quoted: boolean): Pick<MentionChip, 'kind' | 'name'> | undefined {
  const special = SPECIAL_MENTIONS.find((each) => word === each || word.startsWith(`${each}:`));
  if (!quoted && special !== undefined) return { kind: special, name: word };
  if (!quoted && word.startsWith('#')) return word.length > 1 ? { kind: 'symbol', name: word.slice(1) } : undefined;
  if (!quoted && /^https?:\/\//i.test(word)) return URL.canParse(word) ? { kind: 'web', name: new URL(word).host } : undefined;
  // A single word may be a name in a sentence.
  if (!quoted && !/[./\\]/.test(word)) return undefined;
  const folder = /[/\\]$/.test(word);
  return { kind: folder ? 'folder' : 'file', name: word.split(/[/\\]/).findLast((part) => part !== '') ?? word };
}
