import { fileURLToPath } from 'node:url';
import { ToolInputError } from '../../domain/errors.js';
import { windowsPathProblem } from './windows-paths.js';

/**
 * A path as a model writes it, as one that the system takes: `file:` URLs and `~` are resolved, nothing else is
 * expanded.
 * @throws ToolInputError for what cannot be, or could be misread as, a path on this machine.
 */
export function pathFromInput(input: string, home: string): string {
  if (input.trim() === '') throw new ToolInputError('The path is empty.');
  if (input.includes('\0')) throw new ToolInputError('The path holds a NUL character, which no file name can.');
  const path = withHome(fromUrl(input), home);
  if (/^(\$\{?\w+\}?|%\w+%)([\\/]|$)/.test(path)) {
    throw new ToolInputError(`Variables in paths are not expanded. Give the path itself, or ./${input} for a name like that.`);
  }
  const problem = process.platform === 'win32' ? windowsPathProblem(path) : undefined;
  if (problem !== undefined) throw new ToolInputError(`The path ${input} cannot be used: ${problem}.`);
  return path;
}

function withHome(path: string, home: string): string {
  return path === '~' || /^~[\\/]/.test(path) ? home + path.slice(1) : path;
}

function fromUrl(input: string): string {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(input)?.[1]?.toLowerCase();
  if (scheme === undefined) return input;
  if (scheme !== 'file') throw new ToolInputError(`${input} is not a file on this machine (${scheme}:), which is all that tools work on.`);
  try {
    return fileURLToPath(input);
  } catch (error) {
    if (error instanceof TypeError) throw new ToolInputError(`${input} does not name a file on this machine.`);
    throw error;
  }
}
