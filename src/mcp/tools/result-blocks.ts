import { IMAGE_MIME_TYPES, type ImageBlock, MAX_IMAGE_BYTES } from '../../domain/model/content.js';
import { imageTypeOf } from '../../domain/model/image-type.js';
import type { McpBlock, McpContents, McpResource } from '../../domain/mcp/feature.js';
import { headOf, showName, showSize } from '../../text/show.js';

/* oxlint-disable no-control-regex -- escape sequences are made of control characters */
/** ECMA-48: strings (OSC, DCS, SOS, PM, APC) up to their terminator, CSI sequences, other escapes. */
const SEQUENCES = /\x1b[\]PX^_][^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-Z\\^-~]/g;
/** All controls but tab and line feed. */
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/* oxlint-enable no-control-regex */

/** A text of a server without what would steer a terminal: its lines end with a line feed, and it has no escape sequences and controls. */
export function plainText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(SEQUENCES, '').replace(CONTROLS, '');
}

/** Images of one result that models get. */
const MAX_IMAGES = 20;
/** Characters of a name or an address in a line about something. */
const MAX_NAME = 300;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const TAKEN: ReadonlySet<string> = new Set(IMAGE_MIME_TYPES);

/** The blocks of a result as models can take them: its texts in order, with a line for what is no text, and its images. */
export interface ReadBlocks {
  readonly texts: readonly string[];
  readonly images: readonly ImageBlock[];
}

/** Reads the blocks of a result. Nothing in them is followed or fetched, and nothing but the four formats of images is decoded for display. */
export function readBlocks(blocks: readonly McpBlock[]): ReadBlocks {
  const reader = new BlockReader();
  for (const block of blocks) reader.read(block);
  return reader;
}

class BlockReader implements ReadBlocks {
  readonly texts: string[] = [];
  readonly images: ImageBlock[] = [];

  read(block: McpBlock): void {
    switch (block.type) {
      case 'text':
        this.texts.push(plainText(block.text));
        return;
      case 'image':
      case 'audio':
        this.media(block.type, block.data, typeOf(block.mimeType));
        return;
      case 'resource_link':
        this.texts.push(linkLine(block.resource));
        return;
      case 'resource':
        this.resource(block.contents);
        return;
      default:
        // What a later revision of the protocol adds is named, not dropped.
        this.texts.push(`[something of the type ${brief(String(Reflect.get(block, 'type')))}, which cannot be shown]`);
    }
  }

  private resource({ uri, mimeType, text, blob }: McpContents): void {
    const type = mimeType === undefined ? '' : ` (${brief(mimeType)})`;
    this.texts.push(`[resource: ${brief(uri)}${type}]`);
    if (text !== undefined) this.texts.push(plainText(text));
    else if (blob !== undefined) this.media('content', blob, typeOf(mimeType ?? 'application/octet-stream'));
  }

  /** An image that models can see becomes one; all else is named with its type and size. */
  private media(kind: string, data: string, mimeType: string): void {
    const encoded = data.replace(/\s/g, '');
    if (encoded.length % 4 !== 0 || !BASE64.test(encoded)) {
      this.texts.push(`[${kind}: ${brief(mimeType)}, left out: its data is not valid Base64]`);
      return;
    }
    const size = (encoded.length / 4) * 3 - (encoded.endsWith('==') ? 2 : encoded.endsWith('=') ? 1 : 0);
    const what = `${kind}: ${brief(mimeType)}, ${showSize(size)}`;
    const problem = TAKEN.has(mimeType)
      ? this.addImage(encoded, size)
      : kind === 'audio'
        ? 'left out: only text and images can be shown to you'
        : 'left out: images must be PNG, JPEG, GIF or WebP';
    this.texts.push(problem === undefined ? `[${what}]` : `[${what}, ${problem}]`);
  }

  /** @returns why an image is left out */
  private addImage(encoded: string, size: number): string | undefined {
    if (size > MAX_IMAGE_BYTES) return `left out: larger than ${showSize(MAX_IMAGE_BYTES)}`;
    if (this.images.length >= MAX_IMAGES) return `left out: it is one of more than ${MAX_IMAGES} images`;
    const data = new Uint8Array(Buffer.from(encoded, 'base64'));
    const mimeType = imageTypeOf(data);
    if (mimeType === undefined) return 'left out: its data is not that of an image';
    this.images.push({ type: 'image', data, mimeType });
    return undefined;
  }
}

/** A MIME type without parameters, under its registered name. */
function typeOf(mimeType: string): string {
  const type = (mimeType.split(';')[0] ?? '').trim().toLowerCase();
  return type === 'image/jpg' ? 'image/jpeg' : type;
}

function linkLine({ uri, name, mimeType, size }: McpResource): string {
  const facts = [brief(uri), ...(mimeType === undefined ? [] : [brief(mimeType)]), ...(size === undefined ? [] : [showSize(size)])];
  return `[resource: ${brief(name)} (${facts.join(', ')})]`;
}

/** A name or an address on one line, not too long, with nothing hidden in it. */
function brief(text: string): string {
  const cut = headOf(text, MAX_NAME);
  return showName(cut) + (cut.length < text.length ? '…' : '');
}
