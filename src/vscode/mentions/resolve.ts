import { assertNever } from '../../domain/assert-never.js';
import { attachedBlock } from '../../domain/session/attached.js';
import type { UserContent } from '../../domain/model/content.js';
import { errorMessage } from '../../domain/errors.js';
import { showName } from '../../text/show.js';
import { attachFile, exists } from './attach-file.js';
import { attachEditors, attachProblems, attachTerminal } from './attach-special.js';
import { attachSymbol } from './attach-symbol.js';
import { attachChanges } from './git-changes.js';
import type { Mention } from './mention.js';
import { parseMentions } from './parse.js';
import type { Lookup, MentionPorts } from './ports.js';

/** Mentions of one message that are looked up. */
const MAX_MENTIONS = 30;
/** Characters that all mentions of a message attach together, some 60,000 tokens. */
const MAX_CHARACTERS = 240_000;
/** Bytes of all pictures together. */
const MAX_PICTURES = 20 * 1024 * 1024;

/**
 * What goes with a text because it mentions it, as blocks in the order of the text. What cannot be attached is told in words;
 * rejects only when the signal is aborted.
 */
export async function resolveMentions(text: string, ports: MentionPorts, signal: AbortSignal): Promise<readonly UserContent[]> {
  const mentions = parseMentions(text);
  if (mentions.length === 0) return [];
  const lookup: Lookup = { ...ports, mayShow: await ports.readGuard(), signal };
  const found = await Promise.all(mentions.slice(0, MAX_MENTIONS).map((mention) => attach(mention, lookup)));
  const room = { characters: MAX_CHARACTERS, bytes: MAX_PICTURES };
  const blocks = found.flatMap((part, index) => withinRoom(part, room) ?? [leftOut(mentions[index])]);
  const rest = mentions.length - MAX_MENTIONS;
  return rest > 0 ? [...blocks, attachedBlock({ name: `${rest} more not attached`, text: `Only the first ${MAX_MENTIONS} mentions were looked up.` })] : blocks;
}

async function attach(mention: Mention, lookup: Lookup): Promise<readonly UserContent[]> {
  try {
    return await lookUp(mention, lookup);
  } catch (error) {
    lookup.signal.throwIfAborted();
    return [attachedBlock({ name: `${nameOf(mention)} (not attached)`, text: errorMessage(error) })];
  }
}

async function lookUp(mention: Mention, lookup: Lookup): Promise<readonly UserContent[]> {
  switch (mention.kind) {
    case 'path':
      // A word behind an `@` need not be meant as a file.
      if (!mention.sure && !(await exists(mention.path, lookup))) return [];
      return attachFile(mention, lookup);
    case 'symbol':
      return attachSymbol(mention.name, lookup);
    case 'url':
      return [attachedBlock({ name: mention.url, text: `Address: ${mention.url}\nIts page is not included. Fetch it with the tool fetch when it is needed.` })];
    case 'problems':
      return attachProblems(mention, lookup);
    case 'editors':
      return attachEditors(lookup);
    case 'terminal':
      return attachTerminal(lookup);
    case 'changes':
      return attachChanges(lookup);
    default:
      return assertNever(mention);
  }
}

/** The blocks where there is room for them, which they take; `undefined` where there is not. */
function withinRoom(blocks: readonly UserContent[], room: { characters: number; bytes: number }): readonly UserContent[] | undefined {
  const characters = blocks.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0);
  const bytes = blocks.reduce((sum, block) => sum + (block.type === 'image' ? block.data.length : 0), 0);
  if (characters > room.characters || bytes > room.bytes) return undefined;
  room.characters -= characters;
  room.bytes -= bytes;
  return blocks;
}

function leftOut(mention: Mention | undefined): UserContent {
  const name = mention === undefined ? '' : nameOf(mention);
  return attachedBlock({ name: `${name} (only the name)`, text: `${name} is left out, since the message has too much attached already. Read it when it is needed.` });
}

function nameOf(mention: Mention): string {
  switch (mention.kind) {
    case 'path':
      return showName(mention.path);
    case 'symbol':
      return `#${showName(mention.name)}`;
    case 'url':
      return mention.url;
    default:
      return mention.kind;
  }
}
