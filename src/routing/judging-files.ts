import { anyOf } from '../text/any-of.js';

/** A text of a file: absent where there is no file, `undefined` as text where it is none that could be read. */
export interface FileText {
  readonly path: string;
  readonly text: string | undefined;
}

/**
 * What a change did to what judges changes: nothing, or it only added to it; it became another one, of which nothing here can say whether that was right;
 * or there is less of it.
 */
export type Judges = 'untouched' | 'changed' | 'weakened';

/** Folders and names of tests, as the test runners of the usual languages find them. */
const TEST_PLACE = oneOf(
  /(?:^|\/)(?:tests?|specs?|__tests__|__snapshots__|e2e|testdata)\//,
  /(?:^|\/)test_[^/]*\.py$/,
  /[._-](?:tests?|spec|snap)(?:\.[^/.]+)?$/,
  /Tests?\.[^/.]+$/,
);
/** What says which tests run and how, and what is built before: configuration of test runners, build files, scripts, and workflows of CI. */
const CONFIGURATION = oneOf(
  /(?:^|\/)(?:vite|vitest|jest|karma|playwright|cypress|ava|mocha|webpack|rollup|esbuild|babel|eslint|tox|phpunit|rspec)(?:\.[^/]*)?\.[a-z]+$/,
  /(?:^|\/)(?:\.mocharc|\.rspec|\.eslintrc|\.gitlab-ci|conftest|noxfile|setup\.(?:py|cfg)|tsconfig|pytest|pyproject|Cargo)[^/]*$/,
  /(?:^|\/)(?:build|pom|composer|deno)[^/]*\.(?:xml|gradle|kts|jsonc?|[cm]?js)$/,
  /(?:^|\/)(?:(?:GNU)?[Mm]akefile|Rakefile|Gemfile|CMakeLists\.txt|[Jj]ustfile|BUILD(?:\.bazel)?|Dockerfile|Jenkinsfile|gradlew|mvnw)$/,
  /(?:^|\/)(?:\.github\/workflows|\.circleci|scripts?|bin|ci)\//,
  /\.(?:csproj|vcxproj|sln|sh|bash|ps1|bat|cmd)$/,
);
const MANIFEST = /(?:^|\/)package\.json$/;
/** Tests that stand in the file that they test. */
const TESTS_WITHIN = /#\[(?:cfg\(test\)|(?:\w+::)*test)|import\.meta\.vitest/;
/** Scripts of a manifest that judge, by a part of their names. */
const JUDGING_SCRIPT = /test|check|lint|verify|type/i;

const TEST = oneOf(
  /(?:^|[^\w.])(?:it|test|describe|context|specify|scenario)(?:\.\w+)*\s*[(`'"]/,
  /\bdef test|\bfunc Test|#\[(?:\w+::)*test|@(?:Test|ParameterizedTest)\b|\[(?:Test|Fact|Theory)|\bTEST(?:_[FP])?\(/,
);
const ASSERTION = /\b(?:assert\w*|expect\w*|should\w*|verify\w*|XCTAssert\w*|require\.[A-Z]\w*|t\.(?:Error|Fatal)\w*|to(?:Be|Equal|Match|Throw)\w*)\b/i;
const SKIP = oneOf(
  /\.(?:skip|only|todo|fixme|failing)\b/,
  /\b(?:xit|xtest|xdescribe|fit|fdescribe|pending)\s*\(/,
  /@(?:Ignore|Disabled)\b|\[Ignore|\bSkip\s*=|#\[ignore|\bt\.Skip|markTestSkipped|GTEST_SKIP|DISABLED_/,
  /(?:pytest\.mark|unittest)\.(?:skip|xfail|expectedFailure)/,
);
const COMMENT = /^(?:\/\/|\/?\*|#(?!\[)|--|<!--)/;
const IMPORT = /^(?:import|from|use|using|#include|require|const \{?[^=]*= require)\b/;

/** Whether a file is one that judges, so that a change of it has to be looked at. */
export function mayJudge({ path, text }: FileText): boolean {
  return TEST_PLACE.test(path) || isConfiguration(path) || TESTS_WITHIN.test(text ?? '');
}

/**
 * What a change of a file did to what judges changes. It reads lines and knows no language: a test that is made empty in another way than by a known mark is
 * not noticed.
 * @param before absent for a new file
 * @param after absent for one that was deleted; with another path for one that was moved
 */
export function judgesAfter(before: FileText | undefined, after: FileText | undefined): Judges {
  if (before === undefined) return after !== undefined && isConfiguration(after.path) ? 'changed' : 'untouched';
  if (!mayJudge(before)) return 'untouched';
  if (after === undefined || (TEST_PLACE.test(before.path) && !TEST_PLACE.test(after.path))) return 'weakened';
  if (before.text === undefined || after.text === undefined) return 'changed';
  if (before.text === after.text) return 'untouched';
  if (MANIFEST.test(before.path)) return scriptsAfter(before.text, after.text);
  return isConfiguration(before.path) ? 'changed' : testsAfter(before.text, after.text);
}

function isConfiguration(path: string): boolean {
  return MANIFEST.test(path) || CONFIGURATION.test(path);
}

function testsAfter(before: string, after: string): Judges {
  const [was, is] = [linesOf(before), linesOf(after)];
  const count = (lines: readonly string[], pattern: RegExp): number => lines.filter((line) => pattern.test(line)).length;
  if (count(is, TEST) < count(was, TEST) || count(is, ASSERTION) < count(was, ASSERTION) || count(is, SKIP) > count(was, SKIP)) return 'weakened';
  return hasAll(is, was) ? 'untouched' : 'changed';
}

/** Lines that do something: without blanks, comments, and imports. */
function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !COMMENT.test(line) && !IMPORT.test(line));
}

function hasAll(lines: readonly string[], wanted: readonly string[]): boolean {
  const left = new Map<string, number>();
  for (const line of lines) left.set(line, (left.get(line) ?? 0) + 1);
  return wanted.every((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count > 0;
  });
}

/** Of `package.json`, only scripts and the configuration of test runners judge. */
function scriptsAfter(before: string, after: string): Judges {
  const [was, is] = [manifestOf(before), manifestOf(after)];
  if (was === undefined || is === undefined) return 'changed';
  const [old, now] = [membersOf(was['scripts']), membersOf(is['scripts'])];
  if (Object.entries(old).some(([name, script]) => JUDGING_SCRIPT.test(name) && (!Object.hasOwn(now, name) || now[name] !== script))) return 'weakened';
  const judging = (manifest: Members): string => JSON.stringify(['scripts', 'jest', 'vitest', 'mocha', 'ava', 'nyc', 'c8'].map((name) => manifest[name]));
  return judging(was) === judging(is) ? 'untouched' : 'changed';
}

type Members = Readonly<Record<string, unknown>>;

function manifestOf(text: string): Members | undefined {
  try {
    return membersOf(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function oneOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(anyOf(...patterns));
}
