import { type ContentBlock, RequestError } from '@agentclientprotocol/sdk';
import { fileURLToPath } from 'node:url';
import { assertNever } from '../../domain/assert-never.js';
import { IMAGE_MIME_TYPES, type ImageBlock, MAX_IMAGE_BYTES, type UserContent } from '../../domain/model/content.js';
import { present } from '../../domain/present.js';
import { attachedBlock } from '../../domain/session/attached.js';
import type { NamedFile } from '../../mentions/attach-file.js';
import { isMentionable, mayBegin, pathMention } from '../../protocol/mention-syntax.js';
import type { LineRange } from '../../text/text-edit.js';
import type { Written } from '../prompt-text.js';
import type { EditorPaths } from './editor-paths.js';

/** What a message says, with all that comes with it. */
type WrittenPrompt = Required<Omit<Written, 'data'>>;

/** What a block is in the words of a message. */
interface Piece {
  readonly words: string;
  /** What the user has typed, in which mentions are looked for; else it stands for something else. */
  readonly typed?: boolean;
  readonly linked?: NamedFile;
  readonly attached?: UserContent;
}

/** What a user has written, with the files that are linked. @throws RequestError for what Gnomon cannot take */
export function writtenPrompt(blocks: readonly ContentBlock[], paths: EditorPaths): WrittenPrompt {
  const pieces = blocks.map((block) => pieceOf(block, paths));
  const written = {
    words: joined(pieces),
    // A name that has an `@` in it mentions nothing, and what is linked is attached already.
    mentioning: pieces.flatMap(({ words, typed }) => (typed === true ? [words] : [])).join('\n'),
    attached: pieces.flatMap(({ attached }) => attached ?? []),
    linked: pieces.flatMap(({ linked }) => linked ?? []),
  };
  if (written.words.trim() === '' && written.attached.length === 0) throw RequestError.invalidParams({}, 'The prompt is empty.');
  return written;
}

function pieceOf(block: ContentBlock, paths: EditorPaths): Piece {
  switch (block.type) {
    case 'text':
      return { words: block.text, typed: true };
    case 'image':
      return { words: '', attached: imageOf(block) };
    case 'resource_link':
      return linkTo(block.uri, block.name, paths);
    case 'resource': {
      const { resource } = block;
      // With its content, it is not looked up again.
      const words = nameOf(resource.uri, paths);
      if ('text' in resource) return { words, attached: attachedBlock({ name: words, text: resource.text }) };
      if (!IMAGE_MIME_TYPES.some((type) => type === resource.mimeType)) return linkTo(resource.uri, resource.uri, paths);
      return { words, attached: imageOf({ data: resource.blob, mimeType: resource.mimeType ?? '' }) };
    }
    case 'audio':
      throw RequestError.invalidParams({ type: block.type }, 'Gnomon takes no sound.');
    default:
      return assertNever(block);
  }
}

/** The words of all pieces. What stands for something else is a word of its own: editors link in the middle of a text, and need not put spaces there. */
function joined(pieces: readonly Piece[]): string {
  let all = '';
  let wasTyped = true;
  for (const { words, typed = false } of pieces) {
    if (words === '') continue;
    const isApart = typed ? wasTyped || /^[.,;:!?'’”»…)\]}>]*(?:\s|$)/.test(words) : mayBegin(all, all.length);
    all += isApart ? words : ` ${words}`;
    wasTyped = typed;
  }
  return all;
}

function imageOf({ data, mimeType }: { readonly data: string; readonly mimeType: string }): ImageBlock {
  const type = IMAGE_MIME_TYPES.find((each) => each === mimeType);
  const bytes = Buffer.from(data, 'base64');
  if (type === undefined || bytes.length === 0) throw RequestError.invalidParams({ mimeType }, 'An image has to be base64 of a png, jpeg, gif, or webp.');
  if (bytes.length > MAX_IMAGE_BYTES) throw RequestError.invalidParams({}, `An image is larger than ${MAX_IMAGE_BYTES / 1024 / 1024} MB.`);
  return { type: 'image', data: new Uint8Array(bytes), mimeType: type };
}

/** A link: to a file as one that is mentioned, by its path, which the tools of the agent take. */
function linkTo(uri: string, name: string, paths: EditorPaths): Piece {
  const file = fileOf(uri, paths);
  if (file === undefined) return { words: `[${name}](${uri})` };
  const { path, hash } = file;
  const linked = { path: paths.named(path), ...present({ lines: linesOf(hash) }) };
  const { lines } = linked;
  // In words, some names would end early; the file is attached all the same.
  const words = isMentionable(linked.path) ? `${pathMention(linked.path)}${lines === undefined ? '' : `:${lines.first}-${lines.last}`}` : `[${name}](${uri})`;
  return { words: hash === '' || lines !== undefined ? words : `${words} (${hash})`, linked };
}

/** Lines in an address: `#L5`, `#L5-10`, `#L5-L10`, or `#L5:10`, with columns or without. */
function linesOf(hash: string): LineRange | undefined {
  const [, from, to = from] = /^#L(\d{1,9})(?:C\d+)?(?:[-:]L?(\d{1,9})(?:C\d+)?)?$/i.exec(hash) ?? [];
  if (from === undefined) return undefined;
  const [a, b] = [Math.max(1, Number(from)), Math.max(1, Number(to))];
  return { first: Math.min(a, b), last: Math.max(a, b) };
}

function nameOf(uri: string, paths: EditorPaths): string {
  const file = fileOf(uri, paths);
  return file === undefined ? uri : `${paths.short(file.path)}${file.hash}`;
}

/** The file that an address leads to, by its path without links on the way to its project; `undefined` where it leads to none. */
function fileOf(uri: string, paths: EditorPaths): { readonly path: string; readonly hash: string } | undefined {
  if (!/^file:/i.test(uri)) return undefined;
  try {
    return { path: paths.fromEditor(fileURLToPath(uri)), hash: new URL(uri).hash };
  } catch {
    return undefined;
  }
}
