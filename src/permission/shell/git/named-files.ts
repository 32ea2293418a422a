import type { FileUse } from '../../../domain/tool/command-analysis.js';
import { readsConfig } from '../hazards/git.js';
import { type Word, literal } from '../words/word.js';
import { filesOfOperands, filesOfOptions, wordsWithoutTexts } from './file-options.js';
import { readPathspec } from './pathspec.js';
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
  const written = settings ? [{ kind: 'write' as const, path: '.git/config' }, ...named.map(({ path }) => ({ kind: 'write' as const, path }))] : [];
  return [
    ...[...named, ...written].map((file) => ({ ...file, by: 'operand' as const })),
    ...(TAKES.has(command) ? wordsWithoutTexts(command, rest).flatMap(takenBy) : []),
  ];
}

/** What Git takes over. One that leads elsewhere is a file that it opens; in its folder, it may be a folder, of which nobody asks. */
function takenBy({ text = '', glob }: Word): readonly FileUse[] {
  const { excludes, wide } = readPathspec(text);
  if (text === '' || text.startsWith('-') || glob >= 0 || excludes || wide) return [];
  return [{ kind: 'read', path: text, ...(LEADS_OUT.test(text) ? { by: 'operand' } : { by: 'word', opens: true }) }];
}
