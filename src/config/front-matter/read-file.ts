import { present } from '../../domain/present.js';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem, FieldReport } from '../../domain/config/problem.js';
import { withoutUnseen } from '../../domain/hidden-characters.js';
import { type FrontMatter, readFrontMatter } from '../../text/front-matter/read-front-matter.js';
import { FrontMatterFields } from './front-matter-fields.js';

/** Why a file cannot be used. */
export interface Skipped {
  /** A sentence for the user. */
  readonly why: string;
  /** From 1 on; absent for the file as a whole. */
  readonly line?: number;
  /** The name that it would have; absent where its front matter cannot be read. */
  readonly name?: string;
}

/** Result of reading a file; a usable file has more than its table says. */
export type FileResult<V> = {
  /** Also that because of which it is skipped. */
  readonly problems: readonly ConfigProblem[];
  /** Whether it is exactly as its format wants it. */
  readonly conforms: boolean;
} & ({ readonly value: V & { readonly origin: ConfigOrigin; readonly fields: readonly FieldReport[] } } | { readonly skipped: Skipped });

interface Named {
  readonly name: string;
}

/** Reads a field of a file; `undefined` leaves it out of the result. @param before what the fields above it in the table say */
export type FieldReader<S, V, K extends keyof V> = (file: FileReading<S>, before: Readonly<Named & Partial<V>>) => V[K];

/** A format of Markdown files with front matter. */
export interface FileFormat<S, V extends Named> {
  /** Readers of its fields by result property, in this order; the name comes first. */
  readonly fields: { readonly [K in keyof V]-?: FieldReader<S, V, K> };
  /** Why fields of other programs have no effect here, by their names. */
  readonly ignored: () => Readonly<Record<string, string>>;
  /** Names that may have been meant by one that is not known. */
  readonly known: readonly string[];
  /** Looks at the whole once the fields were read. */
  readonly check: (file: FileReading<S>, values: Readonly<V>) => void;
}

/** A file while it is read. */
export class FileReading<S = unknown> {
  readonly fields: FrontMatterFields;
  private failure: { readonly why: string; readonly line: number } | undefined;
  private hasBreach = false;

  constructor(
    readonly frontMatter: FrontMatter,
    readonly source: S & { readonly origin: ConfigOrigin },
  ) {
    this.fields = new FrontMatterFields(frontMatter.fields, source.origin.file);
  }

  /** Where it is. */
  get origin(): ConfigOrigin {
    return this.source.origin;
  }

  /** Whether it cannot be used. */
  get hasFailed(): boolean {
    return this.failure !== undefined;
  }

  /** The line of a field; that of the beginning where it is not there. */
  lineOf(name: string): number {
    return this.frontMatter.lineAt([name]) ?? 1;
  }

  /** Says why it cannot be used; the first reason counts. */
  fail(why: string, line: number): void {
    this.failure ??= { why, line };
  }

  /** Says that it is not as its format wants it, with what the user should know of that. */
  breach(problem?: { readonly name: string; readonly message: string }): void {
    this.hasBreach = true;
    if (problem !== undefined) this.fields.problem({ name: problem.name, line: this.lineOf(problem.name) }, problem.message);
  }

  /** Notes characters in a text that cannot be seen. @param name of its field, empty for what is behind the front matter */
  noteHidden(name: string, text: string, says: (characters: string) => string): void {
    const { hidden } = withoutUnseen(text);
    if (hidden !== undefined) this.fields.problem({ name, line: name === '' ? this.frontMatter.bodyLine : this.lineOf(name) }, says(hidden));
  }

  /** Result of reading it. */
  result<V extends Named>(value: V): FileResult<V> {
    const problems = [...this.frontMatter.problems, ...this.fields.problems];
    if (this.failure === undefined) return { value: { ...value, origin: this.origin, fields: this.fields.reports }, problems, conforms: !this.hasBreach };
    const { why, line } = this.failure;
    const isListed = problems.some(({ message, harmless }) => message === why && harmless !== true);
    return {
      skipped: { why, line, ...(value.name === '' ? {} : { name: value.name }) },
      problems: isListed ? problems : [{ file: this.origin.file, key: '', line, message: why }, ...problems],
      conforms: false,
    };
  }
}

/** Reads a Markdown file by the table of its format. Never throws. One whose front matter cannot be read is skipped: what limits it could be there. */
export function readFile<S extends { readonly origin: ConfigOrigin }, V extends Named>(text: string, source: S, format: FileFormat<S, V>): FileResult<V> {
  const frontMatter = readFrontMatter(text, { file: source.origin.file });
  const { broken, problems } = frontMatter;
  if (broken !== undefined) {
    const line = problems[0]?.line;
    return { skipped: { why: broken, ...present({ line }) }, problems, conforms: false };
  }
  const file = new FileReading<S>(frontMatter, source);
  const values = readTable(format.fields, file);
  file.fields.ignore(format.ignored());
  file.fields.rest(format.known);
  format.check(file, values);
  return file.result(values);
}

/** Fields that are not there are not there in the result either. */
function readTable<S, V extends Named>(table: FileFormat<S, V>['fields'], file: FileReading<S>): V {
  const values: Partial<V> = {};
  for (const key of Object.keys(table) as (keyof V)[]) {
    const value = table[key](file, { name: '', ...values });
    if (value !== undefined) values[key] = value;
  }
  // The table has a reader for each of them.
  return values as V;
}

/** Where it is, with the line because of which it is skipped. */
export function atLine(origin: ConfigOrigin, { line }: Pick<Skipped, 'line'>): ConfigOrigin {
  return line === undefined ? origin : { ...origin, line };
}
