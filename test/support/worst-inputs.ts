/**
 * Inputs that make careless code take for ever, or as long as the square of their length. The unit tests ask for the right
 * answer to them, `test/bench/worst-cases.ts` for the time that it takes.
 */
import type { SimpleCommand } from '../../src/domain/tool/command-analysis.js';

/** So many lines, each made of its number from 0. */
export function linesOf(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('');
}

/** What begins like a credential or like what surrounds one, again and again. */
export const CREDENTIAL_BEGINNINGS: readonly string[] = [
  ...['sk-', 'eyJ-', 'eyJaaaaaaaa.', 'password', 'password ', 'token=', 'api_', 'bearer ', '://a:', '-----BEGIN RSA PRIVATE KEY-----', 'SG.'],
  ...['access_token', 'x', ' ', '--token  ', 'password="', 'xoxb-', "secret='a"],
];

/** What begins a JSON value among words again and again, and does not end it. */
export const JSON_BEGINNINGS: readonly string[] = ['{', '["\\"', '```\n', '{"', '[ '];

/** A piece, repeated to a million characters. */
export function millionOf(piece: string): string {
  return piece.repeat(Math.ceil(1_000_000 / piece.length));
}

/** 100 kB that begin like a path, or like a comment with one. Only the comment of dots names a file. */
export const HARD_PATHS: readonly string[] = [
  '/'.repeat(50_000),
  'a/'.repeat(50_000),
  `// ${' '.repeat(50_000)}`,
  `// ${'a.'.repeat(50_000)}`,
  '('.repeat(50_000),
];

/** Of such pieces in a row it is hard to tell whether they name a file. */
export const PATH_PIECES: readonly string[] = ['+', 'a.', '../', 'a/', '.', 'a+', ':1', '-'];
/** How often they come in a row. */
export const PATH_PIECES_COUNT = 20_000;

/** A glob with many ways to match, a path that it fits, and one that it just does not fit. */
export interface HardGlob {
  readonly pattern: string;
  readonly fits: string;
  readonly misses: string;
}

/** Globs of a search, each with the paths it is hard to try on. */
export const HARD_GLOBS: readonly HardGlob[] = [
  { pattern: `${'*a'.repeat(40)}b`, fits: `${'a'.repeat(2_000)}b`, misses: 'a'.repeat(2_000) },
  { pattern: `${'**/a/'.repeat(30)}b`, fits: `${'a/'.repeat(500)}b`, misses: `${'a/'.repeat(500)}c` },
];

const DEEP_PATH = 'a/'.repeat(900);
const LONG_NAME = 'a'.repeat(4_000);

/** Patterns of rules for files, as long as a rule may be. */
export const HARD_PATH_PATTERNS: readonly HardGlob[] = [
  { pattern: `${'*a'.repeat(900)}b`, fits: `${LONG_NAME}b`, misses: LONG_NAME },
  { pattern: `${'**/'.repeat(600)}b`, fits: `${DEEP_PATH}b`, misses: `${DEEP_PATH}a` },
  { pattern: `${'**/a*/'.repeat(300)}b`, fits: `${DEEP_PATH}b`, misses: `${DEEP_PATH}a` },
  { pattern: `${'[a-z]*'.repeat(300)}!`, fits: `${LONG_NAME}!`, misses: LONG_NAME },
];

/** Rules as long as they may be, and whether they can be read. */
export const HARD_RULES: readonly (readonly [text: string, readable: boolean])[] = [
  [`Read(${'*a'.repeat(900)})`, true],
  [`WebFetch(domain:${'a.'.repeat(900)})`, true],
  [`Bash(${' '.repeat(1_900)})`, false],
];
const SAME_WORDS = Array.from({ length: 5_000 }, () => 'a!');
/** A command of thousands of words that are all the same. */
export const HARD_COMMAND: SimpleCommand = { source: SAME_WORDS.join(' '), words: SAME_WORDS, readsOnly: false, doubts: [] };
/** How it begins, as long as a rule may be. */
export const HARD_PREFIX = SAME_WORDS.slice(0, 600).join(' ');

/** Texts of a message that begin mentions again and again, and what of a path they mention. */
export const HARD_MENTIONS: readonly (readonly [text: string, path: string | undefined])[] = [
  ['@'.repeat(1_000_000), undefined],
  ['@"'.repeat(500_000), '@'],
  ['@a '.repeat(300_000), 'a'],
  [`@${')'.repeat(1_000_000)}`, undefined],
];

/** Pieces of settings that open what is never closed. */
export const SETTINGS_PIECES: readonly string[] = ['"', '\\', '/*', ',', ', ', '[', '//', '"\\'];

/** The beginning of settings, 200 kB of such a piece long. */
export function brokenSettings(piece: string): string {
  return `{${piece.repeat(200_000 / piece.length)}`;
}

/** Elements of a page that are opened and not closed. */
export const HTML_PIECES: readonly string[] = [
  '<div>',
  '<b>',
  '<b><p>',
  '<a href=x>',
  '<ul><li>',
  '<blockquote>',
  '<table><tr><td>',
  '<x ',
  '<a b="',
  '<',
  '<!--',
  '<script>',
  '<pre>',
  '<h1><a>',
];

/** A page in which such an element comes 10,000 times. */
export function hardPage(piece: string): string {
  return `<p>before</p>${piece.repeat(10_000)}x`;
}

/** Two texts of 200,000 lines of which none is there once. */
export function repetitiveTexts(): { readonly before: string; readonly after: string } {
  return { before: linesOf(200_000, (index) => `${index % 7}\n`), after: linesOf(200_000, (index) => `${index % 5}\n`) };
}

/** Two texts of 100,000 lines that share none. */
export function unrelatedTexts(): { readonly before: string; readonly after: string } {
  return { before: linesOf(100_000, (index) => `a${index}\n`), after: linesOf(100_000, (index) => `b${index}\n`) };
}

/** Two documents of 20,000 lines with hardly one in common. */
export function unlikeDocuments(): { readonly before: string; readonly after: string } {
  return { before: linesOf(20_000, (index) => `${index * 7}\n`), after: linesOf(20_000, (index) => `${index * 11}\n`) };
}

/** 100,000 lines that are all the same but for white space, and an edit that fits everywhere but in its last line. */
export const REPETITIVE_EDIT = { text: 'same \n'.repeat(100_000), old: `${'same\n'.repeat(20_000)}other\n` };

/** The paths of a large repository. */
export function manyPaths(): readonly string[] {
  return Array.from({ length: 50_000 }, (_, index) => `packages/module-${index % 400}/src/feature${index % 77}/component-${index}.tsx`);
}

/** The texts of a conversation that is far too long for any window. */
export function messageTexts(): readonly string[] {
  return Array.from({ length: 20_000 }, (_, index) => `const value${index} = compute(${index});\n`.repeat(30));
}

/** Messages in {@link largeSession}. */
export const LARGE_SESSION_MESSAGES = 18_000;

/** The file of a session of 21 MB. */
export function largeSession(): Buffer {
  const text = 'const a = "b" < c && d;\n'.repeat(40);
  const one = { type: 'user', content: [{ type: 'text', text }], timestamp: '2026-02-18T12:00:00Z' };
  return Buffer.from(JSON.stringify({ version: 1, messages: Array.from({ length: LARGE_SESSION_MESSAGES }, () => one) }));
}

/** 50 rules that hold files back, the texts of them as settings have them. */
export const MANY_RULES: readonly string[] = Array.from({ length: 50 }, (_, index) => `deny Read(secret${index}/**)`);
/** Files that none of those rules is about. */
export const MANY_FILES: readonly string[] = Array.from({ length: 1_000 }, (_, index) => `/ws/a/b/c/d/file${index}.ts`);

/** A line that a regular expression with two stars in each other tries in a million million ways. */
export const ENDLESS = { pattern: '^(a+)+$', line: `${'a'.repeat(40)}!\n` };
