import type { SimpleCommand } from '../../../domain/tool/command-analysis.js';
import { type Word, baseName, literal } from '../words/word.js';
import { remotesOf } from './remotes.js';
import { storedViews } from './stored-views.js';
import { subcommandAt } from './subcommand.js';

/** Facts about a Git command that depend on the repository: what it shows of stored files, and which repositories it talks to. */
export function gitFacts([program, ...words]: readonly Word[]): Pick<SimpleCommand, 'stored' | 'remotes'> {
  if (baseName(literal(program) ?? '') !== 'git') return {};
  const at = subcommandAt(words);
  const stored = storedViews(words, at);
  const { names } = remotesOf(literal(words[at]) ?? '', words.slice(at + 1));
  return { ...(stored.length === 0 ? {} : { stored }), ...(names.length === 0 ? {} : { remotes: names }) };
}
