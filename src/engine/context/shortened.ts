/// <reference lib="es2024.string" />

/**
 * Shortens a text to at most `characters` characters, plus the notice: keeps its beginning and end.
 * @param notice makes the text in place of what is left out; gets the number of omitted characters, with thousands marked.
 */
export function shortened(text: string, characters: number, notice: (left: string) => string): string {
  if (text.length <= characters) return text;
  const half = Math.floor(characters / 2);
  const left = notice((text.length - 2 * half).toLocaleString('en-US'));
  // A cut may fall between the halves of a surrogate pair.
  return `${text.slice(0, half)}\n${left}\n${text.slice(text.length - half)}`.toWellFormed();
}

/** Without a notice of its own. */
export function cut(text: string, characters: number): string {
  return shortened(text, characters, (left) => `[${left} characters left out]`);
}
