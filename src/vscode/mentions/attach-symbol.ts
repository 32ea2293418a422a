import { attachedBlock } from '../../domain/session/attached.js';
import type { UserContent } from '../../domain/model/content.js';
import type { SymbolPlace } from '../../domain/workspace/symbols.js';
import { count, showName } from '../../text/show.js';
import { attachFile, keptBack } from './attach-file.js';
import type { Lookup } from './ports.js';

/** Places that are named. */
const MAX_PLACES = 20;
/** Lines that are shown of the first place. */
const SHOWN_LINES = 60;

/** Attaches where a symbol of the workspace is, and the lines at the best of those places. */
export async function attachSymbol(name: string, lookup: Lookup): Promise<readonly UserContent[]> {
  const found = await lookup.symbols.search(name, lookup.signal);
  const places = (await Promise.all(found.map((place) => visible(place, lookup)))).flat().sort((a, b) => rank(a, name) - rank(b, name));
  const [best] = places;
  if (best === undefined) return [attachedBlock({ name: `#${showName(name)} (not found)`, text: `No language server knows a symbol ${showName(name)}.` })];
  const lines = places.slice(0, MAX_PLACES).map(({ display, line, name: called = name, kind = 'symbol' }) => `${display}:${line} ${called} (${kind})`);
  const more = places.length > MAX_PLACES ? [`[and ${count(places.length - MAX_PLACES, 'place')} more]`] : [];
  const source = await attachFile({ path: best.path, lines: { first: best.line, last: best.line + SHOWN_LINES - 1 } }, lookup);
  return [attachedBlock({ name: `#${showName(name)}`, text: [...lines, ...more].join('\n') }), ...source];
}

async function visible(place: SymbolPlace, lookup: Lookup): Promise<readonly (SymbolPlace & { readonly display: string })[]> {
  const location = await lookup.workspace.locate(place.path);
  return keptBack(location, lookup) === undefined ? [{ ...place, display: showName(location.display) }] : [];
}

/** Servers look for parts of names: the one with just this name comes first. */
function rank(place: SymbolPlace, name: string): number {
  const last = (place.name ?? '').split(/[.:]+/).at(-1) ?? '';
  if (last === name || place.name === name) return 0;
  return last.toLowerCase() === name.toLowerCase() ? 1 : 2;
}
