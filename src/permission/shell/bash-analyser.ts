import type { CommandAnalyser, CommandAnalysis, CommandPlace } from '../../domain/tool/command-analysis.js';
import { t } from '../../domain/l10n.js';
import { Findings } from './findings.js';
import type { GrammarFiles, ParseLine } from './grammar/grammar.js';
import { loadGrammar } from './grammar/grammar.js';
import { judgeText, startAnalysis } from './judge-text.js';
import { UnreadableError } from './unreadable.js';

/** Loads the grammar and makes the analyzer. @throws Error when a file cannot be read or is not what it should be. */
export async function createBashAnalyser(files: GrammarFiles): Promise<CommandAnalyser> {
  const parse = await loadGrammar(files);
  // The first line takes longer than all others.
  parse('ls');
  return { shell: 'bash', analyse: (command, place) => analyse(parse, command, place) };
}

/** What is run by a shell that is not known: nothing of it is judged. */
export function unreadableShell(): CommandAnalyser {
  const unreadableLine = t('Commands of this shell cannot be analyzed.');
  return { shell: 'other', analyse: () => ({ commands: [], files: [], unreadable: unreadableLine }) };
}

function analyse(parse: ParseLine, command: string, place: CommandPlace): CommandAnalysis {
  const findings = new Findings();
  try {
    judgeText(command, startAnalysis(parse, command, place), findings, { folders: [place.cwd], doubts: [] });
    return { commands: findings.commands, files: findings.files };
  } catch (error) {
    // Whatever goes wrong, the line is not let pass. What was found so far is kept, so that it can be denied.
    const why = error instanceof UnreadableError ? error.message : t('The analysis failed.');
    return { commands: findings.commands, files: findings.files, unreadable: why };
  }
}
