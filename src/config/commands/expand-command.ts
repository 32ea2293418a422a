import type { CommandFile } from '../../domain/config/skill.js';
import { formatNumber, t } from '../../domain/l10n.js';
import type { ScriptPart, ScriptedText } from '../../domain/session/scripted-text.js';
import { ArgumentQuoting, argumentWords, type CommandShell } from './argument-words.js';
import { inputsIn, type TemplateInput, type TemplatePart, type TemplatePiece, templateParts } from './command-template.js';

/** Values that a command is expanded with. */
export interface CommandValues {
  /** Argument text, trimmed. */
  readonly argument: string;
  /** Values by the names of its {@link inputsOf inputs}. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The values of variables such as `CLAUDE_PROJECT_DIR`. */
  readonly variables: Readonly<Record<string, string>>;
  readonly shell: CommandShell;
}

/** A command with everything in it but what its command lines print. */
export interface ExpandedCommand {
  readonly script: ScriptedText;
  /** Text that is searched for mentions: that of the author. Arguments are included only as the complete path after an `@`. */
  readonly mentioning: string;
}

/** Characters of an expanded text. */
const MAX_TEXT = 400_000;
/** Arguments that may be the path after an `@` of the author. */
const PLAIN_PATH = /^[\p{L}\p{N}_./-]+$/u;
/** The end of a text where a mention has begun. */
const OPEN_MENTION = /(?:^|\s)@[^\s"'`]{0,500}$/;

/** Inputs that the user fills in before a command is run: those of a VS Code prompt that the typed arguments do not fill. */
export function inputsOf({ dialect, body }: CommandFile): readonly TemplateInput[] {
  return dialect === 'vscode' ? inputsIn(body) : [];
}

/** Assigns typed arguments to inputs: in order, the last one takes the rest. */
export function typedInputs(command: CommandFile, argument: string): Readonly<Record<string, string>> {
  const inputs = inputsOf(command);
  const words = argumentWords(argument);
  return Object.fromEntries(
    inputs.slice(0, words.length).map(({ name }, index) => [name, index === inputs.length - 1 ? words.slice(index).join(' ') : (words[index] ?? '')]),
  );
}

/**
 * Puts arguments into the text of a command, in one pass: nothing in an argument is a place, a command line or a mention.
 * Without a place for them, they follow the text, as in Claude Code and VS Code.
 * @throws Error with a sentence for the user
 */
export function expandCommand(command: CommandFile, values: CommandValues): ExpandedCommand {
  const parts = templateParts(command.body.trim(), command);
  const expansion = new Expansion(values);
  const script = parts.map((part) => expansion.part(part));
  const takesArguments = parts.some(({ pieces }) => pieces.some(({ type }) => type === 'all' || type === 'argument' || type === 'input'));
  if (!takesArguments && values.argument !== '') {
    const before = command.dialect === 'claude' ? 'ARGUMENTS: ' : '';
    script.push({ type: 'text', text: `\n\n${before}${values.argument}` });
  }
  const length = script.reduce((sum, part) => sum + (part.type === 'text' ? part.text : part.command).length, 0);
  if (length > MAX_TEXT) throw new Error(t('The command has more than {0} characters with its arguments.', formatNumber(MAX_TEXT)));
  return {
    script: script.filter((part) => part.type === 'command' || part.text !== ''),
    mentioning: command.dialect === 'vscode' ? expansion.mentioning.replace(/(^|\s)#file:/g, '$1@') : expansion.mentioning,
  };
}

/** Fills one text. */
class Expansion {
  mentioning = '';
  private readonly words: readonly string[];

  constructor(private readonly values: CommandValues) {
    this.words = argumentWords(values.argument);
  }

  part({ type, pieces }: TemplatePart): ScriptPart {
    if (type === 'text') return { type, text: pieces.map((piece) => this.textOf(piece)).join('') };
    this.mentioning += ' ';
    const line = new ArgumentQuoting(this.values.shell);
    for (const piece of pieces) {
      if (piece.type === 'literal') line.write(piece.text);
      else if (piece.type === 'all') line.add(this.words, this.values.argument);
      else line.add([this.valueOf(piece)].filter((value) => value !== ''));
    }
    return { type, command: line.command };
  }

  private textOf(piece: TemplatePiece): string {
    const value = piece.type === 'literal' ? piece.text : this.valueOf(piece);
    const isMention = piece.type !== 'literal' && PLAIN_PATH.test(value) && OPEN_MENTION.test(this.mentioning.slice(-600));
    this.mentioning += piece.type === 'literal' || isMention ? value : ' ';
    return value;
  }

  private valueOf(piece: Exclude<TemplatePiece, { type: 'literal' }>): string {
    switch (piece.type) {
      case 'all':
        return this.values.argument;
      case 'argument':
        return this.words[piece.index] ?? '';
      default:
        return (piece.type === 'input' ? this.values.inputs : this.values.variables)[piece.name] ?? '';
    }
  }
}
