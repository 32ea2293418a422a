import { existsSync, readFileSync } from 'node:fs';
import { eventually } from '../../../support/eventually.js';
import type { Talk } from './talk.js';

/** Deeds that start processes. */
const COMMANDS: ReadonlySet<string> = new Set(['run', 'wait', 'job']);

/** The processes of all commands of a session, as these have noted them. */
export function processesOf({ intents }: Talk): readonly number[] {
  return [...intents.values()].flatMap(({ deed, path }) => (COMMANDS.has(deed) && existsSync(path) ? noted(path) : []));
}

/** Those of its background commands that nobody has ended, once these have noted them. */
export async function backgroundOf({ intents, ended }: Talk): Promise<readonly number[]> {
  const started = [...intents].filter(([id, { deed }]) => deed === 'job' && ended.get(id)?.status === 'done');
  return (await Promise.all(started.map(([, { path }]) => eventually(() => noted(path))))).flat();
}

function noted(path: string): readonly number[] {
  return readFileSync(path, 'utf8').trim().split(' ').map(Number);
}
