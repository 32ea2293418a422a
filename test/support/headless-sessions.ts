import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Message } from '../../src/domain/model/message.js';
import type { SessionMeta } from '../../src/domain/session/session-store.js';
import { runSessions } from '../../src/headless/sessions/index.js';
import { createNodeFileLayer } from '../../src/node/files/node-file-layer.js';
import { sha256 } from '../../src/node/files/sha256.js';
import { createSessions, type Sessions } from '../../src/session/create-sessions.js';
import { environmentOf, type ProgramEnd } from './headless-program.js';
import { sessionHolder } from './session-holder.js';
import { temporaryFolder } from './temporary-folder.js';

/** Where the program without a window keeps the sessions of a folder by itself. */
export function ownStorage(folder: string, home: string): string {
  return join(home, 'data', 'gnomon', 'projects', sha256(folder).slice(0, 32));
}

/** Which storage an editor has for a folder. */
export interface EditorStorage {
  readonly folder: string;
  readonly home: string;
  readonly editor?: string;
  /** As the editor names it. */
  readonly name?: string;
  /** What it says of whose it is. Left out: of the folder. */
  readonly workspace?: object;
}

/** Makes a storage as an editor has it in which the extension was used. @returns its folder for the extension */
export function editorStorage({ folder, home, editor = 'Code', name = 'a'.repeat(32), workspace }: EditorStorage): string {
  const storage = join(home, 'config', editor, 'User', 'workspaceStorage', name);
  mkdirSync(join(storage, 'gnomon.gnomon'), { recursive: true });
  writeFileSync(join(storage, 'workspace.json'), JSON.stringify(workspace ?? { folder: pathToFileURL(folder).href }));
  return join(storage, 'gnomon.gnomon');
}

/** What a session is to be. */
export interface SessionToWrite {
  readonly id: string;
  readonly messages: readonly Message[];
  readonly meta?: SessionMeta;
  /** When it was last changed. */
  readonly at?: string;
}

/** The sessions in a storage. */
export function sessionsIn(storage: string, at = '2026-02-18T12:00:00.12Z'): Sessions {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const clock = { timestamp: () => at, monotonic: () => performance.now() };
  return createSessions({ folder: join(storage, 'sessions'), files: createNodeFileLayer(), clock, log, waitMs: 0 });
}

/** Writes sessions into a storage, as a window does. */
export async function writeSessions(storage: string, ...sessions: readonly SessionToWrite[]): Promise<void> {
  for (const { id, messages, meta = {}, at } of sessions) {
    const { recorder } = await sessionsIn(storage, at).store.create('Be good.', id);
    for (const message of messages) await recorder.append(message);
    await recorder.updateMeta(meta);
    await recorder.close();
  }
}

/** Starts a process that has a session of a storage open, as a window, and gives it to who asks for it. @returns the id, and its end */
export async function heldSession(storage: string): Promise<{ readonly id: string; readonly ended: Promise<unknown> }> {
  const child = spawn(process.execPath, [await sessionHolder(temporaryFolder()), join(storage, 'sessions')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [id] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return { id: id.trim(), ended };
}

/** The content of all files below a folder, by their paths in it, without those that only the program itself needs. */
export function filesBelow(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name !== 'index.json');
  return Object.fromEntries(
    paths.map((entry) => join(entry.parentPath, entry.name)).map((path) => [path.slice(folder.length + 1), readFileSync(path, 'base64')]),
  );
}

/**
 * `gnomon sessions` in this process: to start the program takes longer than all that it does.
 * @param place absolute paths of the folder that it works in, and of that for what it keeps
 */
export async function sessionsCommand(args: readonly string[], { folder, home }: { readonly folder: string; readonly home: string }): Promise<ProgramEnd> {
  const [output, errors] = [new Written(), new Written()];
  const code = await runSessions(args, { streams: { input: process.stdin, output, errors, environment: environmentOf(home) }, folder });
  return { code, output: output.text, errors: errors.text };
}

/** What is written to a stream that is no terminal, unless it is said to be one. */
export class Written extends Writable {
  text = '';

  constructor(readonly isTTY = false) {
    super();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}
