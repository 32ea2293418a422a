/** A run of text; `escape` when it is the escape of a hidden character. */
export interface VisiblePart {
  readonly text: string;
  readonly escape: boolean;
}

/**
 * Characters that are invisible, look like another white space, or change the order of the text around them:
 * controls but line feed and tab, formats (bidirectional marks, zero width, tags), unassigned, private and lone surrogate
 * code points, separators but the space, variation selectors, and letters that are drawn as nothing.
 */
const HIDDEN = new RegExp(
  `[${[
    String.raw`\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}`,
    String.raw`\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00A0`,
    String.raw`\u034F\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200A\u202F\u205F\u2800\u3000\u3164`,
    String.raw`\uFE00-\uFE0F\uFFA0\u{E0100}-\u{E01EF}`,
  ].join('')}]`,
  'gu',
);

/** Splits a text so that every hidden character is an escape such as `\u202E`. The texts of the parts show all of it. */
export function visibleParts(text: string): readonly VisiblePart[] {
  const parts: VisiblePart[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), escape: false });
    parts.push({ text: escapeOf(match[0]), escape: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), escape: false });
  return parts;
}

/** Writes hidden characters as escapes, for places that can contain text only. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, escapeOf);
}

/** Whether a text contains hidden characters. */
export function hasHidden(text: string): boolean {
  return text.search(HIDDEN) >= 0;
}

function escapeOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}
