import { t } from '../../../domain/l10n.js';
import type { Choice } from '../../../protocol/host/composer-messages.js';
import { choose } from './choose.js';
import { eitherOf } from './either-of.js';
import type { SlashCommand } from './slash-command.js';

/** What the built-in commands do things with. */
export interface SlashActions {
  readonly compact: (wish: string) => Promise<void>;
  readonly newSession: () => Promise<void>;
  readonly models: () => readonly Choice[];
  readonly setModel: (key: string) => Promise<void>;
  readonly modes: () => readonly Choice[];
  readonly setMode: (mode: string) => Promise<void>;
  readonly runCommand: (command: string, argument?: string) => void;
  /** Tells the person something in the conversation. */
  readonly tell: (text: string) => void;
}

/** The formats of an export. */
const FORMATS: readonly string[] = ['markdown', 'json'];

/** The commands that are always there. @param all every command, for the help. */
export function builtInCommands(actions: SlashActions, all: () => readonly SlashCommand[]): readonly SlashCommand[] {
  return [
    { name: '/compact', hint: t('[what to keep]'), description: t('Summarise the conversation to free the context window'), run: actions.compact },
    { name: '/clear', hint: '', description: t('Start a new session'), run: () => actions.newSession() },
    { name: '/model', hint: t('[name]'), description: t('Use another model'), run: (name) => setModel(actions, name) },
    { name: '/mode', hint: t('[name]'), description: t('Change what runs without asking'), run: (name) => setMode(actions, name) },
    { name: '/export', hint: '[markdown|json]', description: t('Save this conversation to a file'), run: (format) => exportSession(actions, format) },
    { name: '/help', hint: '', description: t('Show the commands and keys'), run: () => actions.tell(helpText(all())) },
  ];
}

async function setModel({ models, setModel: use, runCommand }: SlashActions, name: string): Promise<void> {
  if (name === '') runCommand('gnomon.selectModel');
  else await use(choose(models(), name, 'model').id);
}

async function setMode({ modes, setMode: use, tell }: SlashActions, name: string): Promise<void> {
  if (name !== '') return use(choose(modes(), name, 'permission mode').id);
  tell([t('Write /mode and one of these:'), ...modes().map(({ id, label, description = '' }) => `${id}: ${label}. ${description}`)].join('\n'));
}

function exportSession({ runCommand }: SlashActions, format: string): void {
  if (format !== '' && !FORMATS.includes(format)) throw new Error(t('A conversation can be saved as {0}, not as “{1}”.', eitherOf(FORMATS), format));
  if (format === '') runCommand('gnomon.exportSession');
  else runCommand('gnomon.exportSession', format);
}

function helpText(commands: readonly SlashCommand[]): string {
  const lines = commands.map(({ name, hint, description }) => `${hint === '' ? name : `${name} ${hint}`}: ${description}`);
  const keys = [
    t('Keys'),
    t('Enter: send, or queue while Gnomon works · Shift+Enter: new line · Escape: stop'),
    t('↑ and ↓ at the start of the text: what you said before'),
    t('@: files, folders, symbols, problems, changes, editors, terminal · /: commands'),
  ];
  return [t('Commands'), ...lines, '', ...keys].join('\n');
}
