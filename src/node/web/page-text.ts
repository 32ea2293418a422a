/** How much of a page is looked at for its kind. */
const SNIFFED_BYTES = 1_024;
const TEXT_TYPES = /^(text\/.+|application\/([\w.+-]+\+)?(json|xml|yaml|toml)|application\/(x-)?(javascript|ndjson|jsonl|yaml|sh|tex|csv|sql|graphql))$/;

/** Media type without parameters, in lower case; empty when there is none. */
export function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The media type of an answer that does not say it, by its beginning. */
export function sniffedType(bytes: Uint8Array): string {
  const isWide = isMarkedUtf16(bytes);
  if (!isWide && bytes.subarray(0, 8 * SNIFFED_BYTES).includes(0)) return 'application/octet-stream';
  const start = beginning(isWide ? bytes.subarray(2) : bytes)
    .replaceAll('\0', '')
    .replace(/^\xEF\xBB\xBF/, '');
  return /^\s*<(!doctype html|html|head|body)\b/i.test(start) ? 'text/html' : 'text/plain';
}

/** Whether a media type is one of text. */
export function isText(type: string): boolean {
  return TEXT_TYPES.test(type);
}

function beginning(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, SNIFFED_BYTES)).toString('latin1');
}

function isMarkedUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}
