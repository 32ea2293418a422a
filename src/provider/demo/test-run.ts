/** A place in a file, as a stack or a test runner names it. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** One failing test. */
export interface Failure {
  readonly title: string;
  /** The first line of what went wrong. */
  readonly message: string;
  /** Whether an assertion failed, rather than the code under test throwing. */
  readonly assertion: boolean;
  /** Whether a test file failed as a whole, so that no test of it ran: mostly because it could not be loaded. */
  readonly wholeFile: boolean;
  readonly expected?: string;
  readonly actual?: string;
  /** Where the test is written, and the places of its stack from the innermost out, libraries left out. */
  readonly places: readonly Place[];
}

/** What a run of the tests showed. */
export interface TestRun {
  readonly passed: boolean;
  /** Names of the failing tests, suites included. */
  readonly failing: ReadonlySet<string>;
  readonly failures: readonly Failure[];
  /** How many tests passed, where the output says so. */
  readonly passCount?: number;
  readonly output: string;
}

const ESCAPE_CODES = new RegExp(String.raw`\u001b\[[0-9;]*m`, 'g');

/** Reads the output of Node's test runner in its `spec` and `tap` formats, and of others as far as it is alike. */
export function parseTestRun(text: string, isError: boolean): TestRun {
  const output = text.replace(ESCAPE_CODES, '').replace(/\r\n?/g, '\n');
  const passCount = /^\s*(?:ℹ|#) pass (\d+)/m.exec(output)?.[1];
  const failCount = /^\s*(?:ℹ|#) fail (\d+)/m.exec(output)?.[1];
  return {
    passed: !isError && (failCount === undefined || failCount === '0'),
    failing: failingTitles(output),
    failures: blocksOf(output).flatMap((block) => failureOf(block, output)),
    ...(passCount === undefined ? {} : { passCount: Number(passCount) }),
    output,
  };
}

/** The last part of an output, for a person. */
export function tailOf(output: string, lines = 12): string {
  return output.trimEnd().split('\n').slice(-lines).join('\n');
}

/** Whether two spellings name one file, of which one may be relative. */
export function sameFile(a: string, b: string): boolean {
  return a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);
}

function failingTitles(output: string): ReadonlySet<string> {
  const titles = [...output.matchAll(/^\s*(?:✖|not ok \d+ -) (.+)$/gm)].map((match) => titleOf(match[1] ?? ''));
  return new Set(titles.filter((title) => title !== 'failing tests:'));
}

function titleOf(line: string): string {
  return line.replace(/ \(\d[\d.]*ms\)$/, '').replace(/ # .*$/, '').trim();
}

/** The part of the output about each failing test; the whole where the format is unknown. */
function blocksOf(output: string): readonly string[] {
  const details = output.split(/^\s*✖ failing tests:$/m)[1];
  if (details !== undefined) return details.split(/^(?=test at .+:\d+:\d+$)/m).filter((block) => block.startsWith('test at '));
  if (!/^TAP version/m.test(output)) return [output];
  const blocks = output.split(/^(?=\s*(?:not )?ok \d+ - )/m).filter((block) => /^\s*not ok/.test(block));
  return blocks.map((block) => block.split(/^\s*\.\.\.$/m)[0] ?? '').filter((block) => !block.includes('subtestsFailed'));
}

function failureOf(block: string, output: string): readonly Failure[] {
  const places = placesOf(block);
  if (places.length === 0) return [];
  const title = titleOf(/^\s*(?:✖|not ok \d+ -|●) (.+)$/m.exec(block)?.[1] ?? '');
  const wholeFile = /[\\/][^\\/]+\.[cm]?[jt]sx?$/.test(title);
  const expected = valueOf(block, 'expected');
  const actual = valueOf(block, 'actual');
  return [
    {
      title,
      message: messageOf(wholeFile ? output : block),
      assertion: /AssertionError|ERR_ASSERTION/.test(block),
      wholeFile,
      ...(expected === undefined ? {} : { expected }),
      ...(actual === undefined ? {} : { actual }),
      places,
    },
  ];
}

/** A value of an assertion, where it stands on one line and says something. */
function valueOf(block: string, name: 'expected' | 'actual'): string | undefined {
  const value = new RegExp(`^\\s*${name}: (\\S.*?),?$`, 'm').exec(block)?.[1];
  return value === undefined || /^\|-$|^[[{]$|^\[\w+\]$/.test(value) ? undefined : value;
}

function messageOf(block: string): string {
  const tap = /^\s*error: (?:\|-\s*\n\s*)?(.+)$/m.exec(block)?.[1];
  const spec = /^\s*(?:\w*Error(?: \[\w+\])?): (.+)$/m.exec(block)?.[1];
  return (spec ?? tap ?? '').replace(/^'|'$/g, '').trim();
}

const PLACE = /(?:^test at |location: '|\(|^\s*at (?:async )?|^\s*(?:async )?(?=file:))((?:file:\/\/)?[^()'\n]+?):(\d+):\d+/gm;

function placesOf(block: string): readonly Place[] {
  return [...block.matchAll(PLACE)].flatMap(([, name = '', line = '']) => {
    const file = pathOf(name);
    return /^node:|\/node_modules\//.test(file) || !/\.[cm]?[jt]sx?$/.test(file) ? [] : [{ file, line: Number(line) }];
  });
}

function pathOf(name: string): string {
  if (!name.startsWith('file:')) return name.replaceAll('\\', '/');
  const path = name.replace(/^file:\/\/(\/(?=[A-Za-z]:))?/, '');
  try {
    return decodeURI(path);
  } catch {
    // Not an address that Node wrote; the text is as good as a name.
    return path;
  }
}
