/** The mentions that are a word, beside files, folders, symbols and addresses. */
export const SPECIAL_MENTIONS = ['problems', 'editors', 'terminal', 'changes'] as const;
/** One of {@link SPECIAL_MENTIONS}. */
export type SpecialMention = (typeof SPECIAL_MENTIONS)[number];

/** A mention that is being written: from its `@` to the cursor. */
export interface MentionQuery {
  /** Offset of the `@`. */
  readonly start: number;
  /** Search text after the `@`, without a leading quotation mark. */
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
  const found = /@(?:"([^"\n]*)|([\w-]+:)"([^"\n]*)|([^\s"@]*))$/.exec(before);
  if (found === null) return undefined;
  const start = cursor - found[0].length;
  const [, path, server = '', uri = '', word] = found;
  return mayBegin(text, start) ? { start, query: path ?? word ?? server + uri } : undefined;
}

/** A path as it is written behind an `@`; in quotation marks where something in it would end it, or lead it elsewhere. */
export function pathMention(path: string): string {
  const plain = /^[\p{L}\p{N}._~/\\-][\p{L}\p{N}._~/\\+=$-]*$/u.test(path) && /[\p{L}\p{N}/_-]$/u.test(path);
  const special = SPECIAL_MENTIONS.some((word) => word === path);
  return plain && !special ? `@${path}` : `@"${path}"`;
}

/** Whether a path can be written behind an `@`: no mark ends it early, see {@link MENTION}. */
export function isMentionable(path: string): boolean {
  return path.length <= MAX_MENTION && !/["\n]/.test(path);
}

/** A resource of an MCP server, as `@server:uri` mentions it. */
export interface ResourceMention {
  /** Id of the server. */
  readonly server: string;
  /** Its address as it is written; see {@link writtenUri}. */
  readonly uri: string;
}

/**
 * A mention after its `@`: a path in quotation marks, a resource whose address is in quotation marks, or anything up to a white space.
 * Each form ends where it can be seen: at the closing mark, or before the white space and the signs of the sentence around it.
 */
export const MENTION = /@(?:"([^"\n]{1,1000})"(:\d{1,9}(?:-\d{1,9})?(?![\d\w]))?|([\w-]{1,200}):"([^"\n]{1,2000})"|([^\s"@][^\s"]{0,2000}))/g;
/** Signs behind a mention that belong to the sentence around it. */
const SENTENCE_END = /[.,;:!?'’”»…)\]}>]+$/;
/** An id, and an address with a scheme of two letters or more (RFC 3986, 3.1): one letter is a drive. */
const RESOURCE = /^([\w-]{1,200}):([a-z][a-z0-9+.-]+:.*)$/i;
/** Characters of a mention that is offered. */
const MAX_MENTION = 1_000;

/** A word without the signs of the sentence behind it. A bracket that was opened in it stays with it, as in the address of many an encyclopaedia. */
export function withoutSentence(word: string): string {
  const bare = word.replace(SENTENCE_END, '');
  const tail = word.slice(bare.length);
  const closes = tail.startsWith(')') && bare.split('(').length > bare.split(')').length;
  return closes ? `${bare})` : bare;
}

/** The resource that a word without quotation marks mentions, if there is a server of that id; `undefined` for any other word. */
export function resourceIn(word: string): ResourceMention | undefined {
  const [, server, uri] = RESOURCE.exec(word) ?? [];
  if (server === undefined || uri === undefined || SPECIAL_MENTIONS.some((special) => special === server)) return undefined;
  return { server, uri };
}

/**
 * The mention of a resource, with the `@`; in quotation marks where something in the address would end it. `undefined` for one that is
 * too long to be written.
 */
export function resourceMention({ server, uri }: ResourceMention): string | undefined {
  const written = writtenUri(uri);
  const plain = resourceIn(`${server}:${written}`) !== undefined && /^[\p{L}\p{N}._~:/?#@!$&*+=%-]+$/u.test(written) && /[\p{L}\p{N}/_=-]$/u.test(written);
  const mention = plain ? `@${server}:${written}` : `@${server}:"${written}"`;
  return written === '' || mention.length > MAX_MENTION ? undefined : mention;
}

/** An address as mentions have it: what would not be seen, or ends a mention, is percent-encoded (RFC 3986, 2.1). */
export function writtenUri(uri: string): string {
  return uri.replace(/["\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu, (character) =>
    Array.from(new TextEncoder().encode(character), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}
