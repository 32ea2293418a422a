import { helperProgram } from './helper-program.js';

const HOLDER = `
import { createNodeFileLayer } from './src/node/files/node-file-layer.js';
import { createSessions } from './src/session/create-sessions.js';
const log = { info: () => undefined, warn: console.error, error: console.error };
const clock = { timestamp: () => new Date().toISOString(), monotonic: () => performance.now() };
const { store } = createSessions({ folder: process.argv[2], files: createNodeFileLayer(), clock, log });
const { recorder, session } = await store.create('');
await recorder.append({ role: 'user', content: [{ type: 'text', text: 'from the other process' }], timestamp: clock.timestamp() });
const alive = setInterval(() => undefined, 1_000);
store.share(session.id, { isIdle: () => true, onTakenOver: () => clearInterval(alive) });
console.log(session.id);
`;

/**
 * A program that stands for another window: it holds a session in the folder that is its argument, prints its id, and
 * ends when another process has taken it.
 * @param folder where the program is put
 * @returns its path, for plain Node
 */
export function sessionHolder(folder: string): Promise<string> {
  return helperProgram('holder', HOLDER, folder);
}
