import { parse } from 'jsonc-parser';
import { posix } from 'node:path';
import { type CodeColors, type CodeKind, CODE_KINDS } from '../../protocol/code-kinds.js';

/** Files that a theme may be made of. */
const MOST_FILES = 10;

/**
 * The colors of code in a theme of VS Code's own format; its own rules count after those of the themes that it includes.
 * A theme in the older format of TextMate has none here.
 * @param path of the theme's file, with slashes.
 * @param read gives the text of a file. @throws what it throws.
 */
export async function colorsOfTheme(path: string, read: (path: string) => Promise<string>): Promise<CodeColors> {
  const rules: (readonly TokenRule[])[] = [];
  let next: string | undefined = path;
  for (let files = 0; next !== undefined && files < MOST_FILES; files += 1) {
    const { tokenColors, include } = await themeIn(next, read);
    const named = typeof tokenColors === 'string' ? (await themeIn(beside(next, tokenColors), read))['tokenColors'] : tokenColors;
    rules.unshift(tokenRules(named));
    next = typeof include === 'string' ? beside(next, include) : undefined;
  }
  return codeColors(rules.flat());
}

async function themeIn(path: string, read: (path: string) => Promise<string>): Promise<Readonly<Record<string, unknown>>> {
  if (!/\.jsonc?$/i.test(path)) return {};
  const theme: unknown = parse(await read(path));
  return typeof theme === 'object' && theme !== null ? { ...theme } : {};
}

function beside(path: string, name: string): string {
  return posix.join(posix.dirname(path), name);
}

/** A rule of a color theme: the color of what has one of the scopes. */
interface TokenRule {
  readonly scopes: readonly string[];
  /** `#rrggbb` or `#rrggbbaa`. */
  readonly color: string;
}

/** The scopes that grammars give to each kind, the one that tells most first. */
const SCOPES: Readonly<Record<CodeKind, readonly string[]>> = {
  comment: ['comment.line.double-slash', 'comment.block'],
  string: ['string.quoted.double'],
  number: ['constant.numeric.decimal'],
  keyword: ['keyword.other', 'storage.type', 'keyword.control'],
  type: ['entity.name.type.class', 'support.class', 'support.type'],
  function: ['entity.name.function', 'support.function'],
  property: ['variable.other.property', 'support.type.property-name'],
  tag: ['entity.name.tag'],
  meta: ['keyword.control.directive', 'meta.preprocessor', 'meta.decorator'],
  added: ['markup.inserted.diff'],
  removed: ['markup.deleted.diff'],
};

const COLOR = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;

/** The rules in the `tokenColors` of a theme, whose file is not trusted: what is no rule is left out. */
export function tokenRules(tokenColors: unknown): readonly TokenRule[] {
  if (!Array.isArray(tokenColors)) return [];
  return tokenColors.flatMap((entry: unknown) => {
    const { scope, settings } = fieldsOf(entry);
    const { foreground } = fieldsOf(settings);
    if (typeof foreground !== 'string' || !COLOR.test(foreground)) return [];
    return [{ scopes: scopesIn(scope), color: wholeColor(foreground) }];
  });
}

/** Colors that a theme's rules give to each kind of token: the rule with the most specific scope wins, of equal ones the last. */
export function codeColors(rules: readonly TokenRule[]): CodeColors {
  const entries = CODE_KINDS.flatMap((kind) => {
    const color = SCOPES[kind].map((scope) => colorOf(scope, rules)).find((each) => each !== undefined);
    return color === undefined ? [] : [[kind, color] as const];
  });
  return Object.fromEntries(entries);
}

function colorOf(scope: string, rules: readonly TokenRule[]): string | undefined {
  let found: { readonly exactness: number; readonly color: string } | undefined;
  for (const { scopes, color } of rules) {
    const exactness = Math.max(-1, ...scopes.map((selector) => (scope === selector || scope.startsWith(`${selector}.`) ? selector.length : -1)));
    if (exactness >= 0 && exactness >= (found?.exactness ?? 0)) found = { exactness, color };
  }
  return found?.color;
}

/** Selectors of a single scope; descendant selectors do not fit every language. */
function scopesIn(scope: unknown): readonly string[] {
  const selectors = Array.isArray(scope) ? scope.filter((each) => typeof each === 'string') : typeof scope === 'string' ? scope.split(',') : [];
  return selectors.map((each) => each.trim()).filter((each) => /^[\w.-]+$/.test(each));
}

function wholeColor(color: string): string {
  return color.length > 5 ? color.toLowerCase() : `#${Array.from(color.slice(1), (digit) => digit + digit).join('')}`.toLowerCase();
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
