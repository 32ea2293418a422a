import { type ImageBlock, type UserContent, text } from '../domain/model/content.js';
import type { Message } from '../domain/model/message.js';

/**
 * The most images that go to a model, and their bytes. Anthropic, "Vision": a request of 32 MB, in which they take a third more; from the 21st on only small
 * ones.
 */
const MOST = { images: 20, bytes: 20 * 1024 * 1024 } as const;
/** Number and bytes of images that stay once the limit is reached: fewer, so that the cached beginning of requests stays the same for a while. */
const AFTER = { images: 10, bytes: 10 * 1024 * 1024 } as const;

const LEFT_OUT = text('[An image, left out to save room. Read it again if it is needed.]');
const REFUSED = text('[An image that the server of the model refused, so it is left out: too large, or damaged. A smaller or repaired copy may be taken.]');

/**
 * Number of the oldest images of a conversation that are left out of requests.
 * @param least minimum number to leave out, after a model refused more
 */
export function imagesLeftOut(messages: readonly Message[], least = 0): number {
  const sizes = messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'image' ? [block.data.length] : [])));
  let [out, sent, bytes] = [0, 0, 0];
  for (const size of sizes) {
    sent += 1;
    bytes += size;
    if (sent <= MOST.images && bytes <= MOST.bytes) continue;
    // The newest stays: it is what the user is talking of.
    for (; sent > 1 && (sent > AFTER.images || bytes > AFTER.bytes); out += 1, sent -= 1) bytes -= sizes[out] ?? 0;
  }
  return Math.min(sizes.length, Math.max(out, least));
}

/** Number of images in a conversation. */
export function imageTotal(messages: readonly Message[]): number {
  return messages.reduce((total, { content }) => total + content.filter(({ type }) => type === 'image').length, 0);
}

/** The messages without their oldest images, each of which becomes a line that says so. */
export function withoutOldest(messages: readonly Message[], leftOut: number): readonly Message[] {
  if (leftOut <= 0) return messages;
  let left = leftOut;
  return withImages(messages, (image) => (left-- > 0 ? LEFT_OUT : image));
}

/** The messages without the images that a model did not take, each of which becomes a line that says so. */
export function withoutRefused(messages: readonly Message[], refused: ReadonlySet<ImageBlock> = new Set()): readonly Message[] {
  return refused.size === 0 ? messages : withImages(messages, (image) => (refused.has(image) ? REFUSED : image));
}

function withImages(messages: readonly Message[], change: (image: ImageBlock) => UserContent): readonly Message[] {
  return messages.map((message): Message => {
    if (message.role === 'assistant' || !message.content.some(({ type }) => type === 'image')) return message;
    const content = message.content.map((block): UserContent => (block.type === 'image' ? change(block) : block));
    return { ...message, content };
  });
}
