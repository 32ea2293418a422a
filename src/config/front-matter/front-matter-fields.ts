import { present } from '../../domain/present.js';
import type { ConfigProblem, FieldReport } from '../../domain/config/problem.js';
import { formatNumber, t } from '../../domain/l10n.js';
import { keyPath, shownName } from '../../text/key-path.js';
import { isLimitingField, kindOfField, plainName } from '../../text/front-matter/field-kinds.js';
import type { FrontMatterField } from '../../text/front-matter/read-front-matter.js';
import type { PlainValue, ValuePath } from '../../text/front-matter/yaml-text.js';

/** A field that was asked for. */
export interface TakenField extends FrontMatterField {
  /** As it is written. */
  readonly name: string;
}

/** An item of a list, or of a text with commas between the items. */
export interface ListItem {
  readonly text: string;
  /** Name in reports. */
  readonly field: string;
}

/** Reports on fields of one file, and problems: a hostile file could have one in each line. */
const MAX_FINDINGS = 200;
/** Items of a list. */
const MAX_ITEMS = 200;

/**
 * The fields of front matter while they are read: checks their kinds, knows which were not read, and collects the state of each.
 * Names count as programs document them. Those of fields that limit something count whatever their case, and with or without hyphens and
 * underscores: a limit must not lose its effect by that.
 */
export class FrontMatterFields {
  private readonly unread = new Map<string, TakenField>();
  private readonly reported: FieldReport[] = [];
  private readonly found: ConfigProblem[] = [];

  /** @param prefix the path of the object whose fields they are, where they are not those of the file itself */
  constructor(
    fields: ReadonlyMap<string, FrontMatterField>,
    private readonly file: string,
    private readonly prefix: ValuePath = [],
  ) {
    for (const [name, field] of fields) {
      this.unread.set(keyOf(name), { ...field, name });
    }
  }

  /** States of the fields, in the order of the file. If there are too many, those that are used are left out first. */
  get reports(): readonly FieldReport[] {
    const kept = [...this.reported].sort((a, b) => Number(a.state === 'used') - Number(b.state === 'used')).slice(0, MAX_FINDINGS);
    return kept.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  }

  /** The first of them, and how many there are beside these. */
  get problems(): readonly ConfigProblem[] {
    const more = this.found.length - MAX_FINDINGS;
    if (more <= 0) return this.found;
    const message = t('There are {0} more problems in this file.', formatNumber(more));
    return [...this.found.slice(0, MAX_FINDINGS), { file: this.file, key: '', line: 1, message }];
  }

  /** A field by its name or another one of it, which counts as read from now on. A field without a value is as good as none. */
  take(...names: readonly string[]): TakenField | undefined {
    const keys = names.map(keyOf);
    const fields = keys.flatMap((key) => this.unread.get(key) ?? []);
    for (const key of keys) this.unread.delete(key);
    const [field, ...others] = fields;
    for (const other of others)
      this.refuse(other, t('“{0}” and “{1}” are the same field. The first one is used.', shownName(field?.name ?? ''), shownName(other.name)));
    if (field?.value !== null) return field;
    this.report(field, 'ignored', t('There is no value.'));
    return undefined;
  }

  /** A text that is not empty. Numbers, and what looks like a list on one line of a field that people read, are texts as they are written. */
  text(...names: readonly string[]): string | undefined {
    const field = this.take(...names);
    if (field === undefined) return undefined;
    const text = textOf(field) ?? (kindOfField(field.name) === 'text' ? field.source : undefined);
    if (text === undefined || text.trim() === '') {
      this.refuse(field, text === undefined ? t('“{0}” must be a text.', shownName(field.name)) : t('“{0}” is empty.', shownName(field.name)));
      return undefined;
    }
    this.report(field, 'used');
    return text.trim();
  }

  /** Whether a switch is on; `undefined` where it is not there, or neither on nor off. */
  flag(...names: readonly string[]): boolean | undefined {
    const field = this.take(...names);
    if (field === undefined) return undefined;
    if (typeof field.value !== 'boolean') {
      this.refuse(field, t('“{0}” must be true or false.', shownName(field.name)));
      return undefined;
    }
    this.report(field, 'used');
    return field.value;
  }

  /**
   * The items of a list, or of a text with commas between them; `undefined`, with a problem, for anything else. The caller reports the state of the field.
   */
  items(field: TakenField): readonly ListItem[] | undefined {
    const { name, value } = field;
    const list: readonly PlainValue[] | undefined = Array.isArray(value)
      ? (value as readonly PlainValue[])
      : typeof value === 'string'
        ? splitAtCommas(value)
        : undefined;
    if (list === undefined || !list.every((item) => typeof item === 'string')) {
      this.refuse(field, t('“{0}” must be a list of texts.', shownName(name)));
      return undefined;
    }
    if (list.length > MAX_ITEMS) {
      this.refuse(field, t('The list has more than {0} items.', formatNumber(MAX_ITEMS)));
      return undefined;
    }
    return list.flatMap((item, index) => (item.trim() === '' ? [] : [{ text: item.trim(), field: this.pathOf([name, index]) }]));
  }

  /** Reports the state of a field. */
  report(field: TakenField, state: FieldReport['state'], note?: string): void {
    this.reportItem(field, this.pathOf([field.name]), state, note);
  }

  /** Reports the state of a part of a field. @param path as {@link ListItem.field} */
  reportItem({ line }: TakenField, path: string, state: FieldReport['state'], note?: string): void {
    this.reported.push({ field: path, state, ...present({ note }), line });
  }

  /** Says that a field is not used although it should be, because of its value or its file. */
  refuse(field: TakenField, message: string): void {
    this.report(field, 'refused', message);
    this.problem(field, message);
  }

  /** Notes something that the user should know. An empty name means the file as a whole. */
  problem({ name, line }: Pick<TakenField, 'name' | 'line'>, message: string, harmless = false): void {
    this.found.push({ file: this.file, key: name === '' ? '' : this.pathOf([name]), line, message, ...(harmless ? { harmless } : {}) });
  }

  /** Takes what another reader found within a field. */
  include({ problems, reports }: { readonly problems: readonly ConfigProblem[]; readonly reports: readonly FieldReport[] }): void {
    this.found.push(...problems);
    this.reported.push(...reports);
  }

  /** Says of fields that they have no effect. @param notes by their names */
  ignore(notes: Readonly<Record<string, string>>): void {
    for (const [name, note] of Object.entries(notes)) {
      const field = this.unread.get(keyOf(name));
      this.unread.delete(keyOf(name));
      if (field !== undefined) this.report(field, 'ignored', note);
    }
  }

  /** Reports all fields that were not read as unknown. @param known names that may have been meant */
  rest(known: readonly string[]): void {
    for (const field of this.unread.values()) {
      const meant = known.find((name) => isNear(plainName(field.name), plainName(name)));
      this.report(field, 'ignored', t('Gnomon does not know the key “{0}” and ignores it.', shownName(field.name)));
      if (meant !== undefined) this.problem(field, t('Gnomon does not know the key “{0}” and ignores it. Did you mean “{1}”?', shownName(field.name), meant));
    }
    this.unread.clear();
  }

  /** Name of the value at a path in reports. */
  pathOf(path: ValuePath): string {
    return keyPath([...this.prefix, ...path]);
  }
}

/** Comparison key of field names. Duplicates of a limiting field are refused before: see `readFrontMatter`. */
function keyOf(name: string): string {
  return isLimitingField(name) ? plainName(name) : name;
}

/** The text of a field; `undefined` for lists and objects. */
export function textOf({ value, source }: Pick<FrontMatterField, 'value' | 'source'>): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? (source ?? String(value)) : undefined;
}

/** Splits at the commas that are not within parentheses. */
function splitAtCommas(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '(') depth += 1;
    if (character === ')') depth = Math.max(0, depth - 1);
    if (character !== ',' || depth > 0) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}

/** Whether a name is another one with one character too much, too little, or wrong. */
function isNear(name: string, other: string): boolean {
  if (Math.abs(name.length - other.length) > 1 || name.length < 4) return false;
  let start = 0;
  while (start < name.length && name[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(name.length, other.length) - start && name.at(-1 - end) === other.at(-1 - end)) end += 1;
  return Math.max(name.length, other.length) - start - end <= 1;
}
