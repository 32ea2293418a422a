/// <reference lib="es2024.string" />

/** Text that UTF-8 can hold: halves of surrogate pairs that stand alone become U+FFFD, as Go writes them. */
export function wellFormed(text: string): string {
  return text.toWellFormed();
}
