/** A place in the text of a command. */
export type TemplatePiece =
  | { readonly type: 'literal'; readonly text: string }
  /** All arguments, as they were typed. */
  | { readonly type: 'all' }
  /** The argument of an index from 0 on. */
  | { readonly type: 'argument'; readonly index: number }
  /** A value that Gnomon knows, or that the user fills in. */
  | { readonly type: 'variable' | 'input'; readonly name: string };

/** A part of a command: a text, or a command line that is run. */
export interface TemplatePart {
  readonly type: 'text' | 'command';
  readonly pieces: readonly TemplatePiece[];
}

/** A blank that the user fills in. */
export interface TemplateInput {
  readonly name: string;
  /** Hint about the value. */
  readonly hint?: string;
}

/** Syntax of a text, with its parameters. */
export interface TemplateSyntax {
  readonly dialect: 'claude' | 'vscode' | 'plain';
  readonly argumentNames: readonly string[];
  /** The index of the first argument in `$N`. */
  readonly firstArgument: 0 | 1;
}

/** Command lines in one text, and blanks to fill in. */
const MAX_COMMANDS = 20;
const MAX_INPUTS = 20;
/** Values that commands of Claude Code, and prompts of VS Code, can name. */
export const VARIABLES: Readonly<Record<TemplateSyntax['dialect'], readonly string[]>> = {
  claude: ['CLAUDE_PROJECT_DIR', 'CLAUDE_SESSION_ID'],
  vscode: ['workspaceFolder', 'workspaceFolderBasename'],
  plain: [],
};
/** Places of Claude Code, from code.claude.com/docs/en/slash-commands: in front of one, a backslash makes it text, and so does a dollar sign. */
const CLAUDE_PLACE = /(\$\$)|(\\?)(?:\$ARGUMENTS\[(\d{1,3})\]|\$(\d{1,2})(?!\d)|\$([A-Za-z_]\w*)|\$\{([A-Z_]{1,40})\})/g;
/** Places of VS Code, from code.visualstudio.com/docs/copilot/customization/prompt-files: `${input:name}`, `${input:name:hint}` and others. */
const VSCODE_PLACE = /\$\{(?:input:([^:}\n]{1,100})(?::([^}\n]{0,500}))?|([A-Za-z]{1,40}))\}/g;
/** A command line in a text: at the start of a line, or behind a white space. */
const COMMAND = /(?<=^|\s)!`([^`\n]+)`/gm;

/** The parts of a text, in their order. Takes time in proportion to the length of the text. @throws Error when there are too many command lines */
export function templateParts(body: string, syntax: TemplateSyntax): readonly TemplatePart[] {
  if (syntax.dialect === 'vscode') return [{ type: 'text', pieces: vscodePieces(body) }];
  if (syntax.dialect === 'plain') return body === '' ? [] : [{ type: 'text', pieces: [{ type: 'literal', text: body }] }];
  return splitCommands(body).map(({ type, text }) => ({ type, pieces: claudePieces(text, syntax) }));
}

/** The index of the first argument. Claude Code has counted both ways, so a text with `$0` counts from 0, and any other from 1. */
export function firstArgumentOf(body: string): 0 | 1 {
  return [...body.matchAll(CLAUDE_PLACE)].some(([, dollars, backslash, , number]) => dollars === undefined && backslash === '' && number === '0') ? 0 : 1;
}

/** The blanks of a text, each once. */
export function inputsIn(body: string): readonly TemplateInput[] {
  const inputs = new Map<string, TemplateInput>();
  for (const [, name, hint] of body.matchAll(VSCODE_PLACE)) {
    if (name === undefined || inputs.has(name.trim()) || inputs.size === MAX_INPUTS) continue;
    inputs.set(name.trim(), { name: name.trim(), ...(hint === undefined || hint.trim() === '' ? {} : { hint: hint.trim() }) });
  }
  return [...inputs.values()];
}

/** Names of variables in a text that have no value here, each once. */
export function unknownVariables(body: string, dialect: TemplateSyntax['dialect']): readonly string[] {
  if (dialect === 'plain') return [];
  const names = [...body.matchAll(dialect === 'vscode' ? VSCODE_PLACE : CLAUDE_PLACE)].flatMap((match) => match[dialect === 'vscode' ? 3 : 6] ?? []);
  return [...new Set(names)].filter((name) => (dialect === 'vscode' || name.startsWith('CLAUDE_')) && !VARIABLES[dialect].includes(name));
}

/** Whether more command lines are in a text than are run. */
export function hasTooManyCommands(body: string): boolean {
  return splitCommands(body).filter(({ type }) => type === 'command').length > MAX_COMMANDS;
}

function claudePieces(text: string, { argumentNames, firstArgument }: TemplateSyntax): readonly TemplatePiece[] {
  return piecesBetween(text, CLAUDE_PLACE, ([whole, dollars, backslash, fromZero, number, name, variable]) => {
    if (dollars !== undefined) return undefined;
    const piece = claudePiece({ fromZero, number, name, variable }, { argumentNames, firstArgument });
    if (piece === undefined || backslash === '') return piece;
    return { type: 'literal', text: whole.slice(1) };
  });
}

function claudePiece(
  place: Readonly<Record<'fromZero' | 'number' | 'name' | 'variable', string | undefined>>,
  { argumentNames, firstArgument }: Omit<TemplateSyntax, 'dialect'>,
): TemplatePiece | undefined {
  const { fromZero, number, name, variable } = place;
  if (fromZero !== undefined) return { type: 'argument', index: Number(fromZero) };
  if (number !== undefined) return { type: 'argument', index: Number(number) - firstArgument };
  if (name === 'ARGUMENTS') return { type: 'all' };
  if (name !== undefined && argumentNames.includes(name)) return { type: 'argument', index: argumentNames.indexOf(name) };
  return variable !== undefined && VARIABLES.claude.includes(variable) ? { type: 'variable', name: variable } : undefined;
}

function vscodePieces(text: string): readonly TemplatePiece[] {
  return piecesBetween(text, VSCODE_PLACE, ([, input, , variable]) => {
    if (input !== undefined) return { type: 'input', name: input.trim() };
    return variable !== undefined && VARIABLES.vscode.includes(variable) ? { type: 'variable', name: variable } : undefined;
  });
}

/** A text with pieces in the place of matches; those that are `undefined` stay text. */
function piecesBetween(text: string, places: RegExp, pieceOf: (match: RegExpExecArray) => TemplatePiece | undefined): readonly TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  let end = 0;
  for (const match of text.matchAll(places)) {
    const piece = pieceOf(match);
    if (piece === undefined) continue;
    if (match.index > end) pieces.push({ type: 'literal', text: text.slice(end, match.index) });
    pieces.push(piece);
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ type: 'literal', text: text.slice(end) });
  return pieces;
}

interface RawPart {
  readonly type: TemplatePart['type'];
  readonly text: string;
}

/** Finds the command lines: in backticks behind an exclamation mark, and blocks that begin with three backticks and an exclamation mark. */
function splitCommands(body: string): readonly RawPart[] {
  const parts: RawPart[] = [];
  let text: string[] = [];
  const flush = (): void => {
    parts.push(...inlineCommands(text.join('\n')));
    text = [];
  };
  const lines = body.split('\n');
  const ends = lines.flatMap((line, index) => (/^```[ \t]*$/.test(line) ? [index] : []));
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    while (ends[0] !== undefined && ends[0] <= index) ends.shift();
    const [end] = ends;
    if (end === undefined || !/^```![ \t]*$/.test(line)) {
      text.push(line);
      continue;
    }
    // The line feeds around the block stay text.
    text.push('');
    flush();
    parts.push({ type: 'command', text: lines.slice(index + 1, end).join('\n') });
    text.push('');
    index = end;
  }
  flush();
  return parts.filter(({ type, text: words }) => (type === 'text' ? words !== '' : words.trim() !== ''));
}

function inlineCommands(text: string): readonly RawPart[] {
  // Most texts have none, and are long.
  if (!text.includes('!`')) return [{ type: 'text', text }];
  const parts: RawPart[] = [];
  let end = 0;
  for (const match of text.matchAll(COMMAND)) {
    parts.push({ type: 'text', text: text.slice(end, match.index) }, { type: 'command', text: match[1] ?? '' });
    end = match.index + match[0].length;
  }
  return [...parts, { type: 'text', text: text.slice(end) }];
}
