import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TextCall, placeholdersIn, textCalls } from './texts-in-source.js';

const FOLDER = 'l10n';
/** Longest time for reading all sources, in milliseconds. */
const SCAN_MS = 60_000;
/** What no translation changes. */
const KEPT = /gnomon(?:\.\w+)+|https?:\/\/(?:[\w@:/-]|\.(?=\w))*|(?:Bash|Edit|Read|WebFetch)\([^)]*\)|\b[A-Z]+(?:_[A-Z]+)+\b|http\.\w+/g;

let calls: readonly TextCall[] = [];
let names: readonly string[] = [];

async function translations(name: string): Promise<Readonly<Record<string, string>>> {
  return JSON.parse(await readFile(join(FOLDER, name), 'utf8')) as Record<string, string>;
}

function keys(): readonly string[] {
  return [...new Set(calls.flatMap(({ key }) => key ?? []))];
}

beforeAll(async () => {
  calls = await textCalls('src', 'webview');
  names = await readdir(FOLDER);
}, SCAN_MS);

describe('texts for people', () => {
  it('are literals, so that they can be found, and get a value for each place', () => {
    expect(calls.length).toBeGreaterThan(500);
    expect(calls.filter(({ key }) => key === undefined)).toEqual([]);
    expect(
      calls.filter(
        ({ key = '', values }) =>
          values !== undefined &&
          placeholdersIn(key).join() !==
            Array.from({ length: values }, (_, index) => `{${index}}`)
              .sort()
              .join(),
      ),
    ).toEqual([]);
  });

  it('are said when they are needed and not when their file is loaded, which is before the language is known', () => {
    expect(calls.filter(({ atLoad }) => atLoad === true)).toEqual([]);
  });

  it('are all there in German', async () => {
    expect(names).toContain('bundle.l10n.de.json');
    const german = await translations('bundle.l10n.de.json');
    expect(keys().filter((key) => !Object.hasOwn(german, key))).toEqual([]);
  });
});

describe('translations', () => {
  it('are of texts that there are', async () => {
    for (const name of names) {
      expect(name).toMatch(/^bundle\.l10n\.[a-z]{2,3}(?:-[a-z]+)?\.json$/);
      const known = new Set(keys());
      expect(
        Object.keys(await translations(name)).filter((key) => !known.has(key)),
        name,
      ).toEqual([]);
    }
  });

  it('have the places, names and addresses of the English text, and are not empty', async () => {
    for (const name of names) {
      for (const [key, text] of Object.entries(await translations(name))) {
        expect(placeholdersIn(text), text).toEqual(placeholdersIn(key));
        expect([...(text.match(KEPT) ?? [])].sort(), text).toEqual([...(key.match(KEPT) ?? [])].sort());
        expect(text.trim()).not.toBe('');
      }
    }
  });

  it('stand in the order of the English texts', async () => {
    for (const name of names) {
      const found = Object.keys(await translations(name));
      expect(found, name).toEqual([...found].sort());
    }
  });
});
