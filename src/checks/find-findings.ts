import { posix } from 'node:path';
import type { CheckFinding } from '../domain/check.js';
import { present } from '../domain/present.js';

/** Findings that are kept. */
const MAX_FINDINGS = 200;
/** Characters of a message. */
const MAX_MESSAGE = 500;
/** Lines behind which the place of a message still belongs to it. */
const NEAR = 40;

/** A path without spaces and colons, with an ending: what looks like one in front of numbers most often is. Windows has a letter with a colon in front. */
const PATH = String.raw`((?:[A-Za-z]:)?[^\s:()"'|]*\.[A-Za-z]\w{0,9})`;

/**
 * Lines that have all: a path, where in it, and what is wrong.
 * Source: typescriptlang.org, `tsc` (`a.ts(1,14): error TS2322: …` and, with `--pretty`, `a.ts:1:14 - error TS2322: …`), likewise MSBuild; eslint.org,
 * formatter `unix`; GNU Coding Standards, “Formatting Error Messages” (gcc, clang, go, mypy, ruff, and others: `a.go:12:5: …`); docs.pytest.org
 * (`test_a.py:9: AssertionError`).
 */
const LINES: readonly RegExp[] = [
  new RegExp(String.raw`^\s*${PATH}\((\d+),(\d+)\): (.+)$`),
  new RegExp(String.raw`^\s*${PATH}:(\d+):(\d+) - (.+)$`),
  new RegExp(String.raw`^\s*${PATH}:(\d+):(\d+): (.+)$`),
  new RegExp(String.raw`^\s*${PATH}:(\d+):()\s?(\S.*)$`),
];
/** Warnings and hints do not make a check fail (as above). */
const NO_ERROR = /^(?:warning|note|info|hint|help|remark|suggestion)\b/i;

/** eslint.org, formatter `stylish`: a path in a line of its own, and lines with the place, the severity, and the message. */
const STYLISH = /^ +(\d+):(\d+) +(error|warning) +(\S.*)$/;
const STYLISH_PATH = /^(?:\/|[A-Za-z]:[\\/]|\.{0,2}[\w@])[^:*?"<>|]*\.[A-Za-z]\w{0,9}$/;

/** Places in lines of their own, behind a message: rustc (`error[E0308]: …`, ` --> src/a.rs:1:21`), vitest (`AssertionError: …`, ` ❯ a.test.ts:4:17`). */
const ARROW = new RegExp(String.raw`^\s*(?:-->|❯) (?:\S+ )?${PATH}:(\d+):(\d+)$`);
/**
 * Stacks of Node.js (nodejs.org/api/errors.html, `error.stack`), of which the first place in the project counts; its reporter `tap` writes `error: …` before,
 * and leaves out the `at`.
 */
const FRAME = new RegExp(String.raw`^\s*(?:at (?:.* \()?|\S.* \()(?:file://)?${PATH}:(\d+):(\d+)\)?$`);
/** doc.rust-lang.org/std/macro.panic.html; the message is in the lines behind it. */
const PANIC = new RegExp(String.raw`^thread '([^']*)'.* panicked at ${PATH}:(\d+):(\d+):$`);
const HEADLINE = /^\s*(?:error(?:\[\w+\])?: |(?:[A-Z]\w*)?(?:Error|Exception)\b[^(]*: ?|E {3})(.*)$/;

/** The places in files that an output complains about, without warnings. @param folder absolute path of the folder in which it was written */
export function findFindings(lines: readonly string[], folder: string): readonly CheckFinding[] {
  const found = new Map<string, CheckFinding>();
  let file: string | undefined;
  let headline: { readonly text: string; readonly at: number } | undefined;
  for (const [at, line] of lines.entries()) {
    if (found.size >= MAX_FINDINGS) break;
    if (STYLISH_PATH.test(line)) file = line;
    const said = HEADLINE.exec(line);
    if (said !== null) headline = { text: line.trim().replace(/^(?:E +|error: )/, ''), at };
    const near = headline !== undefined && at - headline.at < NEAR ? headline : undefined;
    const finding = inLine(line) ?? inPanic(line) ?? inStylish(line, file) ?? behind(line, near?.text);
    // The frames below the first one say how it came there.
    if (finding?.isPlace === true) headline = undefined;
    const path = finding === undefined ? undefined : within(finding.file, folder);
    if (finding === undefined || path === undefined) continue;
    const { line: number, column, message } = finding;
    const each = { file: path, line: number, ...present({ column }), message: message.slice(0, MAX_MESSAGE) };
    found.set(JSON.stringify(each), each);
  }
  return [...found.values()];
}

type Found = CheckFinding & { readonly isPlace?: true };

function inLine(line: string): Found | undefined {
  for (const pattern of LINES) {
    const [, file, number, column, message] = pattern.exec(line) ?? [];
    if (file === undefined || number === undefined || message === undefined) continue;
    if (NO_ERROR.test(message)) return undefined;
    return { file, line: Number(number), ...present({ column: column === '' ? undefined : Number(column) }), message: message.replace(/^error[: ] */, '') };
  }
  return undefined;
}

function inPanic(line: string): Found | undefined {
  const [, name, file, number, column] = PANIC.exec(line) ?? [];
  return file === undefined ? undefined : { file, line: Number(number), column: Number(column), message: `${name} panicked` };
}

function inStylish(line: string, file: string | undefined): Found | undefined {
  const [, number, column, severity, message] = STYLISH.exec(line) ?? [];
  if (file === undefined || message === undefined || severity === 'warning') return undefined;
  return { file, line: Number(number), column: Number(column), message: message.replace(/ {2,}/g, ' ') };
}

function behind(line: string, message: string | undefined): Found | undefined {
  const [, file, number, column] = ARROW.exec(line) ?? FRAME.exec(line) ?? [];
  // Places in the system and in packages are not what is wrong.
  if (file === undefined || message === undefined || /^node:|\/node_modules\/|^\/rustc\//.test(file)) return undefined;
  return { file, line: Number(number), column: Number(column), message, isPlace: true };
}

/** Relative to the folder; `undefined` for what lies elsewhere. */
function within(path: string, folder: string): string | undefined {
  const [slashed, root] = [path.replaceAll('\\', '/'), `${folder.replaceAll('\\', '/').replace(/\/+$/, '')}/`];
  const relative = posix.normalize(slashed.startsWith(root) ? slashed.slice(root.length) : slashed);
  return /^(?:\.\.(?:\/|$)|\/|[A-Za-z]:)/.test(relative) ? undefined : relative;
}
