/** What is known of a file: its lines from the first, and where the next part begins when there is more. */
export interface KnownFile {
  readonly lines: readonly string[];
  readonly next?: number;
}

/** Takes a part of a file, as the `read` tool shows it with a number before each line, after what is known already. */
export function withNumberedLines(known: KnownFile | undefined, shown: string): KnownFile {
  const lines = [...(known?.lines ?? [])];
  for (const line of shown.split('\n')) {
    const [, number, content] = /^\s*(\d+)(?:\t|→|[:|] ?)(.*)$/s.exec(line) ?? [];
    if (number === undefined || content === undefined) continue;
    if (lines.length === 0 || Number(number) === lines.length + 1) lines.push(content);
  }
  const partial = /\[PARTIAL[^\]]*offset (\d+)/i.test(shown.slice(-200));
  return partial ? { lines, next: lines.length + 1 } : { lines };
}

/** A file with a text replaced once. */
export function withReplacement(file: KnownFile, before: string, after: string): KnownFile {
  // A function as the replacement, so that `$` in it has no meaning.
  return { ...file, lines: file.lines.join('\n').replace(before, () => after).split('\n') };
}
