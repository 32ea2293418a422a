import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';

type Words = Readonly<Record<string, string>>;

/** What no translation changes: links to commands, settings, code, and what stands between backticks. */
const KEPT = /\]\([^)]+\)|`[^`]+`|https?:\/\/[^\s)]*/g;
/** Properties of the manifest that people read. */
const FOR_PEOPLE = new Set([
  'title',
  'shortTitle',
  'description',
  'markdownDescription',
  'contents',
  'label',
  'name',
  'deprecationMessage',
  'markdownDeprecationMessage',
  'patternErrorMessage',
]);

let manifest: unknown;
let english: Words = {};
let german: Words = {};

async function json(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'));
}

/** Every text of the manifest, with the name of the property that it belongs to. */
function textsOf(value: unknown, property = ''): readonly { readonly property: string; readonly text: string }[] {
  if (typeof value === 'string') return [{ property, text: value }];
  if (Array.isArray(value)) return value.flatMap((each: unknown) => textsOf(each, property));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => textsOf(each, name));
}

function keysInManifest(): readonly string[] {
  return [...new Set(textsOf(manifest).flatMap(({ text }) => /^%(.+)%$/.exec(text)?.[1] ?? []))].sort();
}

beforeAll(async () => {
  manifest = await json('package.json');
  english = (await json('package.nls.json')) as Words;
  german = (await json('package.nls.de.json')) as Words;
});

describe('the words of the manifest', () => {
  it('are in English and in German, and no others are', () => {
    expect(keysInManifest().length).toBeGreaterThan(50);
    expect(Object.keys(english).sort()).toEqual(keysInManifest());
    expect(Object.keys(german).sort()).toEqual(keysInManifest());
  });

  it('are all moved out of it, but for names', () => {
    const contributes: unknown = Reflect.get(manifest as object, 'contributes');
    const left = textsOf(contributes).filter(({ property, text }) => (FOR_PEOPLE.has(property) || /escriptions$/.test(property)) && !/^%.+%$/.test(text));
    expect(left.filter(({ text }) => text !== 'Gnomon')).toEqual([]);
  });

  it('name the same commands, settings and values in both languages', () => {
    for (const [key, text] of Object.entries(english)) {
      const translated = german[key] ?? '';
      expect(translated.match(KEPT) ?? [], key).toEqual(text.match(KEPT) ?? []);
      expect(translated.trim(), key).not.toBe('');
    }
  });
});
