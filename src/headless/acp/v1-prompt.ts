import { type ContentBlock, RequestError } from '@agentclientprotocol/sdk';
import { fileURLToPath } from 'node:url';
import { assertNever } from '../../domain/assert-never.js';
import { IMAGE_MIME_TYPES, type ImageBlock, MAX_IMAGE_BYTES, type UserContent } from '../../domain/model/content.js';
import { attachedBlock } from '../../domain/session/attached.js';
import type { Written } from '../prompt-text.js';
import type { EditorPaths } from './editor-paths.js';

/** What a user has written, with files that are linked as mentions. @throws RequestError for what Gnomon cannot take */
export function writtenPrompt(blocks: readonly ContentBlock[], paths: EditorPaths): Required<Pick<Written, 'words' | 'attached'>> {
  const attached: UserContent[] = [];
  const words = blocks.map((block) => {
    switch (block.type) {
      case 'text':
        return block.text;
      case 'image':
        attached.push(imageOf(block));
        return '';
      case 'resource_link':
        return linkWords(block.uri, block.name, paths);
      case 'resource': {
        const { resource } = block;
        if ('text' in resource) {
          const name = nameOf(resource.uri, paths);
          attached.push(attachedBlock({ name, text: resource.text }));
          // With its text, it is not looked up again.
          return name;
        }
        if (IMAGE_MIME_TYPES.some((type) => type === resource.mimeType)) attached.push(imageOf({ data: resource.blob, mimeType: resource.mimeType ?? '' }));
        return linkWords(resource.uri, resource.uri, paths);
      }
      case 'audio':
        throw RequestError.invalidParams({ type: block.type }, 'Gnomon takes no sound.');
      default:
        return assertNever(block);
    }
  });
  const written = { words: words.join(''), attached };
  if (written.words.trim() === '' && attached.length === 0) throw RequestError.invalidParams({}, 'The prompt is empty.');
  return written;
}

function imageOf({ data, mimeType }: { readonly data: string; readonly mimeType: string }): ImageBlock {
  const type = IMAGE_MIME_TYPES.find((each) => each === mimeType);
  const bytes = Buffer.from(data, 'base64');
  if (type === undefined || bytes.length === 0) throw RequestError.invalidParams({ mimeType }, 'An image has to be base64 of a png, jpeg, gif, or webp.');
  if (bytes.length > MAX_IMAGE_BYTES) throw RequestError.invalidParams({}, `An image is larger than ${MAX_IMAGE_BYTES / 1024 / 1024} MB.`);
  return { type: 'image', data: new Uint8Array(bytes), mimeType: type };
}

/** A link in the words of a message: files by their paths, which the tools of the agent take. */
function linkWords(uri: string, name: string, paths: EditorPaths): string {
  return uri.startsWith('file:') ? `@${nameOf(uri, paths)}` : `[${name}](${uri})`;
}

function nameOf(uri: string, paths: EditorPaths): string {
  if (!uri.startsWith('file:')) return uri;
  try {
    const { hash } = new URL(uri);
    return `${paths.short(paths.fromEditor(fileURLToPath(uri)))}${hash}`;
  } catch {
    return uri;
  }
}
