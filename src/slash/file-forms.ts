import { present } from '../domain/present.js';
import type { ChosenCommand } from '../config/commands/choose-commands.js';
import { type ExpandedCommand, expandCommand, inputsOf, typedInputs } from '../config/commands/expand-command.js';
import { t } from '../domain/l10n.js';
import { attachedBlock } from '../domain/session/attached.js';
import { ranCommandText } from '../domain/session/ran-command.js';
import type { TurnGrant } from '../domain/tool/turn-grant.js';
import { commandsIn, scriptAsWritten, type ScriptedText } from '../domain/session/scripted-text.js';
import type { UserContent } from '../domain/model/content.js';
import type { FillForm } from '../protocol/host/composer-messages.js';
import { headOf, showName } from '../text/show.js';
import { parseMentions } from '../mentions/typed-mentions.js';
import type { MessageOptions } from './message-options.js';

/** Characters of arguments that are shown with a message, and of a text that is shown before it is sent. */
const MAX_SHOWN_ARGUMENTS = 80;
const MAX_SHOWN_TEXT = 100_000;
/** Characters of the values that a message tells the model. */
const MAX_TOLD = 10_000;

/** Where a command is run. */
export interface CommandPlace {
  readonly sessionId: string;
  /** Absolute paths of the workspace folders; commands run in the first unless the file is in another. */
  readonly folders: readonly string[];
  /** Cost warning, such as for an expired prompt cache. */
  readonly warning?: string;
}

/** A command of a file as it was written, with what is known of its blanks. */
export interface WrittenFile {
  readonly chosen: ChosenCommand;
  /** Argument text, as typed. */
  readonly argument: string;
  readonly place: CommandPlace;
  /** Rules that its file requests for its turn. */
  readonly grant?: TurnGrant | undefined;
}

/** A form without what tells it from others. */
export type UnnamedForm = Omit<FillForm, 'id' | 'suggests'>;

/** A command of a file, or a skill that is activated, that is ready to be sent. */
export interface SlashMessage {
  /** As it was typed. */
  readonly typed: string;
  /** Expanded text of a command, and the mentions in it. Absent for a skill: its message is the typed text. */
  readonly expanded?: { readonly script: ScriptedText; readonly mentioning: string };
  /** Say to the user and to the model which command it is; the text of a skill. */
  readonly blocks: readonly UserContent[];
  readonly turn: MessageOptions;
}

/** Such a message with the form that shows it before it is sent. */
export interface PreviewedMessage {
  readonly message: SlashMessage;
  /** Absolute path of the command or skill. */
  readonly file: string;
  readonly form: UnnamedForm;
}

/** The form for the blanks of a command of a file; `undefined` where nothing has to be filled in. */
export function inputForm({ chosen, argument }: WrittenFile): UnnamedForm | undefined {
  const { command } = chosen;
  const inputs = inputsOf(command);
  const typed = typedInputs(command, argument);
  if (inputs.every(({ name }) => (typed[name] ?? '') !== '')) return undefined;
  const fields = inputs.map(({ name, hint }) => ({ name, ...present({ description: hint }), required: true, value: typed[name] ?? '' }));
  return { ...formOf(chosen, argument), fields };
}

/** A text as a form shows it before it is sent. */
export function shownText(text: string): string {
  return headOf(text, MAX_SHOWN_TEXT) + (text.length > MAX_SHOWN_TEXT ? '…' : '');
}

/** Expands a command, for the user to see before it is sent. @param inputs what was filled in. @throws Error with a sentence for the user */
export function filePreview(written: WrittenFile, inputs: Readonly<Record<string, string>>): PreviewedMessage {
  const { script, mentioning, ...message } = fileMessage(written, inputs);
  const {
    chosen,
    argument,
    grant,
    place: { warning },
  } = written;
  const { agent, model, effort } = chosen.command;
  const files = parseMentions(mentioning).flatMap((mention) => (mention.kind === 'path' && mention.sure ? [mention.path] : []));
  const preview = { text: shownText(scriptAsWritten(script)), commands: [...commandsIn(script)], files, notes: [], ...present({ warning }) };
  return {
    message: { ...message, expanded: { script, mentioning }, turn: { grant, agent, model, effort } },
    file: chosen.command.origin.file,
    form: { ...formOf(chosen, argument), fields: [], preview },
  };
}

function fileMessage(
  { chosen, argument, place }: WrittenFile,
  inputs: Readonly<Record<string, string>>,
): Pick<SlashMessage, 'typed' | 'blocks'> & { readonly script: ScriptedText; readonly mentioning: string } {
  const { command } = chosen;
  const folder = command.origin.folder ?? place.folders[0] ?? '';
  const variables = {
    CLAUDE_PROJECT_DIR: folder,
    CLAUDE_SESSION_ID: place.sessionId,
    workspaceFolder: folder,
    workspaceFolderBasename: folder.split(/[/\\]/).at(-1) ?? '',
  };
  const expanded = expandCommand(command, {
    argument,
    inputs: { ...typedInputs(command, argument), ...inputs },
    variables,
    shell: process.platform === 'win32' ? 'powershell' : 'bash',
  });
  const typed = typedOf(chosen, argument);
  return {
    typed,
    script: placed(expanded, folder === place.folders[0] ? '' : folder),
    mentioning: expanded.mentioning,
    blocks: [
      attachedBlock({
        name: showName(headOf(typed, MAX_SHOWN_ARGUMENTS)),
        text: ranCommandText({ name: `/${chosen.name}`, file: command.origin.display, argument: headOf(argument, MAX_TOLD) }),
      }),
    ],
  };
}

/** The commands of a file run in the folder that it is in. */
function placed({ script }: ExpandedCommand, cwd: string): ScriptedText {
  return cwd === '' ? script : script.map((part) => (part.type === 'command' ? { ...part, cwd } : part));
}

function formOf(chosen: ChosenCommand, argument: string): Omit<UnnamedForm, 'fields'> {
  const {
    name,
    command: { origin, description },
  } = chosen;
  const about = description === '' ? {} : { description: showName(description) };
  return { server: showName(origin.display), makes: 'command', title: `/${name}`, ...about, typed: typedOf(chosen, argument) };
}

function typedOf({ name }: ChosenCommand, argument: string): string {
  return argument === '' ? `/${name}` : `/${name} ${argument}`;
}

/** Why a command of a file cannot be used. */
export function unusableText(name: string, display: string, why: string | undefined): string {
  if (why === undefined) return t('/{0} is a command of this workspace ({1}). It can be used once you trust the workspace.', name, display);
  return t('/{0} cannot be used. {1}: {2}', name, display, why);
}
