import { fileURLToPath } from 'node:url';
import { ToolInputError } from '../../domain/errors.js';

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

/** Names that Windows gives to devices, in every folder and with every extension. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;

/**
 * Why a path cannot be used on Windows: it is another spelling of the same file, which would bypass rules about names,
 * or opening it would reach a device or another machine.
 * @returns `undefined` for an ordinary path.
 */
export function windowsPathProblem(path: string): string | undefined {
  if (/^[\\/]{2}|^[\\/]\?\?[\\/]/.test(path)) return 'paths of devices and network shares are not allowed';
  const rest = path.replace(/^[A-Za-z]:(?=[\\/])/, '');
  if (rest.includes(':')) return 'a colon names a stream or a drive without its root';
  for (const name of rest.split(/[\\/]/)) {
    if (DEVICE.test(name)) return `${name} is the name of a device`;
    if (name !== '.' && name !== '..' && /[. ]$/.test(name)) return 'a name ends with a dot or a space, which Windows drops';
    if (/~\d/.test(name)) return 'a short name (8.3) stands for another name; give the long one';
  }
  return undefined;
}
