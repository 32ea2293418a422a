import { nearestName } from '../../config/nearest-name.js';
import { t } from '../../domain/l10n.js';
import type { Report, ReportSection } from './report.js';
import { type Identified, identified } from './row-id.js';

/** Effective value of a key and its source, as `gnomon.explainSetting` returns it. */
export interface Explanation {
  /** The setting; for others, the id of the row that shows it. */
  readonly key: string;
  /** The value of a setting; for others what is shown of it: its state. */
  readonly value: unknown;
  /** Absolute path; for settings of VS Code their name. Absent for what is as it comes. */
  readonly file?: string;
  /** From 1 on; absent where it is not known. */
  readonly line?: number;
  readonly overridden: readonly { readonly file: string; readonly line?: number; readonly value?: unknown; readonly why: string }[];
}

/** Something of the report, and what names it. */
export interface Explained extends Identified {
  readonly section: ReportSection;
}

/** All that can be explained. */
export function allOf({ sections }: Report): readonly Explained[] {
  return sections.flatMap((section) => identified(section).map((each) => ({ ...each, section })));
}

/**
 * Finds the item that a key names: a setting, an id of a row, or the name of something else, such as `deny Read(secret/**)`, `/release`, or `reviewer`.
 * @throws Error that names the nearest key
 */
export function findExplained(report: Report, key: string): Explained {
  const all = allOf(report);
  const wanted = key.trim();
  const lower = wanted.toLowerCase();
  const found =
    all.find(({ id, item }) => id === wanted || item.name === wanted) ??
    all.find(({ item }) => item.name.toLowerCase() === lower || item.name.toLowerCase() === `gnomon.${lower}`);
  if (found !== undefined) return found;
  const nearest = nearestName(
    wanted,
    all.map(({ item }) => item.name),
  );
  throw new Error(
    nearest === undefined ? t('Nothing is configured under “{0}”.', wanted) : t('Nothing is configured under “{0}”. Did you mean “{1}”?', wanted, nearest),
  );
}

/** Explanation of an item: its effective value, its source, and the values that it overrides. */
export function explained({ id, section, item }: Explained): Explanation {
  const { setTo, state, origin, overridden = [] } = item;
  return {
    key: section.id === 'settings' ? item.key : id,
    value: section.id === 'settings' ? setTo : state,
    ...(origin === undefined ? {} : placeOf(origin)),
    overridden: overridden.map((loser) => ({ ...placeOf(loser.origin), ...('value' in loser ? { value: loser.value } : {}), why: loser.why })),
  };
}

function placeOf({ file, line }: { readonly file: string; readonly line?: number }): { readonly file: string; readonly line?: number } {
  return line === undefined ? { file } : { file, line };
}
