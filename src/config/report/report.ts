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

/** Makes a link to a place in a file. */
export type LinkTo = (file: string, line: number | undefined) => string | undefined;

/** Items of a section that are listed. */
const MAX_ITEMS = 500;

/** What is configured and from where, as Markdown: the winners with their files and lines, what lost, and what is not used and why. */
export function reportText(sections: readonly ReportSection[], intro: readonly string[], link: LinkTo): string {
  const parts = sections.flatMap(({ title, empty, items, problems }) => [`## ${title}`, items.length === 0 ? empty : items.slice(0, MAX_ITEMS).map((item) => itemText(item, link)).join('\n'), ...restOf(items), ...problemsOf(problems, link)]);
  return `${[`# ${t('Gnomon Configuration')}`, ...intro, ...parts].join('\n\n')}\n`;
}

function restOf(items: readonly ReportedItem[]): readonly string[] {
  return items.length <= MAX_ITEMS ? [] : [t('{0} more are not listed.', items.length - MAX_ITEMS)];
}

function itemText({ name, origin, state, overridden = [], fields = [] }: ReportedItem, link: LinkTo): string {
  const where = origin === undefined ? '' : ` — ${place(origin, link)} (${layerName(origin)})`;
  const told = state === undefined ? '' : `: ${plain(state)}`;
  const lost = overridden.map(({ origin: loser, why }) => `  - ${t('Not used:')} ${place(loser, link)} (${layerName(loser)}). ${plain(why)}`);
  const notable = fields.filter(({ state: became, note }) => became !== 'used' || note !== undefined);
  const used = fields.filter((field) => !notable.includes(field)).map(({ field }) => code(field));
  const usedLine = used.length === 0 ? [] : [`  - ${t('Used:')} ${used.join(', ')}`];
  return [`- **${code(name)}**${told}${where}`, ...lost, ...usedLine, ...notable.map((field) => fieldText(field, origin, link))].join('\n');
}

function fieldText({ field, state, note, line }: FieldReport, origin: ConfigOrigin | undefined, link: LinkTo): string {
  const words = { used: t('Used:'), ignored: t('Ignored:'), refused: t('Refused:') }[state];
  const at = origin === undefined || line === undefined ? '' : ` (${linked(t('line {0}', line), link(origin.file, line))})`;
  return `  - ${words} ${code(field)}${at}${note === undefined ? '' : `. ${plain(note)}`}`;
}

function problemsOf(problems: readonly ConfigProblem[], link: LinkTo): readonly string[] {
  if (problems.length === 0) return [];
  const lines = problems.slice(0, MAX_ITEMS).map(({ file, key, line, message }) => `- ${linked(plain(line === undefined ? file : `${file}:${line}`), link(file, line))}${key === '' ? '' : ` ${code(key)}`}: ${plain(message)}`);
  return [`**${t('Problems')}**`, lines.join('\n')];
}

function place({ file, display, line }: ConfigOrigin, link: LinkTo): string {
  return linked(plain(line === undefined ? display : `${display}:${line}`), link(file, line));
}

function linked(words: string, target: string | undefined): string {
  return target === undefined ? words : `[${words}](<${target}>)`;
}

function layerName({ layer }: ConfigOrigin): string {
  return { managed: t('managed by your organization'), local: t('yours in this workspace'), project: t('this workspace'), user: t('yours') }[CONFIG_LAYERS.find((each) => each === layer) ?? 'user'];
}

/** Text of files as code, whatever it contains. */
function code(text: string): string {
  const shown = escapeHidden(text).replace(/\s+/g, ' ').slice(0, MAX_CODE);
  const fence = '`'.repeat(Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  return shown === '' ? '``\u00A0``' : `${fence}${shown.startsWith('`') || shown.endsWith('`') ? ` ${shown} ` : shown}${fence}`;
}

const MAX_CODE = 300;

/** Text of files as words: nothing in it is Markdown. */
function plain(text: string): string {
  return escapeHidden(text).replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>()#+!|&~$-]/g, (mark) => `\\${mark}`);
}
