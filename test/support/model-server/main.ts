import { parseArgs } from 'node:util';
import { promptedScript, startModelServer } from './index.js';

/**
 * The server as a process of its own: bundle with esbuild for Node, then `node model-server.mjs [--port <n>]`.
 * Prints one line of JSON with the address when it is ready, and stops on SIGTERM, SIGINT or when standard input ends
 * (with `--watch-stdin`), so that it never outlives the test that started it.
 */
const { values } = parseArgs({ options: { port: { type: 'string', default: '0' }, 'watch-stdin': { type: 'boolean', default: false } } });
const server = await startModelServer({ script: promptedScript, port: Number(values.port), foreignThinking: true });
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);

const stop = (): void => void server.close().then(() => process.exit(0));
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
if (values['watch-stdin']) process.stdin.once('end', stop).resume();
