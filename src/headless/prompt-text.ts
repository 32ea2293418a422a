import { type UserContent, text } from '../domain/model/content.js';
import { attachedBlock, withWords } from '../domain/session/attached.js';
import type { AgentSession } from '../engine/agent-session.js';
import type { TurnOptions } from '../engine/turn/turn-scope.js';
import type { NamedFile } from '../mentions/attach-file.js';
import type { HeadlessHost } from './open-host.js';

/** What a user has written, with what comes with it. */
export interface Written {
  readonly words: string;
  /** The part of the words that mentions are looked for in. Left out: all of them. */
  readonly mentioning?: string;
  /** Files that come with the words as links, and are attached as those that are mentioned. */
  readonly linked?: readonly NamedFile[];
  /** What else is sent, such as images. Left out: nothing. */
  readonly attached?: readonly UserContent[];
  /** A text that is data: no command and no mention is looked for in it. */
  readonly data?: string | undefined;
}

/** What that asks for. */
export type Asked =
  | { readonly kind: 'message'; readonly content: readonly UserContent[]; readonly options: TurnOptions; readonly notes: readonly string[] }
  /** A summary of the conversation. */
  | { readonly kind: 'compact'; readonly keep: string };

/** Services that look up what is written for a session. */
export interface PromptParts extends Pick<HeadlessHost, 'host' | 'documents'> {
  readonly session: AgentSession;
  readonly signal: AbortSignal;
}

/** Name of what stood in a pipe, among what is attached. */
const PIPED = 'standard input';

/** The content of a message. Data is attached: a text of others, such as a difference, is not in the user’s own words. */
export function withData(attached: readonly UserContent[], words: string, data = ''): readonly UserContent[] {
  const all = [...attached, ...(data.trim() === '' ? [] : [attachedBlock({ name: PIPED, text: data })])];
  return all.length === 0 ? [text(words)] : withWords(all, words);
}

/** Words and data as one text, for a command that has places for what stands behind it. */
export function wordsWithData(words: string, data: string | undefined): string {
  return [words, data].filter((part) => part !== undefined && part.trim() !== '').join('\n\n');
}
