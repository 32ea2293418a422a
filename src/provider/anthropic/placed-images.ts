import type Anthropic from '@anthropic-ai/sdk';
import type { ImageBlock } from '../../domain/model/content.js';
import type { Message } from '../../domain/model/message.js';
import type { APIError } from './client.js';

/** An image of a request, and where the API found it. */
export interface PlacedImage {
  readonly image: ImageBlock;
  /** As errors name places, such as `messages.0.content.1.content.0`. */
  readonly path: string;
}

type Block = Anthropic.ContentBlockParam | Extract<Anthropic.ToolResultBlockParam['content'], readonly unknown[]>[number];

/** A path in an error message, such as `messages.0.content.1.tool_result.content.0.image.source: …`. */
const PATH = /\bmessages\.\d+(?:\.content\.\d+(?:\.tool_result)?)+/g;

/** The images of a request with their places: `turns` are its messages in the wire format. */
export function placedImages(messages: readonly Message[], turns: readonly Anthropic.MessageParam[]): readonly PlacedImage[] {
  const paths = turns.flatMap(({ content }, index) => (typeof content === 'string' ? [] : pathsIn(content, `messages.${index}.content`)));
  // The result of a failed tool is sent as text only.
  const sent = messages.filter((message) => message.role !== 'tool_result' || !message.isError);
  const images = sent.flatMap(({ content }) => content.flatMap((block) => (block.type === 'image' ? [block] : [])));
  return images.flatMap((image, index) => {
    const path = paths[index];
    return path === undefined ? [] : [{ image, path }];
  });
}

/**
 * The images that an error is about, if it says so: in its details, or by their paths in its message. Source: the
 * SDK's `ImageDimensionsTooLargeErrorDetails`.
 */
export function namedImages({ details, apiMessage }: APIError, images: readonly PlacedImage[]): readonly ImageBlock[] {
  const { paths = [] } = (details ?? {}) as { readonly paths?: unknown };
  const named = new Set<unknown>(Array.isArray(paths) ? paths : []);
  for (const [path] of (apiMessage ?? '').matchAll(PATH)) named.add(path.replaceAll('.tool_result', ''));
  return images.flatMap(({ image, path }) => (named.has(path) ? [image] : []));
}

function pathsIn(blocks: readonly Block[], path: string): readonly string[] {
  return blocks.flatMap((block, index) => {
    if (block.type === 'image') return [`${path}.${index}`];
    return block.type === 'tool_result' && Array.isArray(block.content) ? pathsIn(block.content, `${path}.${index}.content`) : [];
  });
}
