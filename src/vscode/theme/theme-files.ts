import { parse } from 'jsonc-parser';
import { posix } from 'node:path';
import type { CodeColors } from '../../protocol/code-kinds.js';
import type { TokenRule } from './code-colors.js';
import { codeColors, tokenRules } from './code-colors.js';

/** Files that a theme may be made of. */
const MOST_FILES = 10;

/**
 * The colours of code in a theme of VS Code's own format; its own rules count after those of the themes that it includes.
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
