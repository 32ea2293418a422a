/** A command as it was written. */
export interface WrittenCommand {
  /** Without the slash, in lower case. */
  readonly name: string;
  /** What follows it; empty when nothing does. */
  readonly argument: string;
}

/** The command that a message begins with. Not a path, and nothing behind a space: that is how a slash is sent as it is. */
export function parseSlash(text: string): WrittenCommand | undefined {
  const match = /^\/([a-z][\w-]*)(?:\s+([\s\S]*))?$/i.exec(text);
  return match === null ? undefined : { name: (match[1] ?? '').toLowerCase(), argument: match[2]?.trim() ?? '' };
}
