import { decodeText } from '../../text/encoding.js';

/** How much of a page is looked at for its encoding and kind; the number of the HTML standard. */
const SNIFFED_BYTES = 1_024;
const TEXT_TYPES = /^(text\/.+|application\/([\w.+-]+\+)?(json|xml|yaml|toml)|application\/(x-)?(javascript|ndjson|jsonl|yaml|sh|tex|csv|sql|graphql))$/;

/** Media type without parameters, in lower case; empty when there is none. */
export function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The media type of an answer that does not say it, by its beginning. */
export function sniffedType(bytes: Uint8Array): string {
  if (bytes.subarray(0, 8 * SNIFFED_BYTES).includes(0)) return 'application/octet-stream';
  return /^\s*<(!doctype html|html|head|body)\b/i.test(beginning(bytes)) ? 'text/html' : 'text/plain';
}

/** Whether a media type is one of text. */
export function isText(type: string): boolean {
  return TEXT_TYPES.test(type);
}

/**
 * The text of a page: a byte-order mark decides, then the header, then what the page says of itself, then UTF-8, then
 * windows-1252.
 */
export function pageText(bytes: Uint8Array, header: string | undefined): string {
  const marked = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
  const named = marked ?? labelIn(header ?? '') ?? labelIn(beginning(bytes));
  const decoder = named === undefined ? undefined : decoderFor(named);
  // A text that was cut may end within a character; as a stream, that is no error.
  if (decoder !== undefined) return decoder.decode(bytes, { stream: true });
  return utf8(bytes) ?? decodeText(bytes)?.text ?? new TextDecoder().decode(bytes);
}

function beginning(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, SNIFFED_BYTES)).toString('latin1');
}

/** In a header, `<meta charset>`, `<meta content>` or the declaration of XML. */
function labelIn(text: string): string | undefined {
  return /(?:charset|<\?xml[^>]{0,100}encoding)\s*=\s*["']?([\w:.-]{1,40})/i.exec(text)?.[1];
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
