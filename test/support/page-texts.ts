import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseTexts, type Texts } from '../../src/domain/l10n.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What is part of the page. */
const FOLDERS = ['webview', 'src/protocol'];
const CALL = /(?<![\w.])t\(\s*(?:'((?:[^'\\]|\\.)*)'|([^)]*))/g;

/** The English texts of the page: the first argument of each call of `t` in its sources. Fails for one that is not literal. */
export async function pageTexts(): Promise<readonly string[]> {
  const found = await Promise.all(FOLDERS.map(async (folder) => textsIn(join(ROOT, folder))));
  return [...new Set(found.flat())].sort();
}

/** The translations of a language. */
export async function bundleOf(language: string): Promise<Texts> {
  return parseTexts(JSON.parse(await readFile(join(ROOT, `l10n/bundle.l10n.${language}.json`), 'utf8')));
}

async function textsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  const sources = names.filter((name) => /\.(?:ts|svelte)$/.test(name));
  const all = await Promise.all(sources.map(async (name) => textsOf(await readFile(join(folder, name), 'utf8'), name)));
  return all.flat();
}

function textsOf(source: string, name: string): readonly string[] {
  return Array.from(source.matchAll(CALL), ([call, text]) => {
    if (text === undefined) throw new Error(`${name} translates what is no literal: ${call}`);
    return text.replaceAll(/\\(.)/g, '$1');
  });
}
