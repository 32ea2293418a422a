let language = 'en';

/** The language in which numbers and times are written. */
export function pageLanguage(): string {
  return language;
}

/** Chooses that language. @param tag what the page says in `lang`; one that is no language leaves English. */
export function usePageLanguage(tag: string): void {
  language = isLanguage(tag) ? tag : 'en';
}

/** A number for people. @param digits how many stand behind the point; as many as are needed, up to three, unless given. */
export function formatNumber(value: number, digits?: number): string {
  return value.toLocaleString(language, digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** An amount of dollars for people. */
export function formatDollars(value: number, digits: number): string {
  return value.toLocaleString(language, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    // That is how a tag that is none is told.
    return false;
  }
}
