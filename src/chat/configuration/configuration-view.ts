import { present } from '../../domain/present.js';
import type { EffectiveValue } from '../../domain/config/effective-value.js';
import { type ConfigLayer, type ConfigOrigin, CONFIG_LAYERS } from '../../domain/config/origin.js';
import type { ConfigProblem, FieldReport } from '../../domain/config/problem.js';
import { t } from '../../domain/l10n.js';
import type {
  ConfigurationDetails,
  ConfigurationPlace,
  ConfigurationProblem,
  ConfigurationRow,
  ConfigurationSection,
  ConfigurationView,
} from '../../protocol/configuration.js';
import { headOf } from '../../text/show.js';
import type { Report, ReportedItem, ReportSection, ShortFolder } from './report.js';
import { type Identified, identified } from './row-id.js';
import { shownValue } from './sections.js';

/** Rows of a section that a page lists, and problems. */
const MAX_ROWS = 500;
const MAX_PROBLEMS = 200;
/** Losers of a row that a page lists, fields, and facts, each. */
const MAX_LINES = 200;
/** Characters of a text on one line. */
const MAX_LINE = 300;
/** Characters to which a text in an expanded row is cut: more would not be read. */
const MAX_TEXT = 4_000;
/** Characters of a difference; what is longer cannot be approved either. */
export const MAX_DIFF = 100_000;

/** A place that a page was sent: it may ask for no others to be opened. */
export type Place = Pick<ConfigOrigin, 'file' | 'line' | 'layer'>;

/** The part of a report that a page can list, and the places that it names. */
export function viewOf({ trusted, sections, folders }: Report): ConfigurationView {
  const problems = sections.flatMap((section) => section.problems.map((each, index) => problemView(each, `${section.id} ${index}`, folders)));
  return { trusted, sections: sections.map(sectionView), problems: problems.slice(0, MAX_PROBLEMS), left: Math.max(0, problems.length - MAX_PROBLEMS) };
}

/** Details of an expanded row. @param diff from the approved version */
export function detailsOf({ description, origin, overridden = [], fields = [], facts = [], subject }: ReportedItem, diff?: string): ConfigurationDetails {
  const lists = [overridden, fields, facts];
  return {
    ...(description === undefined ? {} : { text: cut(description, MAX_TEXT) }),
    facts: facts.slice(0, MAX_LINES).map(({ name, value }) => ({ name: line(name), value: cut(value, MAX_TEXT) })),
    overridden: overridden.slice(0, MAX_LINES).map(loserView),
    fields: fields.slice(0, MAX_LINES).map((field) => fieldView(field, origin)),
    left: lists.reduce((left, { length }) => left + Math.max(0, length - MAX_LINES), 0),
    ...present({ diff }),
    actions: subject?.actions ?? [],
    ...(subject?.type === 'hook' && subject.triable ? { triable: true } : {}),
  };
}

/** The places of a report by the ids that pages know them by. */
export function placesOf({ sections }: Report): ReadonlyMap<string, Place> {
  const all = sections.flatMap(({ items, problems }) => [
    ...items.flatMap(placesOfItem),
    ...problems.flatMap((problem) => (problem.file === '' ? [] : [{ file: problem.file, line: problem.line, layer: 'user' } as Place])),
  ]);
  return new Map(all.map((place) => [placeId(place), place]));
}

function placesOfItem({ origin, overridden = [], fields = [] }: ReportedItem): readonly Place[] {
  const losers = overridden.map((loser) => loser.origin);
  return origin === undefined ? losers : [origin, ...losers, ...fields.flatMap(({ line: at }) => (at === undefined ? [] : [{ ...origin, line: at }]))];
}

function sectionView(section: ReportSection): ConfigurationSection {
  const { id, items, empty, note } = section;
  return { id, rows: identified(section).slice(0, MAX_ROWS).map(rowView), left: Math.max(0, items.length - MAX_ROWS), empty, ...present({ note }) };
}

function rowView({ id, item: { name, state, tone, value, description, origin } }: Identified): ConfigurationRow {
  return {
    id,
    name: line(name),
    state,
    tone,
    ...(value === undefined ? {} : { value: line(value) }),
    ...(description === undefined ? {} : { text: line(description) }),
    ...(origin === undefined ? {} : { place: placeView(origin) }),
  };
}

function problemView({ file, key, line: at, message, harmless }: ConfigProblem, id: string, folders: readonly ShortFolder[]): ConfigurationProblem {
  return {
    id,
    key: line(key),
    message: cut(message, MAX_TEXT),
    ...(file === '' ? {} : { place: { id: placeId({ file, line: at }), display: line(withLine(shortPath(file, folders), at)) } }),
    ...(harmless === true ? { harmless } : {}),
  };
}

function loserView(loser: EffectiveValue['overridden'][number]): ConfigurationDetails['overridden'][number] {
  return { why: cut(loser.why, MAX_TEXT), ...('value' in loser ? { value: line(shownValue(loser.value)) } : {}), place: placeView(loser.origin) };
}

function fieldView({ field, state, note, line: at }: FieldReport, origin: ConfigOrigin | undefined): ConfigurationDetails['fields'][number] {
  const place = origin === undefined || at === undefined ? {} : { place: placeView({ ...origin, line: at }) };
  return { name: line(field), state, ...(note === undefined ? {} : { note: cut(note, MAX_TEXT) }), ...place };
}

function placeView(origin: ConfigOrigin): ConfigurationPlace {
  return { id: placeId(origin), display: line(withLine(origin.display, origin.line)), layer: layerName(origin) };
}

function placeId({ file, line: at }: { readonly file: string; readonly line?: number | undefined }): string {
  return withLine(file, at);
}

function withLine(path: string, at: number | undefined): string {
  return at === undefined ? path : `${path}:${at}`;
}

function shortPath(file: string, folders: readonly ShortFolder[]): string {
  const folder = folders.find(({ path }) => file.startsWith(path));
  return folder === undefined ? file : `${folder.short}${file.slice(folder.path.length)}`;
}

/** Name of a configuration layer for users. */
export function layerName({ layer }: Pick<ConfigOrigin, 'layer'>): string {
  const names: Readonly<Record<ConfigLayer, string>> = {
    managed: t('managed by your organization'),
    flag: t('from the command line'),
    local: t('yours in this workspace'),
    project: t('this workspace'),
    user: t('yours'),
  };
  return names[CONFIG_LAYERS.find((each) => each === layer) ?? 'user'];
}

/** A text on one line. */
function line(text: string): string {
  return cut(text.replace(/\s+/g, ' ').trim(), MAX_LINE);
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${headOf(text, limit - 1)}…` : text;
}
