/** A relative path that stays in the folder and is neither hidden, nor of a dependency, nor a repository without files. */
const PATH = /^(?!.*(?:^|\/)(?:\.{2,}|\.[^./][^/]*|[^/]*\.git|node_modules|vendor|site-packages)(?:\/|$))(?:\.\/|\.$|[\w\p{L}(])[\w\p{L}./@+,()[\]*?-]*$/iu;
/** Names of test files and folders. */
const OF_TESTS = /(?:^|[/._-])(?:tests?|specs?|e2e|__tests__|cypress)(?:[/._:-]|$)/i;

/** Reporters and formatters that programs bring along: any other is a module. */
const REPORTERS =
  'default verbose dot json tap basic list line html junit github spec min progress nyan stylish compact unix documentation concise full short human';

/** Kinds of arguments of known commands: text for the program, or a name or path that it looks up. */
const KINDS = {
  /** Any text that is not an option: a message, an expression that selects tests. */
  text: (word) => !word.startsWith('-'),
  number: (word) => /^\d+(?:\.\d+)?(?:%|ms|s|m|h)?$/.test(word),
  bool: (word) => /^(?:true|false)$/.test(word),
  name: (word) => /^\w[\w.:+-]*$/.test(word) && !/::|\.git$/.test(word),
  /** Several names, apart by commas. */
  names: (word) => /^\w[\w.:+, -]*$/.test(word),
  /** The name of a package of npm. */
  package: (word) => /^(?:@[\w.-]+\/)?\w[\w.-]*$/.test(word),
  path: (word) => PATH.test(word),
  /** A file or folder itself: with a `/` or `/.` at its end, what is in a folder is meant (cp(1), of GNU and of BSD), whatever its names are. */
  entry: (word) => PATH.test(word) && !/\/\.?$/.test(word) && word !== '.',
  /** Where files are put. */
  place: (word) => PATH.test(word) && !/[^/]\/\.\/?$/.test(word),
  /** Files or folders with tests; `a.py::test_x` and `a_spec.rb:12` are parts of files. */
  test: (word) => isTest(word),
  /** A module with tests, by its name in Python. */
  testModule: (word) => /^\w+(?:\.\w+)*$/.test(word) && OF_TESTS.test(word),
  /** Settings at the top, which ask before they change: those in a folder can name where output goes, and the user may not have read them. */
  tsconfig: (word) => /^(?:\.\/?|(?:\.\/)?tsconfig[\w.-]*\.json)$/.test(word),
  /** A branch, tag, or commit; never a path upwards, an address, or a helper (`ext::`). */
  ref: (word) => /^(?:\w[\w./@^~{}-]*|@[\w^~{}-]*)$/.test(word) && !/(?:^|\/)(?:\.\.?|node_modules)(?:\/|$)|\.git$/.test(word),
  /** The name of a remote, and neither an address nor a path. */
  remote: (word) => /^\w[\w-]*$/.test(word),
  /** Refspec of a push: neither forced (`+x`) nor a deletion (`:x`). */
  refspec: (word) => /^\w[\w./-]*(?::\w[\w./-]*)?$/.test(word) && !/(?:^|\/)\.\.?(?:\/|$)|\.git$|::|:\/\//.test(word),
  /** Packages of the module in this folder: `./...`. */
  goPackage: (word) => /^\.(?:\/\w[\w.-]*)*(?:\/\.{3})?$/.test(word) && !/\.git(?:\/|$)/.test(word),
  coverageFile: (word) => /^\w[\w-]*\.(?:out|cov)$/.test(word),
  cargoFilter: (word) => /^\w+(?:::\w+)*(?:::)?$/.test(word),
  /** A machine that Rust builds for, and not a file that describes one. */
  triple: (word) => /^[a-z\d_]+(?:-[a-z\d_]+){1,3}$/.test(word),
  lint: (word) => /^\w[\w:-]*$/.test(word),
  gradleTask: (word) => /^(?::?[\w-]+:)*:?[\w-]+$/.test(word) && isGradleTask(word.replace(/^.*:/, '')),
  mavenPhase: oneOf('clean validate compile test-compile test package verify integration-test'),
  bazelLabel: (word) => /^\/\/(?:\w[\w/-]*)?(?::\w[\w.-]*|\/\.{3}|\.{3})?$/.test(word),
  /** Outcomes in the summary of pytest. */
  outcomes: (word) => /^[fEsxXpPwaAN]+$/.test(word),
  workers: (word) => /^(?:\d+%?|auto|logical|max)$/.test(word),
  reporter: oneOf(REPORTERS),
  coverageReport: oneOf('term term-missing html xml json lcov text text-summary'),
  traceback: oneOf('auto long short line native no on off retain-on-failure on-first-retry'),
  output: oneOf('errors all streamed summary auto plain rich verbose quiet q m n d minimal normal detailed always never color production development test'),
  configuration: (word) => /^(?:debug|release)$/i.test(word),
  profile: oneOf('black django google pycharm dev release test bench'),
  /** A script of a package whose name says that it checks something: what follows are files to check. */
  checkScript: (word) => SCRIPT.test(word) && word.split(/[:_-]/).some(isCheck),
  script: (word) => SCRIPT.test(word),
  /** A target of a file of the project that says how to build it. */
  target: (word) => /^[A-Za-z][\w.-]*$/.test(word) && !/\.(?:mk|make|just|ya?ml|git)$/.test(word),
  python: (word) => /^python(?:3(?:\.\d+)?)?$/.test(word),
} satisfies Record<string, (word: string) => boolean>;

const GRADLE_TASKS = 'clean test check build assemble classes testClasses compileJava compileKotlin compileTestJava compileTestKotlin lint detekt';
const isGradleTask = oneOf(GRADLE_TASKS);
const isCheck = oneOf('test tests unit spec e2e lint eslint format fmt prettier check typecheck types tsc vitest jest');

/** Whether a word is one of those in a text. */
function oneOf(words: string): (word: string) => boolean {
  const all: ReadonlySet<string> = new Set(words.split(' '));
  return (word) => all.has(word);
}

/** The name of a script in `package.json`, and never that of a file. */
const SCRIPT = /^[a-z][\w:-]*$/i;

/** Kind of an argument of a known command. */
export type ArgumentKind = keyof typeof KINDS;

/** Whether an argument is of a kind. */
export function isOfKind(kind: ArgumentKind, word: string): boolean {
  return KINDS[kind](word);
}

/** The kind with a name; `undefined` where no kind has it. */
export function kindNamed(name: string): ArgumentKind | undefined {
  return isKind(name) ? name : undefined;
}

function isKind(name: string): name is ArgumentKind {
  return Object.hasOwn(KINDS, name);
}

/** A file that is no test is code that a test runner would run for the first time; a name without an ending selects among what it finds. */
function isTest(word: string): boolean {
  const [, path = '', part] = /^([^:]*?)((?:(?<=\.py)::[\w[\].,= -]+(?:::[\w[\].,= -]+)*|:\d+)?)$/.exec(word) ?? [];
  return part !== undefined && PATH.test(path) && (OF_TESTS.test(path) || !/\.\w+$/.test(path.replace(/^.*\//, '')));
}

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
  /** Kind of its operands; absent where it takes none. */
  readonly operands?: ArgumentKind;
  /** Kind of the first operand, if different. */
  readonly first?: ArgumentKind;
  /** Syntax behind `--`, if it is not a list of operands. */
  readonly behind?: Pick<KnownCommand, 'options' | 'operands'>;
  /** Whether a long option has one dash, so that letters do not stand together (`go test -run x`). */
  readonly singleDash?: true;
  /** Whether a rule for it is only counted where somebody wrote it, and never proposed. */
  readonly unoffered?: true;
  /** Where its options are documented: an address, or the name of the manual. */
  readonly source: string;
}
