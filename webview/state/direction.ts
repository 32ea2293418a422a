/** Letters of scripts that are written from right to left: Hebrew to Arabic Extended-A, their presentation forms, and those of the second plane. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
/** Characters of a text among which its first letter is looked for. */
const BEGINNING = 500;

/** Whether a text has letters that are written from right to left. */
export function hasRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/** The direction of the first letter of a text. What the browser does itself with `dir="auto"` takes seconds in a field with a very long line. */
export function directionOf(text: string): 'ltr' | 'rtl' {
  return hasRightToLeft(/\p{L}/u.exec(text.slice(0, BEGINNING))?.[0] ?? '') ? 'rtl' : 'ltr';
}
