import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseTexts, type Texts } from '../../src/domain/l10n.js';
import { textCalls } from '../unit/l10n/texts-in-source.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What is part of the page. */
const FOLDERS = ['webview', 'src/protocol'];
/** What formats numbers and times, in the page as well as in the host. */
const FORMATS = join('src', 'domain', 'l10n.ts');

/** The English texts of the page: the first argument of each call of `t` in its sources. Fails for one that is not literal. */
export async function pageTexts(): Promise<readonly string[]> {
  const ofFormats = (await textCalls(join(ROOT, 'src/domain'))).filter(({ place }) => place.startsWith(join(ROOT, FORMATS)));
  const calls = [...(await textCalls(...FOLDERS.map((folder) => join(ROOT, folder)))), ...ofFormats];
  const texts = calls.map(({ key, place }) => {
    if (key === undefined) throw new Error(`${place} translates what is no literal`);
    return key;
  });
  return [...new Set(texts)].sort();
}

/** The translations of a language. */
export async function bundleOf(language: string): Promise<Texts> {
  return parseTexts(JSON.parse(await readFile(join(ROOT, `l10n/bundle.l10n.${language}.json`), 'utf8')));
}
