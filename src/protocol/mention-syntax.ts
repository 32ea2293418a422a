/** The mentions that are a word, beside files, folders, symbols and addresses. */
export const SPECIAL_MENTIONS = ['problems', 'editors', 'terminal', 'changes'] as const;
/** One of {@link SPECIAL_MENTIONS}. */
export type SpecialMention = (typeof SPECIAL_MENTIONS)[number];

/** A mention that is being written: from its `@` to the cursor. */
export interface MentionQuery {
  /** Offset of the `@`. */
  readonly start: number;
  /** What follows it, without a leading quotation mark. */
  readonly query: string;
}

/** Characters that may directly precede an `@` that begins a mention. */
const BEFORE = /[\s([{"'“‘,;:]/;
/** The most characters behind an `@` in which one is looked for. */
const MAX_QUERY = 300;

/** Whether an `@` at an offset may begin a mention: not one in an address such as `ada@example.com`. */
export function mayBegin(text: string, at: number): boolean {
  return at === 0 || BEFORE.test(text.charAt(at - 1));
}

/** The mention at the cursor; `undefined` when there is none. */
export function mentionAt(text: string, cursor: number): MentionQuery | undefined {
  const before = text.slice(Math.max(0, cursor - MAX_QUERY), cursor);
  const found = /@(?:"([^"\n]*)|([^\s"@]*))$/.exec(before);
  if (found === null) return undefined;
  const start = cursor - found[0].length;
  return mayBegin(text, start) ? { start, query: found[1] ?? found[2] ?? '' } : undefined;
}

/** A path as it is written behind an `@`; in quotation marks where something in it would end it, or lead it elsewhere. */
export function pathMention(path: string): string {
  const plain = /^[\p{L}\p{N}._~/\\-][\p{L}\p{N}._~/\\+=$-]*$/u.test(path) && /[\p{L}\p{N}/_-]$/u.test(path);
  const special = SPECIAL_MENTIONS.some((word) => word === path);
  return plain && !special ? `@${path}` : `@"${path}"`;
}
