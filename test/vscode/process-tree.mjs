/**
 * A process with everything it started, on Linux.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { waitFor } from './wait.mjs';

/** @typedef {{ pid: number, parent: number, group: number, started: string }} ProcessEntry */

/**
 * Ends a process and all its descendants: first politely by SIGTERM to the root alone, so that it can put its own
 * children in order, then by SIGKILL to whatever is left.
 * @param {number} root the process
 * @param {{ politeMs: number }} options how long the polite way may take, in milliseconds
 * @returns {Promise<void>} settles when none of them is left
 */
export async function endTree(root, { politeMs }) {
  const watch = new TreeWatch(root);
  send(root, 'SIGTERM');
  const gone = () => watch.alive().length === 0;
  await waitFor(gone, { what: 'an orderly end', timeoutMs: politeMs }).catch(() => watch.kill());
  await waitFor(gone, { what: `the end of process ${root} and its children`, timeoutMs: 30_000 });
}

/**
 * Ends a process and all its descendants at once by SIGKILL, as a power failure would.
 * @param {number} root the process
 */
export function killTree(root) {
  new TreeWatch(root).kill();
}

/**
 * Waits until no descendant of a process has a text in its command line.
 * @param {number} root the process
 * @param {string} text
 * @returns {Promise<void>}
 */
export async function untilNoneBelow(root, text) {
  const watch = new TreeWatch(root);
  const gone = () => watch.alive().every((pid) => !commandLine(pid).includes(text));
  await waitFor(gone, { what: `the end of every ${text} of process ${root}`, timeoutMs: 30_000 });
}

/**
 * @param {number} pid
 * @returns {string} its arguments; empty when it has ended
 */
function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // It ended between the listing and the reading.
  }
}

/**
 * Remembers the members of a tree, so that those whose parent has died are still known.
 */
class TreeWatch {
  /** @type {Map<number, ProcessEntry>} */
  #members = new Map();
  #root;

  /** @param {number} root also the id of its process group */
  constructor(root) {
    this.#root = root;
  }

  /**
   * @returns {number[]} the ids of the members that are still running, newcomers included
   */
  alive() {
    const table = processTable();
    const known = [...this.#members.values()].filter(({ pid, started }) => table.get(pid)?.started === started);
    this.#members = new Map(known.map((entry) => [entry.pid, entry]));
    let size = -1;
    while (size !== this.#members.size) {
      size = this.#members.size;
      for (const entry of table.values()) if (this.#belongs(entry)) this.#members.set(entry.pid, entry);
    }
    return [...this.#members.keys()];
  }

  /** Kills every member. */
  kill() {
    for (const pid of this.alive()) send(pid, 'SIGKILL');
  }

  /**
   * @param {ProcessEntry} entry
   * @returns {boolean} whether it is the root, of its group, or a child of a member
   */
  #belongs({ pid, parent, group }) {
    return pid === this.#root || group === this.#root || this.#members.has(parent);
  }
}

/**
 * @returns {Map<number, ProcessEntry>} all processes but those that have ended and only wait to be collected
 */
function processTable() {
  /** @type {Map<number, ProcessEntry>} */
  const table = new Map();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const entry = processEntry(Number(name));
    if (entry !== undefined) table.set(entry.pid, entry);
  }
  return table;
}

/**
 * @param {number} pid
 * @returns {ProcessEntry | undefined} undefined when it has ended
 */
function processEntry(pid) {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined; // It ended between the listing and the reading.
  }
  // The name in parentheses may hold anything: what follows it is fixed.
  const [state, parent, group, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z') return undefined;
  return { pid, parent: Number(parent), group: Number(group), started: rest[16] ?? '' };
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}
