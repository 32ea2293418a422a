import { present } from '../../domain/present.js';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem, FieldReport } from '../../domain/config/problem.js';
import { keyPath } from '../../text/key-path.js';
import type { SourceValue } from './source-value.js';

/** Problems, and reports on fields, of one file: a hostile file could have one in each line. */
const MAX_FINDINGS = 200;

/** Where something is in a file. */
type Place = Pick<SourceValue, 'path' | 'line'>;

/** State of a part of a file, and whether users are notified of it. */
interface Finding {
  readonly report: FieldReport;
  readonly isProblem: boolean;
}

/** Priority of states, where several are found for one field. */
const WORTH: Readonly<Record<FieldReport['state'], number>> = { refused: 2, ignored: 1, used: 0 };

/**
 * Collects the states of everything in the hooks of a file. Problems are among the fields as well, so that the fields are complete.
 */
export class Findings {
  private readonly found: Finding[] = [];

  constructor(readonly origin: ConfigOrigin) {}

  /** The gravest ones, if there are too many to be listed. */
  get problems(): readonly ConfigProblem[] {
    const problems = this.found.flatMap(({ isProblem, report: { field, state, note = '', line } }): readonly ConfigProblem[] =>
      isProblem ? [{ file: this.origin.file, key: field, ...present({ line }), message: note, ...(state === 'used' ? { harmless: true } : {}) }] : [],
    );
    return problems.sort((a, b) => Number(a.harmless ?? false) - Number(b.harmless ?? false)).slice(0, MAX_FINDINGS);
  }

  /** One for each field, those that are not used first if there are too many to be listed. Problems of the file as a whole are not included. */
  get fields(): readonly FieldReport[] {
    const byField = new Map<string, FieldReport>();
    for (const { report } of this.found) {
      const known = byField.get(report.field);
      const isWorthMore =
        known === undefined || WORTH[report.state] > WORTH[known.state] || (WORTH[report.state] === WORTH[known.state] && known.note === undefined);
      if (report.field !== '' && isWorthMore) byField.set(report.field, report);
    }
    const all = [...byField.values()];
    return all.length <= MAX_FINDINGS ? all : all.sort((a, b) => WORTH[b.state] - WORTH[a.state]).slice(0, MAX_FINDINGS);
  }

  /** Notes that something cannot be used, or, if it is harmless, that it works otherwise than it seems. */
  add(place: Place, message: string, harmless = false): void {
    this.found.push({ report: reportOf(place, harmless ? 'used' : 'refused', message), isProblem: true });
  }

  /** Reports the state of a field, shown on request only. */
  report(place: Place, state: FieldReport['state'], note?: string): void {
    this.found.push({ report: reportOf(place, state, note), isProblem: false });
  }
}

function reportOf({ path, line }: Place, state: FieldReport['state'], note: string | undefined): FieldReport {
  return { field: keyPath(path), state, ...present({ note, line }) };
}
