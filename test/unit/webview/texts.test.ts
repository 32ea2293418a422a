import { afterEach, describe, expect, test } from 'vitest';
import { useTexts } from '../../../src/protocol/l10n.js';
import { aroundPlace } from '../../../webview/state/window/around-place.js';
import { attachedName, isUnnamedImage } from '../../../webview/state/composer/attached-name.js';
import { bundleOf, pageTexts } from '../../support/page-texts.js';
import { says } from '../../support/wording.js';

const places = (text: string): readonly string[] => (text.match(/\{\d+\}/g) ?? []).sort();

afterEach(() => useTexts({}));

describe('the German of the page', () => {
  test('is there for every text, with the same places for values', async () => {
    const [texts, german] = await Promise.all([pageTexts(), bundleOf('de')]);
    expect(texts.length).toBeGreaterThan(250);
    expect(texts.filter((text) => (german[text] ?? '').trim() === '')).toEqual([]);
    expect(texts.filter((text) => places(german[text] ?? '').join() !== places(text).join())).toEqual([]);
  });

  test('has German quotation marks, and ends as the English does', async () => {
    const [texts, german] = await Promise.all([pageTexts(), bundleOf('de')]);
    const wrong = texts.filter((text) => /[“”"]/.test((german[text] ?? '').replaceAll(/„[^“]*“/g, '')));
    expect(wrong).toEqual([]);
    const end = (text: string): string => /[.:?…]$/.exec(text.replace(/\b(?:Min)\.$/, ''))?.[0] ?? '';
    expect(texts.filter((text) => end(german[text] ?? '') !== end(text))).toEqual([]);
  });
});

describe('a sentence around an element', () => {
  test.each([
    [says('actualHost', '{0}'), 'The actual host is ', '.'],
    ['{0} ist das Ziel', '', ' ist das Ziel'],
    ['without a place', 'without a place', ''],
  ])('%s', (sentence, before, after) => {
    expect(aroundPlace(sentence)).toEqual({ before, after });
  });
});

describe('what is attached', () => {
  test('has its own name, but for an image that is only counted', () => {
    useTexts({ 'Image {0}': 'Bild {0}' });
    expect(['Image 12', 'Image 1.png', 'src/Image 1'].map(attachedName)).toEqual(['Bild 12', 'Image 1.png', 'src/Image 1']);
    expect(['Image 12', 'Image 1.png', 'Bild 12'].map(isUnnamedImage)).toEqual([true, false, false]);
  });
});
