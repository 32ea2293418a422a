import { IMAGE_MIME_TYPES, MAX_IMAGE_BYTES, text, type UserContent } from '../../domain/model/content.js';
import type { Written } from '../prompt-text.js';
import { type ControlBody, objectIn } from './control.js';

/** The content of a message of the user; a sentence that says what is wrong with it where it cannot be read. */
export function userContent(frame: ControlBody): readonly UserContent[] | string {
  const { content, role = 'user' } = objectIn(frame['message']);
  if (role !== 'user') return `a message of the role “${String(role)}” cannot be one of the user.`;
  if (typeof content === 'string') return content.trim() === '' ? 'a message of the user is empty.' : [text(content)];
  if (!Array.isArray(content) || content.length === 0) return 'a message of the user has no content.';
  const blocks: UserContent[] = [];
  for (const each of content.map(objectIn)) {
    const block = blockOf(each);
    if (typeof block === 'string') return block;
    blocks.push(block);
  }
  return blocks;
}

function blockOf(block: ControlBody): UserContent | string {
  if (block['type'] === 'text' && typeof block['text'] === 'string') return text(block['text']);
  if (block['type'] !== 'image') return `a block of the type “${String(block['type'])}” cannot be in a message of the user.`;
  const source = objectIn(block['source']);
  const mimeType = IMAGE_MIME_TYPES.find((each) => each === source['media_type']);
  if (source['type'] !== 'base64' || mimeType === undefined || typeof source['data'] !== 'string')
    return 'an image has to be base64 of a png, jpeg, gif, or webp.';
  const data = Buffer.from(source['data'], 'base64');
  if (data.length === 0) return 'an image has no data.';
  if (data.length > MAX_IMAGE_BYTES) return `an image is larger than ${MAX_IMAGE_BYTES / 1024 / 1024} MB.`;
  return { type: 'image', data: new Uint8Array(data), mimeType };
}

/** A message as it was written: words with what comes with them. One of several texts is no single thing that a user has typed, and is sent as it is. */
export function writtenIn(content: readonly UserContent[]): Written {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const [words] = texts;
  return words === undefined || texts.length > 1 ? { words: '', attached: content } : { words, attached: content.filter(({ type }) => type !== 'text') };
}
