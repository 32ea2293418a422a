import type { CommandAnalyser, CommandAnalysis, CommandPlace } from '../../domain/command-analysis.js';
import type { Context, Scope } from './context.js';
import { Findings } from './findings.js';
import type { GrammarFiles, ParseLine } from './grammar.js';
import { loadGrammar } from './grammar.js';
import { Source } from './source.js';
import { judgeSequence, judgeStatement } from './statements.js';
import { unreadable, UnreadableError } from './unreadable.js';

/** The longest line that is parsed, in UTF-16 units. */
const MAX_LENGTH = 100_000;
/** How often a text given to a shell may hold another such text. */
const MAX_SCRIPTS = 3;

/** Loads the grammar and makes the analyser. @throws Error when a file cannot be read or is not what it should be. */
export async function createBashAnalyser(files: GrammarFiles): Promise<CommandAnalyser> {
  const parse = await loadGrammar(files);
  // The first line takes longer than all others.
  parse('ls');
  return { shell: 'bash', analyse: (command, place) => analyse(parse, command, place) };
}

/** What is run by a shell that is not known: nothing of it is judged. */
export function unreadableShell(): CommandAnalyser {
  const unreadableLine = 'Commands of this shell cannot be judged.';
  return { shell: 'other', analyse: () => ({ commands: [], files: [], unreadable: unreadableLine }) };
}

function analyse(parse: ParseLine, command: string, place: CommandPlace): CommandAnalysis {
  const findings = new Findings();
  try {
    judgeText(command, { parse, findings, place, depth: 0 }, { folders: [place.cwd], doubts: [] });
    return { commands: findings.commands, files: findings.files };
  } catch (error) {
    // Whatever goes wrong, the line is not let pass. What was found so far is kept, so that it can be denied.
    const why = error instanceof UnreadableError ? error.message : 'It could not be judged.';
    return { commands: findings.commands, files: findings.files, unreadable: why };
  }
}

/** What stays the same for a line and the texts in it. */
interface Analysis {
  readonly parse: ParseLine;
  readonly findings: Findings;
  readonly place: CommandPlace;
  readonly depth: number;
}

function judgeText(text: string, analysis: Analysis, scope: Scope): void {
  const { parse, findings, place, depth } = analysis;
  assertSound(text);
  const source = new Source(parse(text), text);
  const context: Context = {
    ...{ source, findings, home: place.home, start: place.cwd },
    statement: (node, inner, end) => judgeStatement(node, inner, end, context),
    sequence: (nodes, inner, range) => judgeSequence(nodes, inner, range, context),
    script: (script, inner) => {
      if (depth >= MAX_SCRIPTS) unreadable('It is nested too deeply to be judged.');
      judgeText(script, { ...analysis, depth: depth + 1 }, inner);
    },
  };
  const { root } = source;
  if (root.type !== 'program') unreadable();
  context.sequence(root.children, scope, { start: 0, end: text.length });
  source.assertAllTaken();
}

function assertSound(text: string): void {
  if (text.length > MAX_LENGTH) unreadable('It is too long to be judged.');
  if (text.includes('\0')) unreadable('It holds a null character.');
  if (/\p{Cs}/u.test(text)) unreadable('It holds half of a character.');
}
