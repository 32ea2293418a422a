/**
 * The command line of `npm start`, and what runs in the VS Code that it opens.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '');

/** The folders of Gnomon and of a small extension that shows its view once VS Code has started. */
export const EXTENSIONS = { extension: ROOT, others: [join(ROOT, 'scripts', 'open-view')] };

/** What `--help` prints. */
export const USAGE = `Usage: npm start -- [OPTION …]

Builds Gnomon and opens it in VS Code on a copy of the sample workspace: in desktop VS Code where there is one, else in
a VS Code server for the browser, on this machine only.

  --workspace DIR  open this folder instead of the sample workspace
  --reset          make the copy of the sample workspace afresh
  --port N         the server's port
  --browser        use the server and the browser even where there is desktop VS Code
  --help           print this

A model is used when ANTHROPIC_API_KEY (and ANTHROPIC_BASE_URL, if it is not the usual one) is set in the environment.
Without a key Gnomon starts with its offline demonstration.`;

/**
 * @typedef {object} LaunchOptions
 * @property {boolean} help
 * @property {boolean} reset
 * @property {boolean} browser
 * @property {number | undefined} port
 * @property {string | undefined} workspace an absolute path
 */

/** Thrown when the command line makes no sense. */
export class UsageError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'UsageError';
  }
}

/**
 * Reads the command line.
 * @param {readonly string[]} args without the program and the script
 * @returns {LaunchOptions}
 * @throws {UsageError} for an unknown option, a port that is none, or a folder that does not exist
 */
export function readOptions(args) {
  const { help = false, reset = false, browser = false, port, workspace } = parse(args);
  if (reset && workspace !== undefined) throw new UsageError('--reset is about the sample workspace, --workspace names another.');
  if (workspace !== undefined && !existsSync(workspace)) throw new UsageError(`There is no folder ${workspace}.`);
  return {
    ...{ help, reset, browser },
    port: port === undefined ? undefined : readPort(port),
    workspace: workspace === undefined ? undefined : resolve(workspace),
  };
}

/** @param {readonly string[]} args */
function parse(args) {
  try {
    const options = /** @type {const} */ ({
      help: { type: 'boolean' },
      reset: { type: 'boolean' },
      browser: { type: 'boolean' },
      port: { type: 'string' },
      workspace: { type: 'string' },
    });
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * @param {string} text
 * @returns {number}
 */
function readPort(text) {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) throw new UsageError(`"${text}" is no port; 1 to 65535 are.`);
  return port;
}
