import { ToolInputError } from '../../domain/errors.js';
import type { GrepFilter } from '../../domain/workspace/search.js';
import type { Glob } from './glob-match.js';

/** Hidden files count, ignore files hold with or without git, and git's own folder is left out. */
const SCOPE = ['--no-messages', '--hidden', '--no-require-git', '--glob=!.git'];
/** Longest pattern, in characters; systems limit the arguments of a program. */
const MAX_PATTERN = 20_000;

/** The arguments for a search of lines, but for how to show them; ends with the path. */
export function grepArguments(query: GrepFilter, filter: Glob | undefined): readonly string[] {
  return [...SCOPE, '--crlf', ...switches(query), ...fileTypes(query, filter), `--regexp=${checkedPattern(query.pattern)}`, '--', query.path];
}

/** The arguments for a list of files, newest first; ends with the path. */
export function filesArguments(path: string, filter: Glob): readonly string[] {
  return ['--files', '--null', '--sortr=modified', ...SCOPE, ...nameFilter(filter), '--', path];
}

function switches({ literal, ignoreCase, word, multiline, ignored }: GrepFilter): readonly string[] {
  return [
    ...(literal ? ['--fixed-strings'] : []),
    ...(ignoreCase ? ['--ignore-case'] : []),
    ...(word ? ['--word-regexp'] : []),
    ...(multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(ignored ? ['--no-ignore'] : []),
  ];
}

/** A type given by the query excludes one of our own: ripgrep takes files of either. */
function fileTypes({ type }: GrepFilter, filter: Glob | undefined): readonly string[] {
  if (type === undefined) return filter === undefined ? [] : nameFilter(filter);
  if (!/^[\w-]+$/.test(type)) throw new ToolInputError(`“${type}” is no type of files. ripgrep knows such as ts, py, rust, md.`);
  return [`--type=${type}`];
}

/** The file names of a glob as a file type: unlike `--glob`, that brings no ignored file back. The rest is for us. */
function nameFilter({ names }: Glob): readonly string[] {
  if (names === undefined) return [];
  return [...names.map((name) => `--type-add=wanted:${name}`), '--type=wanted'];
}

function checkedPattern(pattern: string): string {
  if (pattern.length > MAX_PATTERN) throw new ToolInputError(`The pattern is longer than ${MAX_PATTERN} characters.`);
  if (pattern.includes('\0')) throw new ToolInputError('The pattern holds a NUL. Write \\x00 for that character.');
  return pattern;
}
