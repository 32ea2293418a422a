import { randomUUID } from 'node:crypto';
import { attachedBlock, attachedNames } from '../../domain/session/attached.js';
import { type ImageBlock, type UserContent, text } from '../../domain/model/content.js';
import { assertNever } from '../../domain/assert-never.js';
import { formatNumber, t } from '../../domain/l10n.js';
import type { ImageBytes, ImageScaler } from '../../domain/workspace/image.js';
import { fitImage } from '../../node/files/images/fit-image.js';
import { imageTypeOf } from '../../domain/model/image-type.js';
import type { Attachment } from '../../protocol/host/composer-messages.js';
import { MAX_RAW_IMAGE_BYTES, MAX_SCALED_BYTES } from '../../protocol/limits.js';
import { headOf, showName } from '../../text/show.js';

/** Bytes of all images of one message; requests to models are bounded. */
const MAX_IMAGES_BYTES = 20 * 1024 * 1024;
/** Things attached to one message. */
const MAX_ATTACHMENTS = 50;
/** Characters of the name of a text from elsewhere. */
const MAX_NAME = 200;
const MEGABYTE = 1024 * 1024;

/** An attachment, with the content that the model gets. */
export interface HeldAttachment {
  readonly attachment: Attachment;
  readonly content: UserContent;
}

/** Attachments of the draft, not sent yet. */
export class Attachments {
  private readonly held = new Map<string, HeldAttachment>();

  /** For the composer. */
  list(): readonly Attachment[] {
    return this.all.map((each) => each.attachment);
  }

  get all(): readonly HeldAttachment[] {
    return [...this.held.values()];
  }

  /** Puts back what was attached before. */
  restore(all: readonly HeldAttachment[]): void {
    for (const each of all) this.held.set(each.attachment.id, each);
  }

  /** Takes in what was attached to a message that is not sent after all. */
  takeBack(contents: readonly UserContent[]): void {
    const names = attachedNames({ content: [...contents, text('')] });
    contents.forEach((content, index) => {
      const id = randomUUID();
      this.held.set(id, { attachment: { id, name: names[index] ?? '', kind: content.type === 'image' ? 'image' : 'file' }, content });
    });
  }

  /** Attaches the path of a file; the same one only once. */
  addPath(display: string): void {
    const name = showName(display);
    const content = attachedBlock({ name, text: `Attached file: ${name}\nRead it when it is needed.` });
    const known = this.all.some((each) => each.content.type === 'text' && each.content.text === content.text);
    if (!known) this.add({ name: name.slice(name.lastIndexOf('/') + 1), kind: 'file' }, content);
  }

  /** Attaches a text that is nowhere to be read from; the same one only once. */
  addText(name: string, words: string): void {
    const shown = showName(headOf(name, MAX_NAME));
    const content = attachedBlock({ name: shown, text: words });
    const known = this.all.some((each) => each.content.type === 'text' && each.content.text === content.text);
    if (!known) this.add({ name: shown, kind: 'file' }, content);
  }

  /**
   * Attaches an image, a smaller copy where it is larger than models need it.
   * @throws Error naming it when models cannot take it.
   */
  async addImage(name: string, bytes: Uint8Array, imageScaler: ImageScaler): Promise<void> {
    checkImageSize(name, bytes.length);
    const { data, mimeType } = await fitted(name, bytes, imageScaler);
    const others = this.all.reduce((sum, { content }) => sum + (content.type === 'image' ? content.data.length : 0), 0);
    if (others + data.length > MAX_IMAGES_BYTES)
      throw new Error(t('The images of a message are limited to {0} MB in total. {1} was not attached.', MAX_IMAGES_BYTES / MEGABYTE, showName(name)));
    this.add({ name: showName(name), kind: 'image' }, { type: 'image', data, mimeType });
  }

  /** An image, to be shown small. */
  image(id: string): ImageBlock | undefined {
    const content = this.held.get(id)?.content;
    return content?.type === 'image' ? content : undefined;
  }

  /** Takes some back. */
  remove(ids: readonly string[]): void {
    for (const id of ids) this.held.delete(id);
  }

  /** The contents of the ones named, in order; unknown names are passed over. */
  contents(ids: readonly string[]): readonly UserContent[] {
    return ids.flatMap((id) => this.held.get(id)?.content ?? []);
  }

  private add(attachment: Omit<Attachment, 'id'>, content: UserContent): void {
    if (this.held.size >= MAX_ATTACHMENTS) throw new Error(t('A message can have at most {0} attachments. Remove some first.', MAX_ATTACHMENTS));
    const id = randomUUID();
    this.held.set(id, { attachment: { id, ...attachment }, content });
  }
}

/** @throws Error for an image that is empty or too large; asked before it is read. */
export function checkImageSize(name: string, bytes: number): void {
  if (bytes > 0 && bytes <= MAX_SCALED_BYTES) return;
  throw new Error(t('The size of {0} is {1} bytes; an image must be between 1 byte and {2} MB.', showName(name), bytes, MAX_SCALED_BYTES / MEGABYTE));
}

async function fitted(name: string, data: Uint8Array, imageScaler: ImageScaler): Promise<ImageBytes> {
  const mimeType = imageTypeOf(data);
  if (mimeType === undefined) throw new Error(t('{0} is not a supported image. Use PNG, JPEG, GIF, or WebP.', showName(name)));
  const found = await fitImage({ data, mimeType }, { imageScaler, signal: new AbortController().signal });
  switch (found.type) {
    case 'fits':
      return found.image;
    case 'large':
      throw new Error(
        t(
          '{0} is {1} MB ({2} × {3} pixels) and could not be made smaller; models accept up to {4} MB.',
          showName(name),
          formatNumber(data.length / MEGABYTE, 1),
          found.size.width,
          found.size.height,
          formatNumber(MAX_RAW_IMAGE_BYTES / MEGABYTE, 2),
        ),
      );
    case 'broken':
      throw new Error(t('{0} is corrupted or truncated.', showName(name)));
    default:
      return assertNever(found);
  }
}
