const WORD = /[\p{L}\p{N}_$]/u;

/**
 * Offset of a name on a line, from 0; `undefined` when it is not there. A whole word is preferred to a part
 * of one. Of a dotted name, such as `gate.answer`, the place is that of its last part.
 */
export function columnOf(line: string, name: string): number | undefined {
  const places = [...allPlaces(line, name)];
  const start = places.find((place) => isWhole(line, place, name)) ?? places[0];
  return start === undefined ? undefined : start + Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1;
}

function* allPlaces(line: string, name: string): Generator<number> {
  if (name === '') return;
  for (let place = line.indexOf(name); place >= 0; place = line.indexOf(name, place + 1)) yield place;
}

function isWhole(line: string, place: number, name: string): boolean {
  return !WORD.test(line.charAt(place - 1)) && !WORD.test(line.charAt(place + name.length));
}
