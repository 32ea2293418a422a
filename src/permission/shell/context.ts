import type { FileUse, SimpleCommand } from '../../domain/tool/command-analysis.js';
import type { Findings } from './findings.js';
import type { Flow, Folders } from './folders.js';
import type { ShellNode } from './grammar/shell-node.js';
import type { Source } from './grammar/source.js';
import type { AssignedNames } from './words/assigned-names.js';
import type { Word } from './words/word.js';

/** Context of commands that their position in the line determines. */
export interface Scope {
  readonly folders: Folders;
  /** Doubts that all commands share. */
  readonly doubts: readonly string[];
  /** The folders below which its input names files, one after the other, where that is known. */
  readonly input?: readonly (Word | string)[] | undefined;
  /** Links of the commands to others. */
  readonly links?: Links;
  /** The variables of which no value is known, because the text may set them. */
  readonly assigned: AssignedNames;
  /** Values of loop variables, where they are known. */
  readonly values?: ReadonlyMap<string, readonly Word[]>;
}

/** Links of a command to others in the line, for risks only: permission does not depend on them. */
export type Links = Pick<SimpleCommand, 'files' | 'input' | 'expanded'>;

/** The links of a command that names files itself or opens them by redirections. */
export function withFiles(links: Links | undefined, files: readonly FileUse[]): Links {
  const all = [...(links?.files ?? []), ...files];
  return all.length === 0 ? (links ?? {}) : { ...links, files: all };
}

/** The analysis of one text. */
export interface Context {
  readonly source: Source;
  readonly findings: Findings;
  readonly home: string;
  /** Judges statements, up to where the redirections behind them end. */
  statement(node: ShellNode, scope: Scope, end: number): Flow;
  /** Judges statements one after the other: all in a range of the text. */
  sequence(nodes: readonly ShellNode[], scope: Scope, range: Range): SequenceFlow;
  /** Judges another text as a line of its own: what `sh -c` is given. */
  script(text: string, scope: Scope): void;
}

/** The folders after statements, and whether the last one is followed by something that ends it. */
export interface SequenceFlow extends Flow {
  readonly ended: boolean;
}

/** A stretch of the text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Lists something that runs no program of its own, but that no rule may let pass. */
export function note(doubt: string, { start, end }: Range, { source, findings }: Context, links: Links = {}): void {
  findings.addCommand({ source: source.text.slice(start, end), words: [], readsOnly: false, doubts: [doubt], ...links });
}

/** Texts up to this length cannot take long, so what is said about them does not depend on how busy the machine is. */
const SHORT_LENGTH = 2_000;
/** Milliseconds that judging a short text may take, which only happens when the machine stalls. */
const SHORT_MS = 5_000;
/** Milliseconds for a longer text. */
const LONG_MS = 300;

/** When to give up on a text, by the clock of `performance`. */
export function deadlineFor(text: string): number {
  return performance.now() + (text.length <= SHORT_LENGTH ? SHORT_MS : LONG_MS);
}
