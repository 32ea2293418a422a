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
 * @param tag of the language, such as `de`
 */
export function useTexts(translations: Texts, tag = ENGLISH): void {
  texts = translations;
  language = Object.keys(translations).length === 0 ? ENGLISH : tag;
}

/** What was chosen; `undefined` while it is English. */
export function textsInUse(): TextsInUse | undefined {
  return language === ENGLISH ? undefined : { language, entries: texts };
}

/** A number as the language of the texts writes it, such as `1,204`. @param digits after the decimal sign */
export function numberText(value: number, digits = 0): string {
  return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/**
 * A text for the person in their language. Never for what a model is told: that stays English.
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
