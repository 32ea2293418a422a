import { type CommandReading, readCommandFile, type SkippedCommand } from '../config/commands/read-command.js';
import { yieldEvery } from '../concurrency/steps.js';
import type { ConfigProblem } from '../domain/config/problem.js';
import type { CommandFile } from '../domain/config/skill.js';
import type { TurnGrant } from '../domain/tool/turn-grant.js';
import { type CommandFileText, readCommandFiles } from '../node/config/command-files.js';
import type { MarkdownPlaces } from '../node/config/markdown-files.js';
import { sha256 } from '../node/files/sha256.js';
import { refusedRules } from '../permission/rules/turn-rules.js';

/** The commands of all files. */
export interface LoadedCommands {
  readonly commands: readonly CommandFile[];
  readonly skipped: readonly SkippedCommand[];
  readonly problems: readonly ConfigProblem[];
  /** Rules that commands request, by file. */
  readonly grants: ReadonlyMap<string, TurnGrant>;
}

interface Reading extends CommandReading {
  readonly grant?: TurnGrant;
}

/** Content of a file with its parsed result, cached because most files stay the same. */
export type CommandCache = Map<string, { readonly text: string; readonly reading: Reading }>;

/** Reads the commands of all files. In a module of its own, since it brings the reader of YAML along. @param cache of the last time; is brought up to date */
export async function loadCommands(places: MarkdownPlaces, cache: CommandCache, signal: AbortSignal): Promise<LoadedCommands> {
  const files = await readCommandFiles(places, signal);
  const readings: Reading[] = [];
  const pause = yieldEvery();
  for (const file of files) {
    readings.push(readingOf(file, cache));
    await pause();
    signal.throwIfAborted();
  }
  const there = new Set(files.map(({ origin }) => origin.file));
  for (const path of cache.keys()) if (!there.has(path)) cache.delete(path);
  return {
    commands: readings.flatMap(({ command }) => command ?? []),
    skipped: readings.flatMap(({ skipped }) => skipped ?? []),
    problems: readings.flatMap(({ problems, grant }) => [...problems, ...(grant === undefined ? [] : refusedRules(grant))]),
    grants: new Map(readings.flatMap(({ grant }) => (grant === undefined ? [] : [[grant.origin.file, grant] as const]))),
  };
}

function readingOf(file: CommandFileText, cache: CommandCache): Reading {
  const path = file.origin.file;
  if ('problem' in file) return unreadable(file, file.problem);
  const before = cache.get(path);
  if (before?.text === file.text) return before.reading;
  const read = readCommandFile(file.text, file);
  const reading = read.command === undefined || read.command.allowedTools.length === 0 ? read : { ...read, grant: grantOf(read.command, file.text) };
  cache.set(path, { text: file.text, reading });
  return reading;
}

/** Rules that a command requests. @param text of its whole file */
function grantOf({ name, origin, allowedTools: rules }: CommandFile, text: string): TurnGrant {
  return { kind: 'command', name, origin, rules, digest: sha256(text) };
}

function unreadable({ origin, path }: CommandFileText, why: string): CommandReading {
  const name = path.replace(/(?:\.prompt)?\.md$/i, '').replaceAll('/', ':');
  return { ...(path === '' ? {} : { skipped: { origin, name, why } }), problems: [{ file: origin.file, key: '', message: why }] };
}
