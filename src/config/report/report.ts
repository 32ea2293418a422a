import { type ConfigOrigin, CONFIG_LAYERS, type Overridden } from '../../domain/config/origin.js';
import type { ConfigProblem, FieldReport } from '../../domain/config/problem.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';

/** Something that is configured: a rule, a hook, an agent, a setting, or a whole file. */
export interface ReportedItem {
  readonly name: string;
  /** Where it is from; absent for what no file says. */
  readonly origin?: ConfigOrigin;
  /** What counts of it now, such as a value, or that it waits for approval. A phrase or sentence for the user. */
  readonly state?: string;
  /** What lost against it. */
  readonly overridden?: readonly Overridden[];
  /** What became of each of its fields. */
  readonly fields?: readonly FieldReport[];
}

/** A part of the report. */
export interface ReportSection {
  readonly title: string;
  /** Said where there is nothing: where it would come from. */
  readonly empty: string;
  readonly items: readonly ReportedItem[];
  readonly problems: readonly ConfigProblem[];
}

/** A report as text, and which parts of it lead to which places. */
export interface Report {
  readonly text: string;
  readonly links: readonly ReportLink[];
}

/** A part of the text that leads to a place in a file. */
export interface ReportLink {
  /** Offsets into the text. */
  readonly start: number;
  readonly end: number;
  /** Absolute path. */
  readonly file: string;
  /** From 1 on; absent for the file as a whole. */
  readonly line?: number;
}

/** Items of a section that are listed. */
const MAX_ITEMS = 500;
/** Characters of a text of a file. */
const MAX_TEXT = 300;

/** How a folder is left out of the paths that are shown. */
export interface ShortFolder {
  /** Absolute path, with a separator at its end. */
  readonly path: string;
  /** What stands for it, such as `~/`. */
  readonly short: string;
}

/** What is configured and from where: the winners with their files and lines, what lost, and what is not used and why. */
export function reportOf(sections: readonly ReportSection[], intro: readonly string[], folders: readonly ShortFolder[]): Report {
  const report = new ReportWriter();
  report.line(0, t('Gnomon Configuration'));
  for (const words of intro) report.line(0, words);
  for (const section of sections) addSection(report, section, folders);
  return report.finish();
}

function addSection(report: ReportWriter, { title, empty, items, problems }: ReportSection, folders: readonly ShortFolder[]): void {
  report.line(0, '');
  report.line(0, title.toUpperCase());
  if (items.length === 0) report.line(1, empty);
  for (const item of items.slice(0, MAX_ITEMS)) addItem(report, item);
  if (items.length > MAX_ITEMS) report.line(1, t('{0} more are not listed.', items.length - MAX_ITEMS));
  if (problems.length > 0) report.line(1, t('Problems'));
  for (const { file, key, line, message } of problems.slice(0, MAX_ITEMS)) {
    report.line(2, shown(key === '' ? message : `${key}: ${message}`));
    if (file !== '') report.place(3, { file, display: shortPath(file, folders), ...(line === undefined ? {} : { line }) });
  }
}

function addItem(report: ReportWriter, { name, origin, state, overridden = [], fields = [] }: ReportedItem): void {
  report.line(1, shown(state === undefined ? name : `${name}: ${state}`));
  if (origin !== undefined) report.place(2, origin, layerName(origin));
  for (const { origin: loser, why } of overridden) {
    report.line(2, `${t('Not used:')} ${shown(why)}`);
    report.place(3, loser, layerName(loser));
  }
  const notable = fields.filter(({ state: became, note }) => became !== 'used' || note !== undefined);
  const used = fields.filter((field) => !notable.includes(field)).map(({ field }) => shown(field));
  if (used.length > 0) report.line(2, `${t('Used:')} ${used.join(', ')}`);
  for (const field of notable) addField(report, field, origin);
}

function addField(report: ReportWriter, { field, state, note, line }: FieldReport, origin: ConfigOrigin | undefined): void {
  const words = { used: t('Used:'), ignored: t('Ignored:'), refused: t('Refused:') }[state];
  report.line(2, shown(`${words} ${field}${note === undefined ? '' : `. ${note}`}`));
  if (origin !== undefined && line !== undefined) report.place(3, { file: origin.file, display: origin.display, line });
}

function shortPath(file: string, folders: readonly ShortFolder[]): string {
  const folder = folders.find(({ path }) => file.startsWith(path));
  return folder === undefined ? file : `${folder.short}${file.slice(folder.path.length)}`;
}

/** Puts lines together, and keeps where the places in files are among them. */
class ReportWriter {
  private readonly lines: string[] = [];
  private readonly links: ReportLink[] = [];
  private length = 0;

  line(depth: number, words: string): void {
    const whole = `${'  '.repeat(depth)}${words}`;
    this.lines.push(whole);
    this.length += whole.length + 1;
  }

  place(depth: number, { file, display, line }: Pick<ConfigOrigin, 'file' | 'display' | 'line'>, words = ''): void {
    const shownPlace = shown(line === undefined ? display : `${display}:${line}`);
    const start = this.length + depth * 2;
    this.links.push({ start, end: start + shownPlace.length, file, ...(line === undefined ? {} : { line }) });
    this.line(depth, words === '' ? shownPlace : `${shownPlace} (${words})`);
  }

  finish(): Report {
    return { text: `${this.lines.join('\n')}\n`, links: this.links };
  }
}

function layerName({ layer }: ConfigOrigin): string {
  return { managed: t('managed by your organization'), local: t('yours in this workspace'), project: t('this workspace'), user: t('yours') }[CONFIG_LAYERS.find((each) => each === layer) ?? 'user'];
}

/** A text of a file on one line, with what cannot be seen in it made visible. */
function shown(text: string): string {
  const line = escapeHidden(text.replace(/\s+/g, ' ').trim());
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1)}…` : line;
}
