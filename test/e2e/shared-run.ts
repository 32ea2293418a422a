import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { untilNoneBelow } from '../vscode/process-tree.mjs';
import { writeSettings } from '../vscode/settings.mjs';

/** Where `global-setup.ts` leaves what the test files share, as JSON. */
const VARIABLE = 'GNOMON_E2E_RUN';

/** A VS Code server that test files use one after the other, each with a window and a workspace of its own. */
export interface SharedServer {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly pid: number;
}

/** What the test files of a run share. */
export interface SharedRun {
  /** The folder in which the packaged extension is installed. */
  readonly extensionsDir: string;
  /** One for each worker: no two files use one at the same time. */
  readonly servers: readonly SharedServer[];
}

/** Hands it on to the workers, which are started later. */
export function shareRun(run: SharedRun): void {
  process.env[VARIABLE] = JSON.stringify(run);
}

/** What this run shares; nothing outside of the test suite, as when screenshots are taken. */
export function sharedRun(): SharedRun | undefined {
  const text = process.env[VARIABLE];
  return text === undefined ? undefined : (JSON.parse(text) as SharedRun);
}

/** The server of this worker. */
export function serverOfWorker({ servers }: SharedRun): SharedServer {
  const worker = Number(process.env['VITEST_POOL_ID']);
  const server = servers[worker - 1];
  if (server === undefined) throw new Error(`Worker ${worker} has no VS Code server: there are ${servers.length}.`);
  return server;
}

/** Waits until the extension host of a window that was closed has ended: until then it may still save. */
export function untilClosed({ pid }: SharedServer): Promise<void> {
  return untilNoneBelow(pid, 'type=extensionHost');
}

/** Removes what windows before left on a server, and writes its settings. */
export async function makeFresh(server: SharedServer, settings: Readonly<Record<string, unknown>>): Promise<void> {
  await untilClosed(server);
  const { dataDir } = server;
  const left = ['data/User', 'data/Machine', 'home'].map((name) => join(dataDir, name));
  await Promise.all(left.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })));
  await writeSettings(dataDir, { settings });
}
