import type { Facts } from './facts.js';
import type { ParsedModule } from './parsed-module.js';
import { parseModule } from './parsed-module.js';
import type { Candidate, Evidence } from './ranking.js';
import { rankRepairs } from './ranking.js';
import type { Look } from './resolve-name.js';
import { followFailure } from './suspects.js';
import type { Failure } from './test-run.js';

/** Failing tests that are looked into; they mostly share one cause. */
const MOST_FAILURES = 8;
/** Failing tests that count: those that reach least code say most. */
const TELLING_FAILURES = 3;

/** What to read next, or what may be wrong, best guess first. */
export type Finding =
  | {
      readonly type: 'wanted';
      readonly path: string;
      readonly offset: number | undefined;
      readonly why: 'test' | 'import';
      /** The failing test whose trail leads there. */
      readonly failure: Failure;
    }
  | { readonly type: 'ranked'; readonly candidates: readonly Candidate[] };

/** Follows the failing tests through the files read so far. */
export function investigate(failures: readonly Failure[], files: Facts['files']): Finding {
  const look = lookup(files);
  const evidence: Evidence[] = [];
  for (const failure of failures.filter(({ wholeFile }) => !wholeFile).slice(0, MOST_FAILURES)) {
    const trail = followFailure(failure, look);
    if (trail.type === 'wanted') return { ...trail, failure, offset: nextLine(files, trail.path) };
    evidence.push({ failure, suspects: trail.suspects });
  }
  const telling = evidence.sort((a, b) => a.suspects.length - b.suspects.length).slice(0, TELLING_FAILURES);
  return { type: 'ranked', candidates: rankRepairs(telling) };
}

function lookup(files: Facts['files']): Look {
  const parsed = new Map<string, ParsedModule | 'unusable'>();
  return (path) => {
    const file = files.get(path);
    if (file === undefined || (file !== 'missing' && file.next !== undefined)) return 'unread';
    if (file === 'missing') return 'unusable';
    const module = parsed.get(path) ?? parseModule(path, file.lines.join('\n')) ?? 'unusable';
    parsed.set(path, module);
    return module;
  };
}

function nextLine(files: Facts['files'], path: string): number | undefined {
  const file = files.get(path);
  return file === undefined || file === 'missing' ? undefined : file.next;
}
