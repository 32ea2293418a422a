import type { SymbolPlace } from '../../domain/workspace/symbols.js';
import type { FileLocation } from '../../domain/workspace/workspace.js';
import { cutLine, showName } from '../../text/show.js';

/** Places that one call shows at most. */
const SHOWN_PLACES = 200;
/** Characters of one source line; the rest is cut with a notice. */
const LINE_CHARACTERS = 200;
/** Characters of a name or kind, which a server may make as long as it likes. */
const NAME_CHARACTERS = 200;

/** A place with the file that it lies in. */
export interface LocatedPlace extends SymbolPlace {
  readonly file: FileLocation;
}

/**
 * Places by file, with their lines. Of a file outside the workspace nothing but the place is told: the person allowed
 * reading in the workspace only.
 */
export function reportPlaces(places: readonly LocatedPlace[], none: string): string {
  if (places.length === 0) return none;
  const sorted = [...places].sort((a, b) => Number(b.file.inside) - Number(a.file.inside) || byPlace(a, b));
  let previous: string | undefined;
  const lines = sorted.slice(0, SHOWN_PLACES).flatMap((place) => {
    const { inside, display } = place.file;
    if (!inside) return [`${showName(display)}:${place.line} (outside the workspace)`];
    const heading = place.path === previous ? [] : [showName(display)];
    previous = place.path;
    return [...heading, `${place.line}:${placeText(place)}`];
  });
  return [...lines, ...partial(sorted.length)].join('\n');
}

/** The symbols of one file, in its order. */
export function reportOutline(places: readonly SymbolPlace[]): string {
  if (places.length === 0) return 'No outline. There may be no language server for this file.';
  const sorted = [...places].sort(byPlace);
  return [...sorted.slice(0, SHOWN_PLACES).map((place) => `${place.line}:${placeText(place)}`), ...partial(sorted.length)].join('\n');
}

function placeText({ name, kind, text }: SymbolPlace): string {
  if (name === undefined) return cutLine(text, LINE_CHARACTERS);
  return `${kind === undefined ? '' : `${cutLine(showName(kind), NAME_CHARACTERS)} `}${cutLine(showName(name), NAME_CHARACTERS)}`;
}

function partial(amount: number): readonly string[] {
  const more = amount - SHOWN_PLACES;
  return more > 0 ? [`[PARTIAL: and ${more} more.]`] : [];
}

function byPlace(a: SymbolPlace, b: SymbolPlace): number {
  return (a.path < b.path ? -1 : Number(a.path > b.path)) || a.line - b.line || a.column - b.column;
}
