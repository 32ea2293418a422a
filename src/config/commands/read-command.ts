import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import type { CommandFile } from '../../domain/config/skill.js';
import type { HookDefinition } from '../../domain/hook/definition.js';
import { withoutUnseen } from '../../domain/hidden-characters.js';
import { formatNumber, t } from '../../domain/l10n.js';
import { readTurn } from '../front-matter/turn-fields.js';
import { readAllowedTools } from '../front-matter/allowed-tools.js';
import { FrontMatterFields, type TakenField, textOf } from '../front-matter/front-matter-fields.js';
import { type FrontMatter, readFrontMatter } from '../../text/front-matter/read-front-matter.js';
import { readHooks } from '../hooks/front-matter-hooks.js';
import { commandNameProblem, nameOfCommand } from './command-name.js';
import { firstArgumentOf, hasTooManyCommands, inputsIn, templateParts, unknownVariables } from './command-template.js';

/** Whose form a command has: of Claude Code and Gnomon, that of prompts of VS Code, or a text that is sent as it is. */
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

/** What a file says. */
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

/**
 * Reads one file with a command. Never throws. A file whose front matter cannot be read is skipped, because what limits it could be there.
 *
 * - Claude Code, and Gnomon: code.claude.com/docs/en/slash-commands.
 * - VS Code: code.visualstudio.com/docs/copilot/customization/prompt-files.
 * - Cline, Cursor, and Roo Code send the text as it is, and what was typed behind the name: docs.cline.bot, "Workflows"; cursor.com/docs,
 *   "Commands"; docs.roocode.com, "Slash Commands".
 */
export function readCommandFile(text: string, source: CommandSource): CommandReading {
  const { origin } = source;
  const frontMatter = readFrontMatter(text, { file: origin.file });
  const { problems, broken } = frontMatter;
  if (broken !== undefined) return skipped(source, { why: broken, line: problems[0]?.line, problems });
  return new CommandReader(frontMatter, source).read();
}

class CommandReader {
  private readonly fields: FrontMatterFields;

  constructor(
    private readonly frontMatter: FrontMatter,
    private readonly source: CommandSource,
  ) {
    this.fields = new FrontMatterFields(frontMatter.fields, source.origin.file);
  }

  read(): CommandReading {
    const { fields, source } = this;
    const { origin, dialect } = source;
    const { body, bodyLine } = this.frontMatter;
    const name = this.name();
    const argumentNames = this.argumentNames();
    const firstArgument = dialect === 'claude' ? firstArgumentOf(body) : 1;
    const description = this.fields.text('description') ?? summaryOf(body);
    const argumentHint = this.hint() ?? hintOf(argumentNames, dialect === 'vscode' ? body : '');
    const allowedTools = readAllowedTools(fields, t('Only in the turn of the command, and once you have approved it.'));
    const turn = readTurn(fields, t('Used in the turn of the command.'));
    const hooks = this.hooks(name);
    fields.ignore(ignoredFields());
    fields.rest(KNOWN_FIELDS);
    this.noteBody(firstArgument);
    const why = commandNameProblem(name) ?? bodyProblem(body, { dialect, argumentNames, firstArgument });
    const problems = [...this.frontMatter.problems, ...fields.problems];
    if (why !== undefined) return skipped({ ...source, name }, { why, line: this.frontMatter.lineAt(['name']) ?? bodyLine, problems });
    const optional = { ...(argumentHint === '' ? {} : { argumentHint }), ...turn };
    return {
      command: { name, description, origin, ...optional, argumentNames, allowedTools, hooks, firstArgument, body, dialect, fields: fields.reports },
      problems,
    };
  }

  /** Prompts of VS Code can have another name than their files. */
  private name(): string {
    const ofFile = nameOfCommand(this.source.path);
    if (this.source.dialect === 'vscode') return this.fields.text('name')?.replace(/\s+/g, '-') ?? ofFile;
    const field = this.fields.take('name');
    if (field !== undefined) this.fields.report(field, 'ignored', t('The name of a command is that of its file.'));
    return ofFile;
  }

  /** `[file] [mode]` looks like a list to YAML, and is a text as it is written. */
  private hint(): string | undefined {
    const field = this.fields.take('argument-hint');
    if (field === undefined) return undefined;
    const text = (typeof field.value === 'string' ? field.value : (field.source ?? textOf(field)))?.trim();
    if (text === undefined || text === '') {
      this.fields.refuse(field, t('“{0}” must be a text.', field.name));
      return undefined;
    }
    this.fields.report(field, 'used');
    return text;
  }

  private argumentNames(): readonly string[] {
    const field = this.fields.take('arguments');
    if (field === undefined) return [];
    const items = (
      typeof field.value === 'string' ? field.value.split(/[\s,]+/).map((text) => ({ text, field: field.name })) : (this.fields.items(field) ?? [])
    ).filter(({ text }) => text !== '');
    const names = items.map(({ text }) => text);
    const wrong = names.find((name) => !/^[A-Za-z_]\w{0,63}$/.test(name) || name === 'ARGUMENTS');
    if (wrong !== undefined || names.length > MAX_NAMES || new Set(names).size < names.length) {
      this.fields.refuse(
        field,
        wrong === undefined ? t('“{0}” must be up to {1} different names.', field.name, MAX_NAMES) : t('“{0}” cannot be the name of an argument.', wrong),
      );
      return [];
    }
    if (names.length > 0) this.fields.report(field, 'used');
    return names;
  }

  /** Only those in the form of Claude Code have some. */
  private hooks(name: string): readonly HookDefinition[] {
    const {
      fields,
      source: { origin, dialect },
    } = this;
    if (dialect !== 'claude') {
      fields.ignore({ hooks: t('Gnomon runs hooks only of commands in the form of Claude Code.') });
      return [];
    }
    return readHooks(fields, {
      origin,
      owner: { kind: 'command', name },
      lineAt: this.frontMatter.lineAt,
      note: t('From the use of the command until the chat ends, and once you have approved them.'),
    });
  }

  private noteBody(firstArgument: 0 | 1): void {
    const { body, bodyLine } = this.frontMatter;
    const here: Pick<TakenField, 'name' | 'line'> = { name: '', line: bodyLine };
    if (firstArgument === 0)
      this.fields.problem(here, t('The text has {0}, so its arguments are counted from 0. In other files, {1} is the first argument.', '$0', '$1'), true);
    for (const name of unknownVariables(body, this.source.dialect))
      this.fields.problem(here, t('“{0}” has no value in Gnomon and stays as it is.', `\${${name}}`), true);
    const { hidden } = withoutUnseen(body);
    if (hidden !== undefined)
      this.fields.problem(here, t('The text contains characters that cannot be seen: {0}. Look at it before you use the command.', hidden));
  }
}

function bodyProblem(body: string, syntax: Pick<CommandFile, 'dialect' | 'argumentNames' | 'firstArgument'>): string | undefined {
  if (body.trim() === '') return t('The command has no text.');
  if (body.length > MAX_BODY) return t('The text of the command has more than {0} characters.', formatNumber(MAX_BODY));
  if (syntax.dialect === 'claude' && hasTooManyCommands(body)) return t('The text of the command has too many command lines.');
  return templateParts(body, syntax).length === 0 ? t('The command has no text.') : undefined;
}

function skipped(
  source: CommandSource & { readonly name?: string },
  { why, line, problems }: { readonly why: string; readonly line: number | undefined; readonly problems: readonly ConfigProblem[] },
): CommandReading {
  const { origin, name = nameOfCommand(source.path) } = source;
  const place = line === undefined ? {} : { line };
  const isListed = problems.some(({ message, harmless }) => message === why && harmless !== true);
  return {
    skipped: { origin: { ...origin, ...place }, name, why },
    problems: isListed ? problems : [{ file: origin.file, key: '', ...place, message: why }, ...problems],
  };
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

function hintOf(names: readonly string[], body: string): string {
  return [...names, ...inputsIn(body).map(({ name }) => name)].map((name) => `[${name}]`).join(' ');
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
