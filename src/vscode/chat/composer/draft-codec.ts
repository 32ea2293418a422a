import * as z from 'zod/mini';
import type { UserContent } from '../../../domain/model/content.js';
import { IMAGE_MIME_TYPES } from '../../../domain/model/content.js';
import { sha256 } from '../../../node/files/sha256.js';
import type { DraftContent } from './draft-content.js';

const text = z.object({ type: z.literal('text'), text: z.string() });
/** A picture is in a file of its own, which its hash names: it is written once, however often the words change. */
const picture = z.object({ type: z.literal('image'), mimeType: z.enum(IMAGE_MIME_TYPES), hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)) });
const content = z.union([text, picture]);
const attachment = z.object({ id: z.string(), name: z.string(), kind: z.enum(['image', 'file']), content });
const queued = z.object({ id: z.string(), text: z.string(), attached: z.array(content) });
const stored = z.object({ text: z.string(), at: z.int().check(z.nonnegative()), attachments: z.array(attachment), queue: z.array(queued) });

type StoredBlock = z.infer<typeof content>;

/** A draft as it is kept: its text, and the pictures that it names by their hashes. */
export interface EncodedDraft {
  readonly json: string;
  readonly pictures: ReadonlyMap<string, Uint8Array>;
}

/** Puts a draft into the form in which it is kept. */
export function encodeDraft(draft: DraftContent): EncodedDraft {
  const pictures = new Map<string, Uint8Array>();
  const block = (each: UserContent): StoredBlock => {
    if (each.type === 'text') return each;
    const hash = hashOf(each.data);
    pictures.set(hash, each.data);
    return { type: 'image', mimeType: each.mimeType, hash };
  };
  const json = JSON.stringify({
    text: draft.text,
    at: draft.at,
    attachments: draft.attachments.map((each) => ({ ...each.attachment, content: block(each.content) })),
    queue: draft.queue.map(({ id, text: words, attached }) => ({ id, text: words, attached: attached.map(block) })),
  });
  return { json, pictures };
}

/**
 * Reads a draft that was kept. A picture that is gone is left out.
 * @param load gives the bytes of a picture.
 * @throws Error when it is none.
 */
export async function decodeDraft(json: string, load: (hash: string) => Promise<Uint8Array | undefined>): Promise<DraftContent> {
  const { text: words, at, attachments, queue } = stored.parse(JSON.parse(json));
  const blocks = async (all: readonly StoredBlock[]): Promise<readonly UserContent[]> => (await Promise.all(all.map((each) => read(each, load)))).flat();
  const held = attachments.map(async ({ content: each, ...shown }) => (await blocks([each])).map((block) => ({ attachment: shown, content: block })));
  const waiting = queue.map(async ({ id, text: said, attached }) => ({ id, text: said, attached: await blocks(attached) }));
  return { text: words, at, attachments: (await Promise.all(held)).flat(), queue: await Promise.all(waiting) };
}

async function read(block: StoredBlock, load: (hash: string) => Promise<Uint8Array | undefined>): Promise<readonly UserContent[]> {
  if (block.type === 'text') return [block];
  const data = await load(block.hash);
  return data === undefined || hashOf(data) !== block.hash ? [] : [{ type: 'image', data: new Uint8Array(data), mimeType: block.mimeType }];
}

/** Pictures do not change, and hashing some megabytes at every pause of the typing would be felt. */
const hashes = new WeakMap<Uint8Array, string>();

function hashOf(data: Uint8Array): string {
  const known = hashes.get(data) ?? sha256(data);
  hashes.set(data, known);
  return known;
}
