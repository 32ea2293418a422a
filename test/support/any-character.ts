import fc from 'fast-check';

/** How many code points are surrogates, which are no characters, and the first of them. */
const SURROGATES = 0x800;
const FIRST_SURROGATE = 0xd800;
const LAST_CODE_POINT = 0x10ffff;

/**
 * Any character of Unicode, as a `unit` of `fc.string`: what `binary` stands for. For that, fast-check makes a table of all 1.1 million characters, which
 * takes half a second, and more memory than all that is tested.
 */
export const anyCharacter = fc.nat({ max: LAST_CODE_POINT - SURROGATES }).map(
  (place) => String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES),
  (character) => placeOf(character),
);

/** The other way round, for fast-check to put words into a text that are known to break programs, such as `__proto__`. */
function placeOf(character: unknown): number {
  const [point, ...more] = typeof character === 'string' ? Array.from(character, (each) => each.codePointAt(0) ?? 0) : [];
  if (point === undefined || more.length > 0 || /\p{Cs}/u.test(String(character))) throw new Error('It is not one character.');
  return point < FIRST_SURROGATE ? point : point - SURROGATES;
}
