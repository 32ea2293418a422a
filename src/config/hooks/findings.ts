import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem, FieldReport } from '../../domain/config/problem.js';
import { keyPath } from '../../text/key-path.js';
import type { SourceValue } from './source-value.js';

/** Problems, and reports on fields, of one file: a hostile file could have one in each line. */
const MAX_FINDINGS = 200;

/** Where something is in a file. */
type Place = Pick<SourceValue, 'path' | 'line'>;

/** Collects what is wrong with the hooks of a file, and what of them is not used. */
export class Findings {
  private readonly found: ConfigProblem[] = [];
  private readonly reported: FieldReport[] = [];

  constructor(readonly origin: ConfigOrigin) {}

  /** The gravest ones, if there are too many to be listed. */
  get problems(): readonly ConfigProblem[] {
    return [...this.found].sort((a, b) => Number(a.harmless ?? false) - Number(b.harmless ?? false)).slice(0, MAX_FINDINGS);
  }

  /** Those that are not used first, if there are too many to be listed. */
  get fields(): readonly FieldReport[] {
    if (this.reported.length <= MAX_FINDINGS) return this.reported;
    return [...this.reported].sort((a, b) => Number(a.state === 'used') - Number(b.state === 'used')).slice(0, MAX_FINDINGS);
  }

  /** Notes that something cannot be used, or, if it is harmless, that it works otherwise than it seems. */
  add({ path, line }: Place, message: string, harmless = false): void {
    this.found.push({ file: this.origin.file, key: keyPath(path), ...(line === undefined ? {} : { line }), message, ...(harmless ? { harmless } : {}) });
  }

  /** Says what became of a field. */
  report({ path, line }: Place, state: FieldReport['state'], note?: string): void {
    this.reported.push({ field: keyPath(path), state, ...(note === undefined ? {} : { note }), ...(line === undefined ? {} : { line }) });
  }
}
