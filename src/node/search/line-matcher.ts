import { createContext, Script } from 'node:vm';
import { ToolInputError } from '../../domain/errors.js';
import type { GrepFilter } from '../../domain/workspace/search.js';

/** How long a pattern may take on one file, in milliseconds. */
const TIME_LIMIT_MS = 1_000;

const LINES = new Script('Array.from(lines.keys()).filter((at) => regexp.test(lines[at]));');
const SPANS = new Script('Array.from(lines.join("\\n").matchAll(regexp), (match) => [match.index, match.index + match[0].length]);');

/**
 * Finds the lines that fit a pattern with JavaScript's own regular expressions, for where there is no ripgrep. They run
 * where they can be interrupted: a hostile pattern can take for ever.
 * @throws ToolInputError for a pattern that cannot be compiled, and by what is returned for one that takes too long.
 */
export function createLineMatcher(filter: GrepFilter): (lines: readonly string[]) => ReadonlySet<number> {
  const regexp = compile(filter);
  const sandbox: { regexp: RegExp; lines: readonly string[] } = { regexp, lines: [] };
  const context = createContext(sandbox);
  const run = (script: Script): unknown => {
    try {
      return script.runInContext(context, { timeout: TIME_LIMIT_MS });
    } catch (error) {
      // The error is of the context, so it is no instance of an Error here.
      if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw new ToolInputError('The pattern takes too long. Use a simpler one.');
    }
  };
  return (lines) => {
    sandbox.lines = lines;
    if (!filter.multiline) return new Set(run(LINES) as number[]);
    return linesOfSpans(lines, run(SPANS) as (readonly [number, number])[]);
  };
}

function compile({ pattern, literal, word, ignoreCase, multiline }: GrepFilter): RegExp {
  const [, inline = '', rest = pattern] = literal ? [] : (/^\(\?([ims]+)\)([^]*)$/.exec(pattern) ?? []);
  const source = literal ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : rest;
  const wanted = inline + (ignoreCase ? 'i' : '') + (multiline ? 'gms' : '');
  const flags = ['g', 'i', 'm', 's'].filter((flag) => wanted.includes(flag)).join('');
  try {
    return new RegExp(word ? `\\b(?:${source})\\b` : source, flags);
  } catch (error) {
    throw new ToolInputError(`The pattern cannot be used: ${String(error)}`);
  }
}

/** Numbers, from 0, of the lines that spans of the whole text touch. */
function linesOfSpans(lines: readonly string[], spans: readonly (readonly [number, number])[]): ReadonlySet<number> {
  const hits = new Set<number>();
  let line = 0;
  let start = 0;
  for (const [from, to] of spans) {
    while (line < lines.length - 1 && start + (lines[line]?.length ?? 0) < from) start += (lines[line++]?.length ?? 0) + 1;
    for (let at = line, place = start; at < lines.length && (at === line || place < to); at += 1) {
      hits.add(at);
      place += (lines[at]?.length ?? 0) + 1;
    }
  }
  return hits;
}
