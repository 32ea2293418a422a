import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The formatter keeps to this itself, but breaks no texts, patterns, and comments. */
const { printWidth } = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as { readonly printWidth: number };
/** More characters than that, whatever the number of units of each. */
const TOO_LONG = new RegExp(`^.{${printWidth + 1}}`, 'u');

function sourcesIn(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:ts|svelte|css)$/.test(name));
  return names.map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

function longLinesOf(file: string): readonly string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) => (TOO_LONG.test(line) ? [`${file}:${index + 1}`] : []));
}

test('lines of the sources are no longer than the formatter makes them', () => {
  const files = ['src', 'webview'].flatMap(sourcesIn);
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap(longLinesOf)).toEqual([]);
});
