import type { Diagnostic, Diagnostics } from '../../domain/workspace/diagnostics.js';
import { count, cutLine, showName } from '../../text/show.js';

/** Problems that are told one by one; the rest is counted. */
const SHOWN_PROBLEMS = 10;
/** Characters of one message. */
const MESSAGE_CHARACTERS = 300;

/** The problems of a file. */
export interface FileProblems {
  /** Absolute, as the editor names it. */
  readonly path: string;
  readonly before: readonly Diagnostic[];
}

/** Errors and warnings of a file as they stand before a change; none without a language server. */
export function problemsOf(diagnostics: Diagnostics | undefined, path: string): readonly Diagnostic[] {
  const all = diagnostics?.current(path) ?? [];
  return all.filter(({ severity }) => severity === 'error' || severity === 'warning');
}

/** What to tell the model of problems that a change brought; `undefined` when there are none. */
export async function newProblems(diagnostics: Diagnostics, { path, before }: FileProblems, signal: AbortSignal): Promise<string | undefined> {
  try {
    await diagnostics.settled(path, signal);
  } catch {
    // Stopped. The file is written all the same, and that is what the result must say.
    return undefined;
  }
  const fresh = without(problemsOf(diagnostics, path), before);
  if (fresh.length === 0) return undefined;
  const shown = fresh.slice(0, SHOWN_PROBLEMS).map(problemLine);
  const more = fresh.length > shown.length ? [`and ${fresh.length - shown.length} more`] : [];
  return [`${count(fresh.length, 'new problem')}:`, ...shown, ...more].join('\n');
}

/** Problems that were not there before. Lines move with a change, so where a problem is does not count. */
function without(problems: readonly Diagnostic[], before: readonly Diagnostic[]): readonly Diagnostic[] {
  const known = new Map<string, number>();
  for (const problem of before) known.set(keyOf(problem), (known.get(keyOf(problem)) ?? 0) + 1);
  return problems.filter((problem) => {
    const left = known.get(keyOf(problem)) ?? 0;
    known.set(keyOf(problem), left - 1);
    return left <= 0;
  });
}

function keyOf({ severity, message, source, code }: Diagnostic): string {
  return JSON.stringify([severity, message, source, code]);
}

function problemLine({ line, severity, message, source }: Diagnostic): string {
  const by = source === undefined ? '' : ` (${showName(source)})`;
  return `line ${line}: ${severity}: ${cutLine(message.trim().replace(/\s*\n\s*/g, ' '), MESSAGE_CHARACTERS)}${by}`;
}
