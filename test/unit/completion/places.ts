import { type Place, PREFIX_CHARACTERS, SUFFIX_CHARACTERS } from '../../../src/completion/place.js';

/** A place in a text, where `|` stands in it; a text with more than one is cut at the first. */
export function at(marked: string, language = 'typescript', document = 'file:///a.ts'): Place {
  const cut = marked.indexOf('|');
  return placeIn(marked.slice(0, cut), marked.slice(cut + 1), { language, document });
}

/** A place between two texts. */
export function placeIn(before: string, behind: string, { language = 'typescript', document = 'file:///a.ts' } = {}): Place {
  return { document, path: 'a.ts', language, offset: before.length, prefix: before.slice(-PREFIX_CHARACTERS), suffix: behind.slice(0, SUFFIX_CHARACTERS) };
}
