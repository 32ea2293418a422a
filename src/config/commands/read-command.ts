import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import type { CommandFile } from '../../domain/config/skill.js';
import type { HookDefinition } from '../../domain/hook/definition.js';
import { formatNumber, t } from '../../domain/l10n.js';
import { readAgent, readEffort, readModel } from '../front-matter/turn-fields.js';
import { readAllowedTools } from '../front-matter/allowed-tools.js';
import { textOf } from '../front-matter/front-matter-fields.js';
import { atLine, type FileFormat, type FileReading, readFile } from '../front-matter/read-file.js';
import { readHooks } from '../hooks/front-matter-hooks.js';
import { commandNameProblem, nameOfCommand } from './command-name.js';
import { firstArgumentOf, hasTooManyCommands, inputsIn, templateParts, unknownVariables } from './command-template.js';

/** Format of a command: that of Claude Code and Gnomon, that of VS Code prompts, or a text that is sent as it is. */
export type CommandDialect = CommandFile['dialect'];

/** Where a command is read from. */
export interface CommandSource {
  readonly origin: ConfigOrigin;
  readonly dialect: CommandDialect;
  /** Path of the file from the folder of commands on, with slashes: it names the command. */
  readonly path: string;
}

/** A command that cannot be used, and why. */
export interface SkippedCommand {
  readonly origin: ConfigOrigin;
  readonly name: string;
  /** A sentence for the user. */
  readonly why: string;
}

/** Parsed command file, with its problems. */
export interface CommandReading {
  /** Absent when it is {@link skipped}. */
  readonly command?: CommandFile;
  readonly skipped?: SkippedCommand;
  /** Also those because of which it is skipped. */
  readonly problems: readonly ConfigProblem[];
}

/** Characters of the text of a command. */
const MAX_BODY = 200_000;
/** Characters of what is shown of a command without a description. */
const MAX_SUMMARY = 120;
const MAX_NAMES = 20;
/** Names that may have been meant by one that is not known. */
const KNOWN_FIELDS: readonly string[] = ['description', 'argument-hint', 'arguments', 'allowed-tools', 'model', 'name', 'agent', 'effort', 'tools', 'hooks'];

type Values = Omit<CommandFile, 'origin' | 'fields'>;
type Reading = FileReading<CommandSource>;

const FORMAT: FileFormat<CommandSource, Values> = {
  fields: {
    name: readName,
    argumentNames: readArgumentNames,
    description: ({ fields, frontMatter }) => fields.text('description') ?? summaryOf(frontMatter.body),
    argumentHint: (file, { argumentNames = [] }) => readHint(file) ?? hintOf(argumentNames, file.source.dialect === 'vscode' ? file.frontMatter.body : ''),
    allowedTools: ({ fields }) => readAllowedTools(fields, t('Only in the turn of the command, and once you have approved it.')),
    model: ({ fields }) => readModel(fields, usedInTurn()),
    agent: ({ fields }) => readAgent(fields, usedInTurn()),
    effort: ({ fields }) => readEffort(fields, usedInTurn()),
    hooks: readHooksOf,
    firstArgument: ({ source, frontMatter }) => (source.dialect === 'claude' ? firstArgumentOf(frontMatter.body) : 1),
    body: ({ frontMatter }) => frontMatter.body,
    dialect: ({ source }) => source.dialect,
  },
  ignored: ignoredFields,
  known: KNOWN_FIELDS,
  check: (file, values) => {
    noteBody(file, values);
    const why = commandNameProblem(values.name) ?? bodyProblem(values);
    if (why !== undefined) file.fail(why, file.frontMatter.lineAt(['name']) ?? file.frontMatter.bodyLine);
  },
};

/**
 * Reads one file with a command. Never throws. A file whose front matter cannot be read is skipped, because what limits it could be there.
 *
 * - Claude Code, and Gnomon: code.claude.com/docs/en/slash-commands.
 * - VS Code: code.visualstudio.com/docs/copilot/customization/prompt-files.
 * - Cline, Cursor, and Roo Code send the text as it is, and what was typed behind the name: docs.cline.bot, "Workflows"; cursor.com/docs,
 *   "Commands"; docs.roocode.com, "Slash Commands".
 */
export function readCommandFile(text: string, { origin, dialect, path }: CommandSource): CommandReading {
  const { problems, ...result } = readFile(text, { origin, dialect, path }, FORMAT);
  if ('value' in result) return { command: result.value, problems };
  const { why, name = nameOfCommand(path) } = result.skipped;
  return { skipped: { origin: atLine(origin, result.skipped), name, why }, problems };
}

function usedInTurn(): string {
  return t('Used in the turn of the command.');
}

/** Prompts of VS Code can have another name than their files. */
function readName({ fields, source: { path, dialect } }: Reading): string {
  const ofFile = nameOfCommand(path);
  if (dialect === 'vscode') return fields.text('name')?.replace(/\s+/g, '-') ?? ofFile;
  const field = fields.take('name');
  if (field !== undefined) fields.report(field, 'ignored', t('The name of a command is that of its file.'));
  return ofFile;
}

/** `[file] [mode]` looks like a list to YAML, and is a text as it is written. */
function readHint({ fields }: Reading): string | undefined {
  const field = fields.take('argument-hint');
  if (field === undefined) return undefined;
  const text = (typeof field.value === 'string' ? field.value : (field.source ?? textOf(field)))?.trim();
  if (text === undefined || text === '') {
    fields.refuse(field, t('“{0}” must be a text.', field.name));
    return undefined;
  }
  fields.report(field, 'used');
  return text;
}

function readArgumentNames({ fields }: Reading): readonly string[] {
  const field = fields.take('arguments');
  if (field === undefined) return [];
  const items = typeof field.value === 'string' ? field.value.split(/[\s,]+/) : (fields.items(field) ?? []).map(({ text }) => text);
  const names = items.filter((text) => text !== '');
  const wrong = names.find((name) => !/^[A-Za-z_]\w{0,63}$/.test(name) || name === 'ARGUMENTS');
  if (wrong !== undefined || names.length > MAX_NAMES || new Set(names).size < names.length) {
    fields.refuse(
      field,
      wrong === undefined ? t('“{0}” must be up to {1} different names.', field.name, MAX_NAMES) : t('“{0}” cannot be the name of an argument.', wrong),
    );
    return [];
  }
  if (names.length > 0) fields.report(field, 'used');
  return names;
}

/** Only those in the form of Claude Code have some. */
function readHooksOf(file: Reading, { name }: Pick<Values, 'name'>): readonly HookDefinition[] {
  if (file.source.dialect === 'claude')
    return readHooks(file, { owner: { kind: 'command', name }, note: t('From the use of the command until the chat ends, and once you have approved them.') });
  file.fields.ignore({ hooks: t('Gnomon runs hooks only of commands in the form of Claude Code.') });
  return [];
}

function noteBody(file: Reading, { body, dialect, firstArgument }: Values): void {
  const note = (message: string): void => file.fields.problem({ name: '', line: file.frontMatter.bodyLine }, message, true);
  if (firstArgument === 0) note(t('The text has {0}, so its arguments are counted from 0. In other files, {1} is the first argument.', '$0', '$1'));
  for (const name of unknownVariables(body, dialect)) note(t('“{0}” has no value in Gnomon and stays as it is.', `\${${name}}`));
  file.noteHidden('', body, (hidden) => t('The text contains characters that cannot be seen: {0}. Look at it before you use the command.', hidden));
}

function bodyProblem({ body, ...syntax }: Pick<CommandFile, 'body' | 'dialect' | 'argumentNames' | 'firstArgument'>): string | undefined {
  if (body.trim() === '') return t('The command has no text.');
  if (body.length > MAX_BODY) return t('The text of the command has more than {0} characters.', formatNumber(MAX_BODY));
  if (syntax.dialect === 'claude' && hasTooManyCommands(body)) return t('The text of the command has too many command lines.');
  return templateParts(body, syntax).length === 0 ? t('The command has no text.') : undefined;
}

/** The first line with words, in the place of a description. */
function summaryOf(body: string): string {
  const line =
    body
      .slice(0, 10_000)
      .split('\n')
      .map((each) => each.replace(/^[#>*\s-]+/, '').trim())
      .find((each) => each !== '') ?? '';
  return line.length > MAX_SUMMARY ? `${line.slice(0, MAX_SUMMARY).toWellFormed()}…` : line;
}

function hintOf(names: readonly string[], body: string): string | undefined {
  const all = [...names, ...inputsIn(body).map(({ name }) => name)];
  return all.length === 0 ? undefined : all.map((name) => `[${name}]`).join(' ');
}

/** Why fields of other programs have no effect here. */
function ignoredFields(): Readonly<Record<string, string>> {
  const nothing = t('Gnomon has nothing like it.');
  const byUser = t('In Gnomon, only users run commands.');
  const tools = t('Gnomon does not limit tools for a command yet.');
  const inChat = t('In Gnomon, a command is a message of the chat.');
  return {
    'disable-model-invocation': byUser,
    'user-invocable': byUser,
    when_to_use: byUser,
    paths: byUser,
    'disallowed-tools': tools,
    tools,
    context: inChat,
    background: inChat,
    shell: t('Commands run in the shell that Gnomon always uses.'),
    version: nothing,
    author: nothing,
    license: nothing,
    compatibility: nothing,
    metadata: nothing,
    tags: nothing,
    category: nothing,
    title: nothing,
    color: nothing,
  };
}
