import { t } from '../../../src/protocol/l10n.js';
import { mentionAt } from '../../../src/protocol/mention-syntax.js';
import type { MentionKind, MentionOffer, SlashOffer } from '../../../src/protocol/host/composer-messages.js';
import { present } from '../../../src/protocol/present.js';
import type { IconName } from '../../ui/icons.js';
import { commandsFor } from './commands.js';
import type { ComposerState } from './composer.svelte.js';

/** A line of the list above the composer. */
export interface MenuEntry {
  /** Text that is inserted when it is chosen. */
  readonly insert: string;
  readonly name: string;
  readonly description: string;
  /** Argument hint of a command. */
  readonly hint?: string;
  /** Where it is from, in full. */
  readonly from?: string;
  readonly icon?: IconName;
  /** The heading that it stands under. */
  readonly group?: string;
  /** Present for an address with blanks, which are filled in before anything is written. */
  readonly template?: MentionOffer['template'];
  /** Whether it is done as soon as it is chosen. */
  readonly runs?: boolean;
}

/** The icons of what can be mentioned. */
export const MENTION_ICONS: Readonly<Record<MentionKind, IconName>> = {
  file: 'file',
  folder: 'folder',
  symbol: 'symbol',
  problems: 'warning',
  changes: 'changes',
  editors: 'tab',
  terminal: 'terminal',
  web: 'globe',
  resource: 'resource',
};

/** The heading above offers of a kind. */
function groupOf(kind: MentionKind): string {
  if (kind === 'file' || kind === 'folder') return t('Files');
  if (kind === 'resource') return t('MCP resources');
  return kind === 'symbol' ? t('Symbols') : t('Workspace');
}

/**
 * A command that is offered. One of a file is shown before it is sent, so that it can be run as soon as it is chosen; with arguments to come, these are written
 * first.
 */
function entryOf({ name, hint, description, prompt = false, origin, file }: SlashOffer): MenuEntry {
  if (prompt) return { insert: name, name, description, runs: true, group: t('MCP prompts') };
  if (origin === undefined) return { insert: name, name, description };
  const group = origin === 'project' ? t('Commands of the workspace') : t('Your commands');
  return { insert: hint === '' ? name : `${name} `, name, description, hint, runs: hint === '', group, ...present({ from: file }) };
}

/** The entries with those of a group together, each group where its first one was. */
function inGroups(entries: readonly MenuEntry[]): readonly MenuEntry[] {
  const groups = [...new Set(entries.map(({ group }) => group))];
  return groups.flatMap((name) => entries.filter(({ group }) => group === name));
}

/** The commands and mentions offered while one is being written. The cursor stays in the text; keys choose in the list. */
export class CommandMenu {
  private index = $state(0);
  /** The text for which the list was closed. */
  private closedFor = $state<string | undefined>();

  constructor(private readonly composer: ComposerState) {}

  /** The mention that is being written. */
  get mention(): { readonly start: number; readonly query: string } | undefined {
    return this.closed ? undefined : mentionAt(this.composer.text, this.composer.caret);
  }

  /** Accessible name of the list. */
  get label(): string {
    return this.mention === undefined ? t('Commands') : t('Mentions');
  }

  /** Entries of the menu; empty when it is closed. */
  get entries(): readonly MenuEntry[] {
    if (this.closed) return [];
    if (this.mention !== undefined)
      return this.isWhole
        ? []
        : inGroups(
            this.composer.mentions.offers.map(({ insert, kind, label, detail, template }) => ({
              insert,
              icon: MENTION_ICONS[kind],
              group: groupOf(kind),
              name: template === undefined ? label : `${label}…`,
              description: detail,
              template,
            })),
          );
    return inGroups(commandsFor(this.composer.text, this.composer.commands).map(entryOf));
  }

  /** Index of the entry that Enter chooses. */
  get active(): number {
    return Math.min(this.index, this.entries.length - 1);
  }

  /** To be called when the text or the cursor has changed. */
  changed(): void {
    this.index = 0;
    this.composer.mentions.look(this.mention?.query);
  }

  /** To be called when the text is empty: what is written anew gets its list again. */
  emptied(): void {
    this.closedFor = undefined;
  }

  /** Puts an entry into the composer. */
  pick({ insert, template, runs = false }: MenuEntry): void {
    const { composer, mention } = this;
    this.index = 0;
    if (mention !== undefined && template !== undefined) {
      composer.replace(mention.start, composer.caret, '');
      composer.form.openTemplate(template);
    } else if (mention === undefined) {
      composer.write(insert);
      if (runs) composer.send();
    } else {
      // An incomplete mention is continued.
      const open = /[#/]"?$/.test(insert);
      // The space behind one that is whole may be there already.
      const end = composer.caret + (!open && composer.text[composer.caret] === ' ' ? 1 : 0);
      composer.replace(mention.start, end, open ? insert : `${insert} `);
      if (insert !== '@#') this.closedFor = composer.text;
    }
    composer.mentions.look(this.mention?.query);
    composer.focus();
  }

  /** Takes a key that goes down in the text; `true` when it was for the list. */
  press(event: KeyboardEvent): boolean {
    const entry = this.entries[this.active];
    if (entry === undefined || event.isComposing || event.shiftKey) return false;
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        this.move(event.key === 'ArrowDown' ? 1 : -1);
        return true;
      case 'Enter':
        // Text that is there already is not inserted again.
        if (entry.insert === this.written) return false;
        return this.take(entry);
      case 'Tab':
        // So that arguments can be written behind it.
        return this.take(entry.runs === true ? { ...entry, insert: `${entry.insert} `, runs: false } : entry);
      case 'Escape':
        this.closedFor = this.composer.text;
        this.composer.mentions.look(undefined);
        return true;
      default:
        return false;
    }
  }

  /** The mention as it is written up to the cursor; empty without one. */
  private get written(): string {
    const { composer, mention } = this;
    return mention === undefined ? '' : composer.text.slice(mention.start, composer.caret);
  }

  private take(entry: MenuEntry): true {
    // What was found for something else is not taken; a moment later, at the next press, there is what is meant.
    if (this.mention === undefined || !this.composer.mentions.awaited) this.pick(entry);
    return true;
  }

  /** Whether a mention is written to its end: Enter is not for the list then. */
  private get isWhole(): boolean {
    const { written } = this;
    return this.composer.mentions.offers.some(({ insert }) => insert === written && !insert.endsWith('/'));
  }

  private get closed(): boolean {
    return this.composer.text === this.closedFor;
  }

  private move(by: number): void {
    const count = this.entries.length;
    this.index = (this.active + by + count) % count;
  }
}
