/** After this many milliseconds the shortest difference is given up and the whole text shown as replaced. */
const PATIENCE_MS = 250;

/** Two versions of a file; `before` is `undefined` for a new one. */
export interface Versions {
  readonly before: string | undefined;
  readonly after: string;
}

/**
 * A unified diff with three lines of context: always the whole change, never shortened.
 * CRLF in all lines of both versions does not show; a change of line endings does.
 */
export async function unifiedDiff(name: string, versions: Versions): Promise<string> {
  const { createTwoFilesPatch } = await import('diff');
  const { before, after } = comparable(versions);
  const oldName = versions.before === undefined ? '/dev/null' : name;
  const options = { context: 3, timeout: PATIENCE_MS };
  const patch: string | undefined = createTwoFilesPatch(oldName, name, before, after, undefined, undefined, options);
  return patch === undefined ? wholeReplacement(name, before, after) : patch.replace(/^=+\n/, '');
}

function comparable({ before = '', after }: Versions): { before: string; after: string } {
  const onlyCrlf = [before, after].every((text) => text === '' || (text.includes('\r\n') && !/\r(?!\n)|(?<!\r)\n/.test(text)));
  return onlyCrlf ? { before: before.replaceAll('\r\n', '\n'), after: after.replaceAll('\r\n', '\n') } : { before, after };
}

function wholeReplacement(name: string, before: string, after: string): string {
  const old = marked(before, '-');
  const fresh = marked(after, '+');
  const range = (lines: readonly string[]): string => `${lines.length === 0 ? 0 : 1},${lines.length}`;
  return [`--- ${name}`, `+++ ${name}`, `@@ -${range(old)} +${range(fresh)} @@`, ...old, ...fresh, ''].join('\n');
}

function marked(text: string, mark: '+' | '-'): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') return lines.slice(0, -1).map((line) => mark + line);
  return lines.map((line, index) => mark + line + (index === lines.length - 1 ? '\n\\ No newline at end of file' : ''));
}
