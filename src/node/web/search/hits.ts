import type { WebHit } from '../../../domain/workspace/web-search.js';

/** An object with named values, from outside. */
type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; one without fields when it is none. */
export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/**
 * The hits in a list from outside; entries without an address are left out.
 * @param snippet name of the field with what the page says
 */
export function hitsIn(list: unknown, snippet: string): readonly WebHit[] {
  if (!Array.isArray(list)) return [];
  return list.map(fields).flatMap((entry) => {
    const url = text(entry['url']);
    return url === '' ? [] : [{ url, title: plain(text(entry['title'])), snippet: plain(text(entry[snippet])) }];
  });
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Services mark the words that were found with `<strong>`, and some escape the rest as HTML. */
function plain(words: string): string {
  return words
    .replace(/<\/?(?:strong|b|em|i|span)(?:\s[^<>]*)?>/gi, '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole: string, decimal?: string, hex?: string, name?: string) => {
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
}
