import type { ArgumentKind } from './argument-kinds.js';

/**
 * A program, or a subcommand of one, of which it is known what every option and operand here does: none of them runs or loads
 * code, writes where the program does not write without it, or sends data elsewhere. Everything that is not listed is in doubt.
 */
export interface KnownCommand {
  /** The words that name it, such as `git push`; `<kind>` stands for one word of that kind, as in `npm run <script>`. */
  readonly words: string;
  /**
   * Its options, apart by blanks: `-a` without a value, `-m=text` with one in the same word or the next, `--cov?=path` with one
   * only behind `=`.
   */
  readonly options?: string;
  /** What its operands can be; left out where it takes none. */
  readonly operands?: ArgumentKind;
  /** What the first operand can be, where that is something else. */
  readonly first?: ArgumentKind;
  /** What follows `--`, where that is not a list of operands. */
  readonly behind?: Pick<KnownCommand, 'options' | 'operands'>;
  /** Whether a long option has one dash, so that letters do not stand together (`go test -run x`). */
  readonly singleDash?: true;
  /** Whether a rule for it is only counted where somebody wrote it, and never proposed. */
  readonly unoffered?: true;
  /** Where its options are documented: an address, or the name of the manual. */
  readonly source: string;
}
