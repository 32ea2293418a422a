import { join } from 'node:path';
import type { Script, ScriptedCall } from './models.js';
import type { Deed, SessionPlan, WorldPlan } from './plan.js';

/** A session with its number among those of its world. */
export interface NumberedPlan extends SessionPlan {
  readonly number: number;
}

/** Absolute paths of the two folders that are worked in, and of the one where commands note which processes they are. */
export interface Places {
  readonly folders: readonly [string, string];
  readonly processes: string;
}

/** What a call should do to a file, or which processes it should start. */
export interface Intent {
  readonly deed: Deed;
  /** Absolute path: of the file that is read or changed, or of the one with the ids of the processes. */
  readonly path: string;
  /** What is in the file behind a change, and in no other. */
  readonly mark: string;
}

/** What the calls of a session should do, by their ids. */
export type Intents = ReadonlyMap<string, Intent>;

/** The file that all sessions of a folder edit: a line of each. */
export const SHARED = 'shared.txt';
/** A name that only the environment of a session of that folder tells. */
export const onlyIn = (folder: number): string => `only-in-folder-${folder}.txt`;
/** What the instructions of a folder say. */
export const ruleOf = (folder: number): string => `The rule of folder ${folder} is to be brief.`;

/** The files of a folder before anything is done. */
export function filesOf(folder: number, { sessions }: WorldPlan): Readonly<Record<string, string>> {
  const lines = sessions.map((_, number) => `${lineOf(number)}\n`).join('');
  return { [SHARED]: lines, 'notes.txt': `Notes of folder ${folder}.\n`, [onlyIn(folder)]: '\n', 'AGENTS.md': `${ruleOf(folder)}\n` };
}

function lineOf(number: number): string {
  return `line ${number}:`;
}

/** What the model of a session says, and what its calls should do. */
export function scriptOf({ rounds, wire, folder, number }: NumberedPlan, places: Places): { readonly script: Script; readonly intents: Intents } {
  const canary = `canary${number}bird`;
  const intents = new Map<string, Intent>();
  const scripted = rounds.map((round, at) => ({
    ...round,
    calls: round.deeds.map((deed, place): ScriptedCall => {
      const id = `call_${canary}_${at}_${place}`;
      const intent = { deed, path: pathOf(deed, `${number}-${at}-${place}`, { folder, ...places }), mark: `mark-${number}-${at}-${place} ` };
      intents.set(id, intent);
      return { id, ...callOf(intent, number) };
    }),
  }));
  return { script: { canary, wire, rounds: scripted }, intents };
}

function pathOf(deed: Deed, name: string, { folder, folders, processes }: Places & { readonly folder: 0 | 1 }): string {
  const [own, other] = [folders[folder], folders[folder === 0 ? 1 : 0]];
  switch (deed) {
    case 'read':
      return join(own, 'notes.txt');
    case 'read far':
      return join(other, 'notes.txt');
    case 'write':
      return join(own, `made-${name}.txt`);
    case 'write far':
      return join(other, `made-${name}.txt`);
    case 'edit':
    case 'look':
      return join(own, SHARED);
    case 'run':
    case 'wait':
    case 'job':
      return join(processes, name);
  }
}

/** A command that notes its processes: itself, and one that it starts. */
function command({ path }: Intent, seconds: number): string {
  return `sleep ${seconds} & echo $$ $! > '${path}.part'; mv '${path}.part' '${path}'; wait`;
}

/** Milliseconds that a command is given which takes longer. */
const SHORT_MS = 150;

function callOf(intent: Intent, number: number): Pick<ScriptedCall, 'name' | 'args'> {
  const { deed, path, mark } = intent;
  switch (deed) {
    case 'read':
    case 'read far':
      return { name: 'read', args: { file_path: path } };
    case 'write':
    case 'write far':
      return { name: 'write', args: { file_path: path, content: `${mark}\n` } };
    case 'edit':
      return { name: 'edit', args: { file_path: path, edits: [{ old_string: lineOf(number), new_string: `${lineOf(number)} ${mark}` }] } };
    case 'look':
      return { name: 'bash', args: { command: `cat ${SHARED}` } };
    case 'run':
      return { name: 'bash', args: { command: command(intent, 0) } };
    case 'wait':
      return { name: 'bash', args: { command: command(intent, 300), timeout_ms: SHORT_MS } };
    case 'job':
      return { name: 'bash', args: { command: command(intent, 300), background: true } };
  }
}
