import { present } from '../../domain/present.js';
import { t } from '../../domain/l10n.js';
import type { Choice, SlashOffer } from '../../protocol/host/composer-messages.js';
import { eitherOf } from '../../slash/written-command.js';
import { AUTO, DEFAULT_MODEL } from '../../domain/model/model-choice.js';

/** Actions behind the built-in slash commands. */
export interface SlashActions {
  readonly compact: (wish: string) => void;
  readonly clear: () => Promise<void>;
  readonly models: () => readonly Choice[];
  readonly setModel: (key: string) => Promise<void>;
  readonly modes: () => readonly Choice[];
  readonly setMode: (mode: string) => Promise<void>;
  readonly agents: () => Promise<readonly Choice[]>;
  readonly setAgent: (name: string) => Promise<void>;
  readonly runCommand: (command: string, argument?: string) => void;
  /** Tells the user something in the conversation. */
  readonly tell: (text: string) => void;
}

/** The formats of an export. */
const FORMATS: readonly string[] = ['markdown', 'json'];

/** A command that is written at the start of a message. */
export interface SlashCommand extends SlashOffer {
  readonly kind: 'built_in';
  /** Runs it. @throws Error with a message for the user when that is not possible. */
  run(argument: string): void | Promise<void>;
}

/** For pages. */
export function slashOffers(commands: readonly SlashOffer[]): readonly SlashOffer[] {
  return commands.map(({ name, hint, description, origin, file }) => ({ name, hint, description, ...present({ origin, file }) }));
}

/** The commands that are always there. @param all every command, for the help. */
export function builtInCommands(actions: SlashActions, all: () => readonly SlashOffer[]): readonly SlashCommand[] {
  const commands: readonly Omit<SlashCommand, 'kind'>[] = [
    { name: '/compact', hint: t('[what to keep]'), description: t('Summarize the chat to free up the context window'), run: actions.compact },
    { name: '/clear', hint: '', description: t('Start a new chat'), run: () => actions.clear() },
    { name: '/model', hint: t('[name]'), description: t('Switch to another model'), run: (name) => setModel(actions, name) },
    { name: '/mode', hint: t('[name]'), description: t('Change the permission mode'), run: (name) => setMode(actions, name) },
    { name: '/agent', hint: t('[name|none]'), description: t('Choose the agent that works'), run: (name) => setAgent(actions, name) },
    { name: '/config', hint: '', description: t('Show what is configured and from where'), run: () => actions.runCommand('gnomon.showConfiguration') },
    { name: '/export', hint: '[markdown|json]', description: t('Export this chat to a file'), run: (format) => exportSession(actions, format) },
    { name: '/help', hint: '', description: t('Show commands and keyboard shortcuts'), run: () => actions.tell(helpText(all())) },
  ];
  return commands.map((command) => ({ kind: 'built_in', ...command }));
}

async function setModel({ models, setModel: use, runCommand }: SlashActions, name: string): Promise<void> {
  if (name === '') runCommand('gnomon.selectModel');
  else await use(name === AUTO || name === DEFAULT_MODEL ? name : choose(models(), name, 'model').id);
}

async function setMode({ modes, setMode: use, tell }: SlashActions, name: string): Promise<void> {
  if (name !== '') return use(choose(modes(), name, 'permission mode').id);
  tell([t('Type /mode followed by one of these:'), ...modes().map(({ id, label, description = '' }) => `${id}: ${label}. ${description}`)].join('\n'));
}

async function setAgent({ agents, setAgent: use, tell }: SlashActions, name: string): Promise<void> {
  if (name === 'none') return use('');
  const all = await agents();
  if (name !== '') return use(choose(all, name, 'agent').id);
  if (all.length === 0) tell(t('There are no agents. They are read from .gnomon/agents, .claude/agents, .github/agents, .cursor/agents, and .roomodes.'));
  else tell([t('Type /agent followed by one of these, or none:'), ...all.map(({ id, description = '' }) => `${id}: ${description}`)].join('\n'));
}

function exportSession({ runCommand }: SlashActions, format: string): void {
  if (format !== '' && !FORMATS.includes(format)) throw new Error(t('A chat can be exported as {0}, not as “{1}”.', eitherOf(FORMATS), format));
  if (format === '') runCommand('gnomon.exportSession');
  else runCommand('gnomon.exportSession', format);
}

function helpText(commands: readonly SlashOffer[]): string {
  const lines = commands.map(({ name, hint, description }) => `${hint === '' ? name : `${name} ${hint}`}: ${description}`);
  const keys = [
    t('Keyboard Shortcuts'),
    t('Enter: send, or queue while Gnomon is working · Shift+Enter: new line · Escape: stop'),
    t('↑ and ↓ at the start of the text: previous messages'),
    t('@: files, folders, symbols, problems, changes, editors, terminal, resources of MCP servers · /: commands, prompts of MCP servers'),
  ];
  return [t('Commands'), ...lines, '', ...keys].join('\n');
}

/**
 * The choice that the user means by a text: one with exactly this id or name, else the only one that contains it.
 * @throws Error that lists what there is.
 */
function choose(choices: readonly Choice[], words: string, what: 'model' | 'permission mode' | 'agent'): Choice {
  const wanted = words.toLowerCase();
  const exact = choices.find(({ id, label }) => id.toLowerCase() === wanted || label.toLowerCase() === wanted);
  const near = choices.filter(({ id, label }) => id.toLowerCase().includes(wanted) || label.toLowerCase().includes(wanted));
  const found = exact ?? (near.length === 1 ? near[0] : undefined);
  if (found !== undefined) return found;
  const names = (near.length === 0 ? choices : near).slice(0, MAX_NAMES).map(({ id }) => id);
  if (near.length > 0) throw new Error(t('“{0}” matches more than one: {1}.', words, names.join(', ')));
  if (what === 'model') throw new Error(t('Unknown model “{0}”. Available: {1}.', words, names.join(', ')));
  if (what === 'agent') throw new Error(t('Unknown agent “{0}”. Available: {1}.', words, names.join(', ')));
  throw new Error(t('Unknown permission mode “{0}”. Available: {1}.', words, names.join(', ')));
}

/** Names that an error lists. */
const MAX_NAMES = 20;
