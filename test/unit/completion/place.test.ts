import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeAt, type PlaceDocument, PREFIX_CHARACTERS, type Spot, SUFFIX_CHARACTERS } from '../../../src/completion/place.js';
import { typedSince } from '../../../src/completion/suggestion.js';

type Ending = '\n' | '\r\n';

/** A document as VS Code gives it. @param text with line feeds */
function documentOf(text: string, ending: Ending = '\n'): PlaceDocument {
  const lines = text.split('\n');
  return {
    uri: { toString: () => 'file:///a.ts' },
    languageId: 'typescript',
    lineCount: lines.length,
    eol: ending === '\n' ? 1 : 2,
    lineAt: (line) => ({ text: lines[line] ?? '' }),
    offsetAt: ({ line, character }) => lines.slice(0, line).reduce((sum, each) => sum + each.length + ending.length, 0) + character,
  };
}

function position(text: string, offset: number): Spot {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

const at = (text: string, offset: number, ending?: Ending): ReturnType<typeof placeAt> =>
  placeAt(documentOf(text, ending), { position: position(text, offset), selected: undefined, path: 'a.ts' });

const texts = fc.array(fc.string({ unit: fc.constantFrom('a', ' ', '(', 'é', '😀'), maxLength: 300 }), { maxLength: 120 }).map((lines) => lines.join('\n'));

describe('the place of a position', () => {
  it('has the text around it, with whatever line endings the document has', () => {
    fc.assert(
      fc.property(texts, fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom<Ending>('\n', '\r\n'), (text, part, ending) => {
        const offset = Math.floor(text.length * part);
        expect(at(text, offset, ending)).toMatchObject({
          offset,
          prefix: text.slice(Math.max(0, offset - PREFIX_CHARACTERS), offset),
          suffix: text.slice(offset, offset + SUFFIX_CHARACTERS),
        });
      }),
    );
  });

  it('goes on from another where something was typed, line breaks too', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom('b', 'b(\n  c', '\n\n'), fc.constantFrom<Ending>('\n', '\r\n'), (text, typed, ending) => {
        const offset = Math.floor(text.length / 2);
        const later = text.slice(0, offset) + typed + text.slice(offset);
        expect(typedSince(at(text, offset, ending), at(later, offset + typed.length, ending))).toEqual({ typed, closed: '' });
      }),
    );
  });

  it('is the one behind what is selected in the list of IntelliSense', () => {
    const text = 'const a = pri;\n';
    const range = { start: position(text, 10), end: position(text, 13) };
    const place = placeAt(documentOf(text), { position: position(text, 13), selected: { range, text: 'priceOf' }, path: 'a.ts' });
    expect(place).toMatchObject({ prefix: 'const a = priceOf', suffix: ';\n', offset: 17 });
  });
});
