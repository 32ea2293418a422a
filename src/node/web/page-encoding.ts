import { decodeText, decodeWindows1252 } from '../../text/encoding.js';

/** A text, and what is missing of it. */
export interface DecodedPage {
  readonly text: string;
  /** Whether what is not ASCII could not be read, and which encoding it is in, if that is said. */
  readonly unread?: { readonly encoding: string | undefined };
}

/** How much of a page is looked at for what it says of its encoding; the number of the HTML standard. */
const SNIFFED_BYTES = 1_024;
/** Encodings that the Encoding standard lets no one decode, though their bytes look like ASCII, and UTF-7 in which they may be hidden. */
const LOOKS_LIKE_ASCII = /^(?:hz-gb-2312|iso-2022-(?:cn(?:-ext)?|kr)|csiso2022kr|(?:unicode-1-1-)?utf-?7)$/i;
/** Names that servers use, and the standard does not have. */
const ALSO_CALLED: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  uhc: 'euc-kr',
  cp950: 'big5',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  euccn: 'gbk',
  'euc-cn': 'gbk',
  sjis_win: 'shift_jis',
  'big5-eten': 'big5',
};
/** What pages in a language are most often in that do not name their encoding. Source: HTML standard, "suggested default encoding". */
const OF_LANGUAGE: Readonly<Record<string, readonly string[]>> = {
  ja: ['euc-jp', 'shift_jis'],
  ko: ['euc-kr'],
  'zh-tw': ['big5'],
  'zh-hk': ['big5'],
  'zh-hant': ['big5'],
  zh: ['gb18030'],
  ru: ['windows-1251'],
  uk: ['windows-1251'],
  bg: ['windows-1251'],
  el: ['windows-1253'],
  he: ['windows-1255'],
  ar: ['windows-1256'],
  fa: ['windows-1256'],
  th: ['windows-874'],
  tr: ['windows-1254'],
  pl: ['iso-8859-2'],
  cs: ['windows-1250'],
  hu: ['iso-8859-2'],
  sk: ['windows-1250'],
  sl: ['iso-8859-2'],
  vi: ['windows-1258'],
};

/**
 * A page as text: a byte-order mark decides, then the header, then what the page says of itself, as the Encoding and HTML standards have it.
 * Without any of them it is UTF-8, what its language is most often in, or windows-1252 where it looks like a Western text. Other
 * encodings are not guessed: only ASCII is shown.
 */
export function decodedPage(bytes: Uint8Array, header: string | undefined): DecodedPage {
  const beginning = Buffer.from(bytes.subarray(0, SNIFFED_BYTES)).toString('latin1');
  const marked = markOf(bytes);
  const named = [marked, headerLabel(header ?? ''), pageLabel(beginning)].filter((label) => label !== undefined);
  const label = named.find((each) => decoderFor(each) !== undefined);
  const utf8 = decoded(bytes, 'utf-8', true);
  if (label !== undefined) {
    const text = decoded(bytes, label, false) ?? '';
    // Some servers name an encoding that their pages are not in.
    return { text: utf8 !== undefined && text.includes('\uFFFD') ? utf8 : text };
  }
  if (['\x1B$@', '\x1B$B'].some((shift) => beginning.includes(shift))) return { text: decoded(bytes, 'iso-2022-jp', false) ?? '' };
  const isHidden = named.some((each) => LOOKS_LIKE_ASCII.test(each));
  if (utf8 !== undefined && !isHidden) return { text: utf8 };
  const likely = isHidden ? undefined : (ofLanguage(bytes, beginning) ?? (isWestern(bytes) ? decodeWindows1252(bytes) : undefined));
  if (likely !== undefined) return { text: likely };
  return {
    text: Buffer.from(bytes)
      .toString('latin1')
      .replace(/[\x80-\xFF]+/g, '\uFFFD'),
    unread: { encoding: named[0] },
  };
}

function markOf(bytes: Uint8Array): string | undefined {
  const begins = (...mark: readonly number[]): boolean => mark.every((byte, index) => bytes[index] === byte);
  if (begins(0xef, 0xbb, 0xbf)) return 'utf-8';
  if (begins(0xff, 0xfe)) return 'utf-16le';
  return begins(0xfe, 0xff) ? 'utf-16be' : undefined;
}

function headerLabel(header: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(header)?.[1];
}

/** In `<meta charset>`, `<meta content>`, the declaration of XML, or that of a style sheet; not in comments, scripts, and prose. */
function pageLabel(beginning: string): string | undefined {
  const plain = beginning.replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  const found =
    /<meta\b[^>]{0,400}?\bcharset\s*=\s*["']?\s*([\w:.-]{1,40})|^\s*<\?xml\b[^>]{0,100}\bencoding\s*=\s*["']([\w:.-]{1,40})|^@charset "([\w:.-]{1,40})";/i.exec(
      plain,
    );
  const label = found?.[1] ?? found?.[2] ?? found?.[3];
  // A page in UTF-16 has no such words in ASCII.
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function ofLanguage(bytes: Uint8Array, beginning: string): string | undefined {
  const language = /<html\b[^>]{0,400}?\blang\s*=\s*["']?([a-z]{2,3}(?:-[a-z]+)*)/i.exec(beginning)?.[1]?.toLowerCase() ?? '';
  const labels = OF_LANGUAGE[language] ?? OF_LANGUAGE[language.split('-').slice(0, 2).join('-')] ?? OF_LANGUAGE[language.split('-', 1)[0] ?? ''] ?? [];
  return labels.map((label) => decoded(bytes, label, true)).find((text) => text !== undefined);
}

/** Whether bytes that are not ASCII stand for letters among others: those of other scripts, and halves of characters, come in rows. */
function isWestern(bytes: Uint8Array): boolean {
  if (decodeText(bytes)?.encoding !== 'windows1252') return false;
  const isHigh = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80;
  const high = bytes.reduce((count, byte) => count + (isHigh(byte) ? 1 : 0), 0);
  const inRows = bytes.reduce((count, byte, index) => count + (isHigh(byte) && (isHigh(bytes[index - 1]) || isHigh(bytes[index + 1])) ? 1 : 0), 0);
  return inRows <= high / 2 && !bytes.some((byte) => UNDEFINED.has(byte));
}

/** Bytes that stand for nothing in windows-1252. */
const UNDEFINED: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

/** Text in an encoding; `undefined` where there is no such encoding, or, if asked for, where the bytes are not in it. */
function decoded(bytes: Uint8Array, label: string, fatal: boolean): string | undefined {
  const decoder = decoderFor(label, fatal);
  if (decoder === undefined) return undefined;
  // Node decodes it as ISO-8859-1, which has control characters where others have quotation marks.
  if (decoder.encoding === 'windows-1252') return decodeWindows1252(bytes);
  try {
    if (decoder.encoding === 'euc-kr') return koreanText(bytes, decoder);
    // A text that was cut may end within a character; as a stream, that is no error.
    return decoder.decode(bytes, { stream: true });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/**
 * Text in EUC-KR as the Encoding standard has it, which is windows-949: with the syllables that the decoder of Node lacks. They have the
 * places that the others leave, in the order of Unicode.
 */
function koreanText(bytes: Uint8Array, decoder: InstanceType<typeof TextDecoder>): string {
  let text = '';
  let from = 0;
  let index = 0;
  while (index < bytes.length) {
    const syllable = furtherSyllable(bytes[index] ?? 0, bytes[index + 1] ?? 0);
    if (syllable !== undefined) {
      text += decoder.decode(bytes.subarray(from, index)) + syllable;
      from = index + 2;
    }
    index += (bytes[index] ?? 0) >= 0x81 ? 2 : 1;
  }
  return text + decoder.decode(bytes.subarray(from), { stream: true });
}

/** Second bytes of such syllables: with first bytes up to 0xA0 all, with others those that the others do not have. */
const SECOND_BYTES = Array.from({ length: 0x100 }, (_, byte) => byte).filter(
  (byte) => (byte > 0x40 && byte < 0x5b) || (byte > 0x60 && byte < 0x7b) || (byte > 0x80 && byte < 0xff),
);
const FEWER = SECOND_BYTES.filter((byte) => byte < 0xa1).length;
let syllables: readonly string[] | undefined;

function furtherSyllable(lead: number, trail: number): string | undefined {
  const column = SECOND_BYTES.indexOf(trail);
  if (lead < 0x81 || lead > 0xc6 || column === -1 || (lead > 0xa0 && column >= FEWER)) return undefined;
  syllables ??= missingSyllables();
  const row = lead - 0x81;
  const full = 0x20;
  return syllables[row < full ? row * SECOND_BYTES.length + column : full * SECOND_BYTES.length + (row - full) * FEWER + column];
}

/** All syllables of Hangul but those that EUC-KR has: they are in its rows 0xB0 to 0xC8. */
function missingSyllables(): readonly string[] {
  const rows = Array.from({ length: 0x19 }, (_, row) => Array.from({ length: 0x5e }, (_each, column) => [0xb0 + row, 0xa1 + column])).flat(2);
  const known = new Set(new TextDecoder('euc-kr').decode(Uint8Array.from(rows)));
  return Array.from({ length: 0xd7a4 - 0xac00 }, (_, offset) => String.fromCharCode(0xac00 + offset)).filter((syllable) => !known.has(syllable));
}

/** The decoder of an encoding by one of its names; `undefined` where there is none. */
function decoderFor(label: string, fatal = false): InstanceType<typeof TextDecoder> | undefined {
  const known = label.trim().toLowerCase();
  try {
    return new TextDecoder(ALSO_CALLED[known.replaceAll('-', '_')] ?? ALSO_CALLED[known] ?? known, { fatal });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
