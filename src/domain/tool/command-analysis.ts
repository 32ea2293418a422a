/** A file that a command names or would open, as far as its text shows. */
export interface FileUse {
  readonly kind: 'read' | 'write';
  /** Absolute path as the shell would open it; links are not resolved. */
  readonly path: string;
  /**
   * Part of the line that names it: a redirection; an operand that is a file; or a word whose use by the command is not known, so that it
   * counts only where it names something that must not be touched unasked. What a line writes by redirection
   * needs approval of its own.
   */
  readonly by: 'redirection' | 'operand' | 'word';
  /** Whether a word is certain to be opened where it names a file, rather than a folder. */
  readonly opens?: true;
  /**
   * Whether its folder is known only at run time; then `path` is where it would be if the line stayed in its folder, and a word names it wherever it is.
   */
  readonly unplaced?: true;
  /** For a file pattern: the part after `path`, which is the folder to match in. `*` matches anything. */
  readonly pattern?: string;
  /** Whether `*` in the pattern also stands for the dot at the beginning of a name, and case does not count. */
  readonly hidden?: true;
  /** For a folder that is written: the absolute path of another one, of which all that it has is put into it, also by their last names alone. */
  readonly from?: string;
  /** Whether all below the path is read too, behind links as well; with `split` what blanks and quotes in the names there would make of them. */
  readonly follows?: 'whole' | 'split';
}

/**
 * Stored content of a repository that a command of Git shows: old versions of files, those that it tracks, and single objects. Its words are
 * as Git gets them; only the repository decides which of the operands are versions and which are paths.
 */
export interface StoredView {
  /** The folder in which it runs, from that of the command on; left out where it is the same. */
  readonly folder?: string;
  /**
   * The kind of content: untracked files that it takes over (`untracked`), for other commands to show; or content that it shows: the changes of commits,
   * or between two states; whole files, of the index or of versions; single objects, where `--no-walk` stands for the changes of those that are commits;
   * or what is not known.
   */
  readonly of: 'commits' | 'difference' | 'files' | 'objects' | 'untracked' | 'anything';
  /** Options of Git that choose commits and states, all of which only read. */
  readonly options: readonly string[];
  /** Words before `--`. */
  readonly operands: readonly string[];
  /** Words behind `--`, which name files. */
  readonly paths: readonly string[];
}

/** One program, builtin or function that a command line would run. */
export interface SimpleCommand {
  /** Its text as written, with its assignments and redirections. */
  readonly source: string;
  /** The words as the shell splits and unquotes them; `undefined` for a word that is known only at run time. */
  readonly words: readonly (string | undefined)[];
  /** Whether it is known to only read and print, with exactly these options. */
  readonly readsOnly: boolean;
  /**
   * Why no rule with a prefix may let it pass, as sentences: an assignment before it, a word known only at run time,
   * an option that runs or writes something. Empty when such a rule may.
   */
  readonly doubts: readonly string[];
  /** How it uses files whose names are known only at run time, for known programs. */
  readonly unknownFiles?: readonly FileUse['kind'][];
  /** Names of remotes that a command of Git contacts, whose addresses are only in its settings; an empty one for that which Git chooses. */
  readonly remotes?: readonly string[];
  /** Stored content of a repository that it shows, for commands of Git that do or may. */
  readonly stored?: readonly StoredView[];
  /** Whether it runs commands that are known only at run time, such as a shell with what it gets from its input. */
  readonly runsUnknown?: true;
  /** The folders in which it may run, as absolute paths; left out where they are known only at run time. */
  readonly folders?: readonly string[];
  /** The files that it names, or that redirections of it and of the group around it open; left out where there are none. */
  readonly files?: readonly FileUse[];
  /** The commands whose output it can read, such as those before it in a pipe; empty where its input is a text of the line. */
  readonly input?: readonly SimpleCommand[];
  /** The commands whose output becomes part of its words; left out where there are none. */
  readonly expanded?: readonly SimpleCommand[];
  /** Whether the shell does not wait for it to end. */
  readonly background?: true;
}

/** Analysis of a command line. */
export interface CommandAnalysis {
  /**
   * Every simple command: also those in substitutions, subshells and bodies, and those that a wrapper (`env`, `timeout`,
   * `xargs`, `sh -c` …) would run. A wrapper that adds no power of its own (`timeout 5 ls`) is not listed itself.
   */
  readonly commands: readonly SimpleCommand[];
  /** Files of redirections, and those that commands which only read are given. `/dev/null` and the like are left out. */
  readonly files: readonly FileUse[];
  /** Why the text as a whole cannot be judged; then only the user or a rule for exactly this text may allow it. */
  readonly unreadable?: string;
}

/** Where a command line would run. */
export interface CommandPlace {
  /** Absolute path of the folder it starts in. */
  readonly cwd: string;
  /** Absolute path of the home directory. */
  readonly home: string;
}

/** Reads command lines as the shell would. Never throws, never runs anything; what it does not know, it says. */
export interface CommandAnalyzer {
  /** Whether the shell that runs commands is one that it can read. Otherwise every line is unreadable. */
  readonly shell: 'bash' | 'other';
  analyze(command: string, place: CommandPlace): CommandAnalysis;
}
