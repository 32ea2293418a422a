import { present } from '../../domain/present.js';
import { join } from 'node:path';
import { Queue } from '../../concurrency/queue.js';
import { type FileLayer, fileErrorCode } from '../../domain/workspace/file-layer.js';
import type { Log } from '../../domain/log.js';
import { atomicWrite, moveFile } from '../../session/atomic-write.js';
import { isSafeId } from '../../session/session-id.js';
import * as z from 'zod/mini';
import { CONFIG_LAYERS } from '../../domain/config/origin.js';
import { THINKING_EFFORTS } from '../../domain/model/effort.js';
import { type UserContent, IMAGE_MIME_TYPES } from '../../domain/model/content.js';
import { sha256 } from '../../node/files/sha256.js';
import type { HeldAttachment } from './attachments.js';
import type { QueuedMessage } from './outbox.js';

/** Options of {@link DraftStore}. */
export interface DraftStoreOptions {
  /** Absolute path of the folder of the drafts; private to the user. */
  readonly folder: string;
  readonly files: FileLayer;
  readonly log: Log;
}

/** Keeps what is written and not sent, one draft for each key: the id of a session, or `new` for one that is not stored yet. */
export class DraftStore {
  private readonly queue = new Queue();
  /** Drafts that are to be written, the latest of each key. */
  private readonly waiting = new Map<string, DraftContent>();

  constructor(private readonly options: DraftStoreOptions) {}

  /** Loads the draft of a key; an empty one if there is none. A file that cannot be read is logged, and not deleted. */
  async load(key: string): Promise<DraftContent> {
    if (!isSafeId(key)) return EMPTY_DRAFT;
    await this.queue.idle();
    const { files, log } = this.options;
    const read = async (name: string): Promise<Uint8Array | undefined> =>
      files.readFile(this.path(name)).catch((error: unknown) => {
        if (fileErrorCode(error) === 'ENOENT') return undefined;
        throw error;
      });
    try {
      const bytes = await read(`${key}.json`);
      return bytes === undefined ? EMPTY_DRAFT : await decodeDraft(Buffer.from(bytes).toString('utf8'), (hash) => read(`${key}.${hash}`));
    } catch (error) {
      log.error('A draft could not be read', error);
      return EMPTY_DRAFT;
    }
  }

  /** Keeps a draft; an empty one is removed. A failure goes to the log: the draft is still on the screen. */
  save(key: string, draft: DraftContent): void {
    if (!isSafeId(key)) return;
    this.waiting.set(key, draft);
    this.queue.run(() => this.write(key)).catch((error: unknown) => this.options.log.error('A draft could not be kept', error));
  }

  /** Moves a draft here from the drafts of another storage; one that is here stays. */
  bring(key: string, from: string): Promise<void> {
    const { files, log, folder } = this.options;
    return this.queue.run(async () => {
      const json = `${key}.json`;
      const names = (await files.list(from)).map(({ name }) => name).filter((name) => name.startsWith(`${key}.`));
      if (!isSafeId(key) || !names.includes(json) || (await files.stat(this.path(json))) !== undefined) return;
      await files.makeFolder(folder);
      // The text last: until it is here, the draft is whole at its old place, or a repeated move completes it.
      for (const name of [...names.filter((other) => other !== json), json])
        await moveFile({ files, log, pid: process.pid }, join(from, name), this.path(name));
    });
  }

  /** Waits until everything is written. */
  flush(): Promise<void> {
    return this.queue.idle();
  }

  private async write(key: string): Promise<void> {
    const draft = this.waiting.get(key);
    this.waiting.delete(key);
    // A later one was written in its place.
    if (draft === undefined) return;
    const { files, log, folder } = this.options;
    await files.makeFolder(folder);
    const { json, images } = isEmptyDraft(draft) ? { json: '', images: new Map<string, Uint8Array>() } : encodeDraft(draft);
    const there = new Set((await files.list(folder)).map(({ name }) => name).filter((name) => name.startsWith(`${key}.`)));
    const writer = { files, log, pid: process.pid };
    for (const [hash, data] of images) if (!there.has(`${key}.${hash}`)) await atomicWrite(writer, this.path(`${key}.${hash}`), [data]);
    if (json !== '') await atomicWrite(writer, this.path(`${key}.json`), [Buffer.from(json, 'utf8')]);
    const kept = new Set([...(json === '' ? [] : [`${key}.json`]), ...[...images.keys()].map((hash) => `${key}.${hash}`)]);
    for (const name of there) if (!kept.has(name)) await files.remove(this.path(name));
  }

  private path(name: string): string {
    return join(this.options.folder, name);
  }
}

const text = z.object({ type: z.literal('text'), text: z.string() });
/** An image is in a file of its own, named by its hash: it is written once, however often the text changes. */
const image = z.object({ type: z.literal('image'), mimeType: z.enum(IMAGE_MIME_TYPES), hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)) });
const content = z.union([text, image]);
const attachment = z.object({ id: z.string(), name: z.string(), kind: z.enum(['image', 'file']), content });
const scriptPart = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('command'), command: z.string(), cwd: z.exactOptional(z.string()) }),
]);
/** That it names tools allows none: whether a list counts is kept elsewhere. */
const grant = z.object({
  kind: z.enum(['skill', 'command']),
  name: z.string(),
  origin: z.object({
    layer: z.enum(CONFIG_LAYERS),
    file: z.string(),
    display: z.string(),
    folder: z.exactOptional(z.string()),
    line: z.exactOptional(z.number()),
  }),
  rules: z.array(z.string()),
  digest: z.string(),
});
const wishes = z.object({
  grant: z.exactOptional(grant),
  agent: z.exactOptional(z.string()),
  model: z.exactOptional(z.string()),
  effort: z.exactOptional(z.enum(THINKING_EFFORTS)),
});
const queued = z.object({
  id: z.string(),
  text: z.string(),
  attached: z.array(content),
  expanded: z.exactOptional(z.object({ script: z.array(scriptPart), blocks: z.array(content) })),
  turn: z.exactOptional(wishes),
});
const stored = z.object({ text: z.string(), at: z.int().check(z.nonnegative()), attachments: z.array(attachment), queue: z.array(queued) });

type StoredBlock = z.infer<typeof content>;

/** A draft as it is kept: its text, and the images that it names by their hashes. */
interface EncodedDraft {
  readonly json: string;
  readonly images: ReadonlyMap<string, Uint8Array>;
}

/** Puts a draft into the form in which it is kept. */
function encodeDraft(draft: DraftContent): EncodedDraft {
  const images = new Map<string, Uint8Array>();
  const block = (each: UserContent): StoredBlock => {
    if (each.type === 'text') return each;
    const hash = hashOf(each.data);
    images.set(hash, each.data);
    return { type: 'image', mimeType: each.mimeType, hash };
  };
  const json = JSON.stringify({
    text: draft.text,
    at: draft.at,
    attachments: draft.attachments.map((each) => ({ ...each.attachment, content: block(each.content) })),
    queue: draft.queue.map(({ id, text: words, attached, expanded, turn }) => ({
      id,
      text: words,
      attached: attached.map(block),
      ...present({ turn }),
      ...(expanded === undefined ? {} : { expanded: { script: expanded.script, blocks: expanded.blocks.map(block) } }),
    })),
  });
  return { json, images };
}

/**
 * Parses a stored draft. An image that is gone is left out.
 * @param load gives the bytes of an image.
 * @throws Error when it is invalid.
 */
async function decodeDraft(json: string, load: (hash: string) => Promise<Uint8Array | undefined>): Promise<DraftContent> {
  const { text: words, at, attachments, queue } = stored.parse(JSON.parse(json));
  const blocks = async (all: readonly StoredBlock[]): Promise<readonly UserContent[]> => (await Promise.all(all.map((each) => read(each, load)))).flat();
  const held = attachments.map(async ({ content: each, ...shown }) => (await blocks([each])).map((block) => ({ attachment: shown, content: block })));
  const waiting = queue.map(async ({ id, text: said, attached, expanded, turn }) => ({
    id,
    text: said,
    attached: await blocks(attached),
    ...present({ turn }),
    ...(expanded === undefined ? {} : { expanded: { script: expanded.script, blocks: await blocks(expanded.blocks) } }),
  }));
  return { text: words, at, attachments: (await Promise.all(held)).flat(), queue: await Promise.all(waiting) };
}

async function read(block: StoredBlock, load: (hash: string) => Promise<Uint8Array | undefined>): Promise<readonly UserContent[]> {
  if (block.type === 'text') return [block];
  const data = await load(block.hash);
  return data === undefined || hashOf(data) !== block.hash ? [] : [{ type: 'image', data: new Uint8Array(data), mimeType: block.mimeType }];
}

/** Images do not change, and hashing some megabytes at every pause of the typing would be felt. */
const hashes = new WeakMap<Uint8Array, string>();

function hashOf(data: Uint8Array): string {
  const known = hashes.get(data) ?? sha256(data);
  hashes.set(data, known);
  return known;
}

/** Stored draft of a conversation: text, attachments, and queue. */
export interface DraftContent {
  readonly text: string;
  /** When the text was written, in milliseconds since 1970 by the clock of the page. */
  readonly at: number;
  readonly attachments: readonly HeldAttachment[];
  readonly queue: readonly QueuedMessage[];
}

/** Nothing is written. */
export const EMPTY_DRAFT: DraftContent = { text: '', at: 0, attachments: [], queue: [] };

/** Whether there is nothing worth keeping. */
function isEmptyDraft({ text, attachments, queue }: DraftContent): boolean {
  return text === '' && attachments.length === 0 && queue.length === 0;
}
