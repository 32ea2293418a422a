import type { CommandAnalyzer, CommandAnalysis, CommandPlace } from '../../domain/tool/command-analysis.js';
import { t } from '../../domain/l10n.js';
import { Findings } from './findings.js';
import { type GrammarFiles, type ParseLine, loadGrammar } from './grammar/grammar.js';
import { UnreadableError, unreadable } from './doubts.js';
import { type Context, type Scope, deadlineFor } from './context.js';
import { type Flow, after } from './folders.js';
import { Source } from './grammar/source.js';
import { AssignedNames } from './words/assigned-names.js';
import { judgeSequence, judgeStatement } from './statements/statements.js';

/** Loads the grammar and makes the analyzer. @throws Error when a file cannot be read or is not what it should be. */
export async function createBashAnalyzer(files: GrammarFiles): Promise<CommandAnalyzer> {
  const parse = await loadGrammar(files);
  // The first line takes longer than all others.
  parse('ls');
  return { shell: 'bash', analyze: (command, place) => analyze(parse, command, place) };
}

/** Analyzer for an unknown shell: nothing can be judged. */
export function unreadableShell(): CommandAnalyzer {
  const unreadableLine = t('Commands of this shell cannot be analyzed.');
  return { shell: 'other', analyze: () => ({ commands: [], files: [], unreadable: unreadableLine }) };
}

function analyze(parse: ParseLine, command: string, place: CommandPlace): CommandAnalysis {
  const findings = new Findings(place.cwd);
  try {
    judgeText(command, startAnalysis(parse, command, place), findings, { folders: [place.cwd], doubts: [], assigned: new AssignedNames(command) });
    return { commands: findings.commands, files: findings.files };
  } catch (error) {
    // Whatever goes wrong, the line is not let pass. What was found so far is kept, so that it can be denied.
    const why = error instanceof UnreadableError ? error.message : t('The analysis failed.');
    return { commands: findings.commands, files: findings.files, unreadable: why };
  }
}

/** The longest text that is parsed, in UTF-16 units. */
const MAX_LENGTH = 100_000;
/** The longest text that is tried line by line, and the most lines that are tried. */
const MAX_LENGTH_BY_LINES = 20_000;
const MAX_TRIES = 60;
/** Maximum nesting of scripts given to a shell (`sh -c`). */
const MAX_SCRIPTS = 3;

/** Shared state of the analysis of a line and the texts in it. */
interface Analysis {
  readonly parse: ParseLine;
  readonly place: CommandPlace;
  /** Nesting depth of the text. */
  readonly depth: number;
  /** When, by the clock of `performance`, nothing more is tried. */
  readonly deadline: number;
}

/** Begins the analysis of a line. */
function startAnalysis(parse: ParseLine, command: string, place: CommandPlace): Analysis {
  return { parse, place, depth: 0, deadline: deadlineFor(command) };
}

/**
 * Judges a text. Where it cannot be read as a whole, it is read as the shell does: from the beginning, each time as many
 * lines as make a complete command. The grammar is better at that.
 * @param findings gets what is found, also when the text proves to be unreadable.
 * @throws UnreadableError when it is.
 */
function judgeText(text: string, analysis: Analysis, findings: Findings, scope: Scope): void {
  assertSound(text);
  const canBeCut = text.length <= MAX_LENGTH_BY_LINES && text.trim().includes('\n');
  if (tryPiece(text, { analysis, findings, scope, isLast: !canBeCut }) === undefined) judgeByLines(text, analysis, findings, scope);
}

function assertSound(text: string): void {
  if (text.length > MAX_LENGTH) unreadable(t('It is too long to analyze.'));
  if (text.includes('\0')) unreadable(t('It contains a null character.'));
  if (/\p{Cs}/u.test(text)) unreadable(t('It contains an incomplete Unicode character (unpaired surrogate).'));
}

/** @throws UnreadableError when the rest has no beginning that is complete. */
function judgeByLines(text: string, analysis: Analysis, findings: Findings, scope: Scope): void {
  const lines = text.split('\n');
  let { folders } = scope;
  let first = 0;
  for (let last = 1, tries = 1; first < lines.length; last++, tries++) {
    if (tries > MAX_TRIES || performance.now() > analysis.deadline) unreadable(t('Analyzing it takes too long.'));
    const piece = lines.slice(first, last).join('\n');
    const flow = tryPiece(piece, { analysis, findings, scope: { ...scope, folders }, isLast: last >= lines.length });
    if (flow === undefined) continue;
    folders = after(flow);
    first = last;
  }
}

interface Try {
  readonly analysis: Analysis;
  readonly findings: Findings;
  readonly scope: Scope;
  /** Whether there is no other way to read the text: then what is found counts, even if it is not all. */
  readonly isLast: boolean;
}

/** Judges a piece of a text. `undefined` when it is not readable alone. */
function tryPiece(piece: string, { analysis, findings, scope, isLast }: Try): Flow | undefined {
  const found = new Findings(analysis.place.cwd);
  try {
    const flow = judgePiece(piece, analysis, found, scope);
    findings.add(found);
    return flow;
  } catch (error) {
    if (!isLast && error instanceof UnreadableError) return undefined;
    findings.add(found);
    throw error;
  }
}

function judgePiece(text: string, analysis: Analysis, findings: Findings, scope: Scope): Flow {
  const { parse, place, depth } = analysis;
  const source = new Source(parse(text), text);
  const context: Context = {
    ...{ source, findings, home: place.home },
    statement: (node, inner, end) => judgeStatement(node, inner, end, context),
    sequence: (nodes, inner, range) => judgeSequence(nodes, inner, range, context),
    script: (script, inner) => {
      if (depth >= MAX_SCRIPTS) unreadable(t('It is too deeply nested to analyze.'));
      // Another shell does not know the variables of this one, unless they were handed on.
      judgeText(script, { ...analysis, depth: depth + 1 }, findings, { ...inner, assigned: new AssignedNames(script, inner.assigned), values: new Map() });
    },
  };
  if (source.root.type !== 'program') unreadable();
  const flow = context.sequence(source.root.children, scope, { start: 0, end: text.length });
  source.assertAllTaken();
  return flow;
}
