import type { HookHandler } from '../../domain/hook/definition.js';
import { formatNumber, t } from '../../domain/l10n.js';
import { shownName } from '../../text/key-path.js';
import type { Findings } from './findings.js';
import type { SourceValue } from './source-value.js';

/** Seconds: what is more is never meant, and would keep a turn waiting for ever. */
const MAX_TIMEOUT_S = 3_600;
/** Characters of a command line and of any other text: everything in it is shown before it is approved. */
const MAX_TEXT = 32_000;
/** Items of a list, and fields of an object of texts. */
const MAX_ITEMS = 200;

/** Note about a field without effect. */
export function unusedNote(name: string): string {
  return /^(?:[$_]?comment|\$schema|id|name|title|description)$/i.test(name)
    ? t('It is for people and editors. Gnomon does nothing with it.')
    : t('Gnomon does not know the key “{0}” and ignores it.', shownName(name));
}

/** The fields of one hook while it is read: checks their kinds, and knows which were not asked for. */
export class HookFields {
  private readonly unread = new Map<string, SourceValue>();
  private reason: string | undefined;

  constructor(
    readonly place: SourceValue,
    readonly findings: Findings,
  ) {
    for (const { name, value } of place.type === 'object' ? place.fields : []) {
      if (this.unread.has(name)) this.fail(value, t('This key is there twice. Delete one of them.'));
      this.unread.set(name, value);
    }
  }

  /** Why the hook cannot run as it is written: the first thing that is wrong with it. */
  get broken(): string | undefined {
    return this.reason;
  }

  /** Notes why the hook cannot run. */
  fail(place: SourceValue, message: string): void {
    this.findings.add(place, message);
    this.reason ??= message;
  }

  /** A field without taking it. */
  peek(name: string): SourceValue | undefined {
    return this.unread.get(name);
  }

  has(name: string): boolean {
    return this.unread.has(name);
  }

  /** A value, which counts as read from now on. */
  take(name: string): SourceValue | undefined {
    const value = this.unread.get(name);
    this.unread.delete(name);
    return value;
  }

  text(name: string): string | undefined {
    const value = this.take(name);
    if (value === undefined) return undefined;
    const text = this.textIn(value);
    if (text !== undefined && text.trim() === '') this.fail(value, t('“{0}” is empty.', name));
    if (text !== undefined) this.used(value);
    return text;
  }

  texts(name: string): readonly string[] | undefined {
    const value = this.take(name);
    if (value === undefined) return undefined;
    if (value.type !== 'list') {
      this.fail(value, t('This must be a list of texts, such as {0}.', '["--port", "8080"]'));
      return undefined;
    }
    if (value.items.length > MAX_ITEMS) {
      this.fail(value, t('The list has more than {0} items.', MAX_ITEMS));
      return undefined;
    }
    this.used(value);
    return value.items.flatMap((item) => this.textIn(item) ?? []);
  }

  /** An object of texts by name. */
  record(name: string): Readonly<Record<string, string>> | undefined {
    const value = this.take(name);
    if (value === undefined) return undefined;
    if (value.type !== 'object') {
      this.fail(value, t('This must be an object of texts by name, such as {0}.', '{ "NAME": "value" }'));
      return undefined;
    }
    if (value.fields.length > MAX_ITEMS) {
      this.fail(value, t('The list has more than {0} items.', MAX_ITEMS));
      return undefined;
    }
    this.used(value);
    return Object.fromEntries(
      value.fields.flatMap(({ name: field, value: each }) => {
        if (field === '' || /[=\0\s]/.test(field) || field === '__proto__') this.fail(each, t('This cannot be the name of a variable of the environment.'));
        const text = this.textIn(each);
        return text === undefined ? [] : [[field, text] as const];
      }),
    );
  }

  /** Whether a switch is on; `undefined` where it is not there. */
  flag(name: string): boolean | undefined {
    const value = this.take(name);
    if (value === undefined) return undefined;
    if (value.type !== 'plain' || typeof value.value !== 'boolean') {
      this.fail(value, t('This must be true or false.'));
      return undefined;
    }
    this.used(value);
    return value.value;
  }

  choice<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const value = this.take(name);
    if (value === undefined) return undefined;
    const chosen = value.type === 'plain' ? values.find((each) => each === value.value) : undefined;
    if (chosen === undefined) {
      this.fail(value, t('“{0}” must be one of these: {1}.', name, values.join(', ')));
      return undefined;
    }
    this.used(value);
    return chosen;
  }

  /** A time limit in seconds, as milliseconds; `usualMs` where there is none. */
  timeout(name: string, usualMs: number): number {
    const value = this.take(name);
    if (value === undefined) return usualMs;
    const seconds = value.type === 'plain' ? value.value : undefined;
    if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds <= 0) {
      this.fail(value, t('“{0}” must be a number of seconds greater than 0, without quotation marks, such as {1}.', name, 60));
      return usualMs;
    }
    if (seconds > MAX_TIMEOUT_S)
      this.findings.add(value, t('The time limit is more than {0} seconds, which is the most. That is used.', formatNumber(MAX_TIMEOUT_S)), true);
    this.used(value);
    return Math.max(1, Math.round(Math.min(seconds, MAX_TIMEOUT_S) * 1_000));
  }

  /** Says that a field has no effect here. */
  ignore(name: string, note: string): void {
    const value = this.take(name);
    if (value !== undefined) this.findings.report(value, 'ignored', note);
  }

  used(value: SourceValue, note?: string): void {
    this.findings.report(value, 'used', note);
  }

  /** Reports all fields that were not read as unknown. */
  rest(): void {
    for (const [name, value] of this.unread) this.findings.report(value, 'ignored', unusedNote(name));
    this.unread.clear();
  }

  private textIn(value: SourceValue): string | undefined {
    if (value.type !== 'plain' || typeof value.value !== 'string') {
      this.fail(value, t('This must be a text in double quotes.'));
      return undefined;
    }
    if (value.value.includes('\0')) {
      this.fail(value, t('The text contains a null character, which no program can be given.'));
      return undefined;
    }
    if (value.value.length > MAX_TEXT) {
      this.fail(value, t('The text is longer than {0} characters.', formatNumber(MAX_TEXT)));
      return undefined;
    }
    return value.value;
  }
}

type CommandHandler = Extract<HookHandler, { type: 'command' }>;

/** Scripts that Windows opens with something else than the program that they are for. */
const OPENED_OTHERWISE = /\.(?:js|mjs|cjs|ts|py|rb)$/i;

/**
 * Sees to it that a command is one for the system that it is to run on, and says so where it needs a program that may not be there.
 * A line break of Windows would be part of the last word of a line for bash.
 */
export function forPlatform(fields: HookFields, handler: CommandHandler, platform: NodeJS.Platform): CommandHandler {
  const command = handler.command.replaceAll('\r\n', '\n');
  const program = handler.args === undefined ? firstWord(command) : command;
  if (platform !== 'win32') {
    if (handler.shell === 'powershell')
      fields.findings.add(fields.place, t('This hook is made for Windows. Here it needs PowerShell, or it cannot start.'), true);
    // Some scripts are for both, as sh and cmd take their first lines for different things.
    else if (/\.(?:cmd|bat)$/i.test(program))
      fields.findings.add(fields.place, t('This hook is made for Windows. Here it works if its script is one for sh as well.'), true);
    return { ...handler, command };
  }
  if (OPENED_OTHERWISE.test(program))
    fields.fail(fields.place, t('Windows does not run “{0}” as a program. Put the program that runs it before it, such as {1}.', program, 'node'));
  if (/\.ps1$/i.test(program) && handler.shell === undefined && handler.args === undefined) return { ...handler, command, shell: 'powershell' };
  if (handler.shell === 'bash' || /\.sh$/i.test(program))
    fields.findings.add(fields.place, t('This hook needs bash, which Windows has only with Git for Windows or a similar program.'), true);
  return { ...handler, command };
}

/** The first word of a command line, without the quotation marks around it. */
function firstWord(command: string): string {
  const [, quoted, plain = ''] = /^\s*(?:&\s*)?(?:["']([^"']*)["']|(\S+))/.exec(command) ?? [];
  return quoted ?? plain;
}
