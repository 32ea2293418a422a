import { readFile } from 'node:fs/promises';

/** The manifest with its words, as VS Code shows it. @param language of the words; English when absent. */
export async function readManifest<T>(language?: 'de'): Promise<T> {
  const [manifest, words] = await Promise.all([readFile('package.json', 'utf8'), wordsOf(language)]);
  return JSON.parse(manifest, (_, value: unknown) =>
    typeof value === 'string' ? value.replace(/^%(.+)%$/, (_all, key: string) => words[key] ?? key) : value,
  ) as T;
}

async function wordsOf(language: string | undefined): Promise<Readonly<Record<string, string>>> {
  const name = language === undefined ? 'package.nls.json' : `package.nls.${language}.json`;
  return JSON.parse(await readFile(name, 'utf8')) as Record<string, string>;
}
