import { createNodeFileLayer } from '../../../../src/node/files/node-file-layer.js';
import { createSessions } from '../../../../src/session/create-sessions.js';

// Holds a session in the folder that is its argument, prints its id, and ends with code 0 when another process has taken it.
const [folder = ''] = process.argv.slice(2);
const log = { info: () => undefined, warn: console.error, error: console.error };
const clock = { timestamp: () => new Date().toISOString(), monotonic: () => performance.now() };
const { store } = createSessions({ folder, files: createNodeFileLayer(), clock, log });
const { recorder, session } = await store.create('');
await recorder.append({ role: 'user', content: [{ type: 'text', text: 'from the other process' }], timestamp: clock.timestamp() });
const alive = setInterval(() => undefined, 1_000);
store.share(session.id, { isIdle: () => true, onTakenOver: () => clearInterval(alive) });
console.log(session.id);
