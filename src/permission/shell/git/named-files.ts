import type { FileUse } from '../../../domain/tool/command-analysis.js';
import { readsConfig } from '../hazards/git.js';
import { type Word, literal } from '../words/word.js';
import { filesOfOperands, filesOfOptions, wordsWithoutTexts } from './file-options.js';
import { subcommandAt } from './subcommand.js';

/** Commands of Git whose operands are files of the repository that it takes over, to be shown later. */
const TAKES: ReadonlySet<string> = new Set(['add', 'stage', 'commit', 'update-index', 'stash']);
/** A path that can lead out of the folder in which Git runs. */
const LEADS_OUT = /^(?:\/|\.\.(?:\/|$)|[^:].*\/\.\.(?:\/|$))/;

/** The files that the arguments of git name and that it opens itself: those of options, and operands where it expects files anywhere. */
export function filesOfGit(words: readonly Word[]): readonly FileUse[] {
  const at = subcommandAt(words);
  const command = literal(words[at]) ?? '';
  const rest = words.slice(at + 1);
  const settings = command === 'config' && !readsConfig(rest);
  const named = [...filesOfOptions(command, rest), ...filesOfOperands(command, rest)];
  const taken = TAKES.has(command) ? wordsWithoutTexts(command, rest).flatMap(({ text = '' }) => (LEADS_OUT.test(text) ? [{ kind: 'read' as const, path: text }] : [])) : [];
  const written = settings ? [{ kind: 'write' as const, path: '.git/config' }, ...named.map(({ path }) => ({ kind: 'write' as const, path }))] : [];
  return [...named, ...taken, ...written].map((file) => ({ ...file, by: 'operand' as const }));
}
