import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.js';

const SERVER = join(import.meta.dirname, 'modern-server.mjs');

/** A server, and what lets it start. */
export interface LateServer {
  /** As a file of configuration has it. */
  readonly config: { readonly command: string; readonly args: readonly string[] };
  /** From now on it answers. */
  start(): void;
}

/** A server that is started at once, and answers only when it is told to. */
export function lateServer(): LateServer {
  const mark = join(temporaryFolder(), 'may-start');
  const script = 'until [ -e "$1" ]; do sleep 0.05; done; exec "$2" "$3"';
  return { config: { command: 'sh', args: ['-c', script, 'late', mark, process.execPath, SERVER] }, start: () => writeFileSync(mark, '') };
}
