import { dirname } from 'node:path';

/** The port in the sandbox at which the proxy outside of it is reached. */
const PORT = 18_128;

/** Takes connections at the port to a socket, and says when it listens. Run by the program that runs Gnomon, which is a Node.js. */
const PROGRAM =
  `const net = require('net'); net.createServer({ allowHalfOpen: true }, (near) => { const far = net.connect({ path: process.argv[1], allowHalfOpen: true }); near.pipe(far).pipe(near); ` +
  `for (const end of [near, far]) end.on('error', () => { near.destroy(); far.destroy(); }); }).listen(${PORT}, '127.0.0.1', () => console.log('ready'));`;
/** Starts that, waits until it listens, and becomes the command. */
const SCRIPT = 'exec 3< <(ELECTRON_RUN_AS_NODE=1 exec "$0" -e "$1" "$2" 2>/dev/null); read -r -u 3; exec 3<&-; shift 2; exec "$@"';

/** The folder that has to be readable for it. */
export const RELAY_FOLDER = dirname(process.execPath);

/** A command with what lets it reach a proxy that listens at a socket, where there is no network but the own one. */
export function relayed(socket: string, command: readonly string[]): readonly string[] {
  return ['/bin/bash', '--noprofile', '--norc', '-c', SCRIPT, process.execPath, PROGRAM, socket, ...command];
}

/** The variables by which programs know a proxy; it listens at this port of 127.0.0.1. */
export function proxyVariables(port: number = PORT): Readonly<Record<string, string>> {
  const address = `http://127.0.0.1:${port}`;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'npm_config_proxy', 'npm_config_https_proxy'];
  // Node.js 24 and later take the variables when they are told to.
  return { ...Object.fromEntries(names.map((name) => [name, address])), NO_PROXY: 'localhost,127.0.0.1', no_proxy: 'localhost,127.0.0.1', NODE_USE_ENV_PROXY: '1' };
}
