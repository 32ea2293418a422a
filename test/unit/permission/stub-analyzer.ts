import { posix } from 'node:path';
import type { CommandAnalyzer, CommandAnalysis, CommandPlace, FileUse, SimpleCommand } from '../../../src/domain/tool/command-analysis.js';

const READERS = new Set(['ls', 'cat', 'echo', 'grep', 'cd', 'head', 'pwd']);
const READ_FILES = new Set(['cat', 'grep', 'ls', 'cd', 'head']);
const WRITE_FILES = new Set(['touch', 'rm', 'mkdir', 'cp']);

/**
 * Knows as much of the shell as these tests need: separators, `$` words, redirections and a few programs. A line with a
 * quote is unreadable to it.
 */
export const stubAnalyzer: CommandAnalyzer = {
  shell: 'bash',
  analyze(command, place): CommandAnalysis {
    if (/['"]/.test(command)) return { commands: [], files: [], unreadable: 'A quote is not closed.' };
    const pieces = command
      .split(/&&|\|\||[;|\n]|(?<!>)&(?!>)/)
      .map((piece) => piece.trim())
      .filter((piece) => piece !== '');
    return { commands: pieces.map((piece) => simple(piece, place)), files: pieces.flatMap((piece) => filesOf(piece, place)) };
  },
};

/** An analyzer of a shell that it cannot read. */
export const otherShell: CommandAnalyzer = { shell: 'other', analyze: () => ({ commands: [], files: [], unreadable: 'This shell cannot be read.' }) };

function simple(source: string, { cwd }: CommandPlace): SimpleCommand {
  const words = wordsOf(source).map((word) => (word.startsWith('$') ? undefined : word));
  const doubts = /^\w+=/.test(source) ? ['It sets a variable first.'] : source.includes('-exec') ? ['-exec runs a program.'] : [];
  return { source, words, folders: [cwd], readsOnly: words[0] !== undefined && READERS.has(words[0]), doubts };
}

function wordsOf(source: string): readonly string[] {
  return source
    .replace(/\d?>{1,2}\s*\S+/g, '')
    .split(/\s+/)
    .filter((word) => word !== '');
}

function filesOf(source: string, { cwd, home }: CommandPlace): readonly FileUse[] {
  const [name = '', ...rest] = wordsOf(source);
  const path = (word: string): string => posix.resolve(cwd, word.replace(/^~(?=\/|$)/, home).replace('$PWD', cwd));
  const operands = rest.filter((word) => !word.startsWith('-') && (!word.startsWith('$') || word.startsWith('$PWD')));
  const written = [...source.matchAll(/>{1,2}\s*([^&\s]\S*)/g)].flatMap(([, word = '']) => (word === '/dev/null' ? [] : [word]));
  return [
    ...(READ_FILES.has(name) ? operands.slice(name === 'grep' ? 1 : 0).map((word): FileUse => ({ kind: 'read', path: path(word), by: 'operand' })) : []),
    ...(WRITE_FILES.has(name) ? operands.map((word): FileUse => ({ kind: 'write', path: path(word), by: 'operand' })) : []),
    ...written.map((word): FileUse => ({ kind: 'write', path: path(word), by: 'redirection' })),
  ];
}
