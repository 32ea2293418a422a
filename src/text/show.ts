import type { ImageFile } from '../domain/workspace/documents.js';

/**
 * Escapes everything invisible in a text for users and models as `\u{…}`: controls, line breaks, zero-width and
 * bidirectional marks, variation selectors and tags. For names and paths, which could otherwise look like something else.
 */
export function showName(name: string): string {
  return name.replace(
    /\p{Cc}|\p{Cf}|\p{Surrogate}|\p{Variation_Selector}|\u2028|\u2029/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** A text of somebody for a list of VS Code, which would draw an icon where it says `$(name)`. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}

/** A line cut to a number of characters, with a notice of what is missing. */
export function cutLine(line: string, limit: number): string {
  if (line.length <= limit) return line;
  return `${headOf(line, limit)}… [${line.length - limit} more characters in this line]`;
}

/** The first characters of a text, never half of a surrogate pair. */
export function headOf(text: string, limit: number): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  return text.slice(0, end);
}

/** `1 line`, `2 lines`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

/** Formats a size in bytes: `812 bytes`, `2.5 GB`. */
export function showSize(bytes: number): string {
  const units = ['KB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length);
  return power === 0 ? count(bytes, 'byte') : `${(bytes / 1024 ** power).toFixed(1).replace(/\.0$/, '')} ${units[power - 1] ?? ''}`;
}

/** That an image is a smaller copy, for behind what is said of it; empty when it is the file's own. */
export function showScaled({ scaledFrom }: ImageFile): string {
  return scaledFrom === undefined ? '' : `, a smaller copy of one of ${scaledFrom.width} × ${scaledFrom.height} pixels`;
}

/** A command as a title: one line, no longer than fits one. */
export function showCommand(command: string): string {
  const line = showName(command.trim().replace(/\s*\n\s*/g, ' ⏎ '));
  return line.length <= 120 ? line : `${headOf(line, 119)}…`;
}
