/** Translations by their English text, the format of VS Code's `bundle.l10n.<language>.json`. */
export type Texts = Readonly<Record<string, string>>;

/** Translations, and the language that they are in. */
export interface TextsInUse {
  /** Its tag, such as `de`. */
  readonly language: string;
  readonly entries: Texts;
}

const ENGLISH = 'en';

let texts: Texts = {};
let language = ENGLISH;

/**
 * Chooses the language of everything that {@link t} says from now on; without entries it is English.
 * @param tag of the language, such as `de`; numbers are formatted as in English when it is invalid.
 */
export function useTexts(translations: Texts, tag = ENGLISH): void {
  texts = translations;
  language = Object.keys(translations).length > 0 && isLanguage(tag) ? tag : ENGLISH;
}

/** The language in which numbers and times are written, by its tag. */
export function textLanguage(): string {
  return language;
}

/** The chosen translation; `undefined` for English. */
export function textsInUse(): TextsInUse | undefined {
  return language === ENGLISH ? undefined : { language, entries: texts };
}

/** Formats a number for display, such as `1,204`. @param digits decimal places; as many as are needed, up to three, unless given. */
export function formatNumber(value: number, digits?: number): string {
  return value.toLocaleString(language, digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Digits of an estimate that mean something. */
const ESTIMATE_DIGITS = 3;

/** Formats an estimate for display, such as `12,400`: without digits that would only look exact. */
export function formatAbout(value: number): string {
  return formatNumber(Number(value.toPrecision(ESTIMATE_DIGITS)));
}

/** Formats a number for where there is little room: `812`, `6.6k`, `1.2M`. */
export function formatShort(value: number): string {
  if (value < 1_000) return formatNumber(value);
  const [unit, size] = value < 999_950 ? ['k', 1_000] : ['M', 1_000_000];
  return `${formatNumber(Math.round((value / size) * 10) / 10)}${unit}`;
}

/** A part from 0 to 1 as a percentage without decimals, such as `62%`. */
export function formatPercent(part: number): string {
  return part.toLocaleString(language, { style: 'percent' });
}

/** Units of bytes, from the largest on. */
const BYTE_UNITS = [
  ['gigabyte', 1024 ** 3],
  ['megabyte', 1024 ** 2],
  ['kilobyte', 1024],
] as const;

/** Formats a number of bytes for display, such as `12.4 MB`. */
export function formatBytes(bytes: number): string {
  const [unit, size] = BYTE_UNITS.find(([, least]) => bytes >= least) ?? (['kilobyte', 1024] as const);
  return (bytes / size).toLocaleString(language, { style: 'unit', unit, maximumFractionDigits: 1 });
}

/** Units of time with their seconds, from the largest on. */
const TIME_UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Formats a time for display by how far it is from another one, such as `2 hours ago` or `in 8 minutes`. @param time both in milliseconds since 1970 */
export function formatRelative(time: number, now: number): string {
  const seconds = (time - now) / 1000;
  const found = TIME_UNITS.find(([, length]) => Math.abs(seconds) >= length);
  if (found === undefined) return t('just now');
  const [unit, length] = found;
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.round(seconds / length), unit);
}

/** Digits of a dollar that count. What a sum has behind them comes from its order, and must not decide about a cent. */
const EXACT_DIGITS = 9;

/** Formats an amount of dollars for display, such as `$0.02`. */
export function formatDollars(value: number, digits: number): string {
  return Number(value.toFixed(EXACT_DIGITS)).toLocaleString(language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** The smallest amount of dollars that two digits show. */
const CENT_USD = 0.01;

/** Formats what something cost for display, to the cent: `$0.02`, `< $0.01`. */
export function formatCost(value: number): string {
  return value > 0 && value < CENT_USD ? t('< {0}', formatDollars(CENT_USD, 2)) : formatDollars(value, 2);
}

/**
 * A text for the user in their language. Never for prompts: they stay English.
 * @param message English, with `{0}`, `{1}` … where values go in. Also the key of the translation.
 */
export function t(message: string, ...values: readonly (string | number)[]): string {
  const translated = Object.hasOwn(texts, message) ? (texts[message] ?? message) : message;
  return values.length === 0 ? translated : translated.replace(/\{(\d+)\}/g, (place, index: string) => String(values[Number(index)] ?? place));
}

/**
 * Checks translations that come from outside of the program.
 * @returns the entries that are texts; none when there is no such object.
 */
export function parseTexts(value: unknown): Texts {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    // An invalid tag throws.
    return false;
  }
}
