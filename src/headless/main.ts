#!/usr/bin/env node
import * as modules from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import manifest from '../../package.json' with { type: 'json' };
import { useTexts } from '../domain/l10n.js';
import { EXIT } from './exit.js';
import { main, type Stops } from './index.js';
import { TERMINAL_TEXTS } from './terminal-texts.js';
import { homeProblem, userData } from './user-data.js';

/** Milliseconds that a reader has to take what was written before a signal. */
const LAST_MS = 5_000;

/** Calls back for signals, of which two of the first kind end the process at once. */
function onSignal(...names: readonly NodeJS.Signals[]): Stops['onInterrupt'] {
  return (listener) => {
    for (const name of names) process.on(name, listener);
    return () => {
      for (const name of names) process.off(name, listener);
    };
  };
}

/** Absolute path of the ripgrep that npm has installed for this system, or of that of the VS Code in whose terminal this runs. @throws Error with what to do */
async function ripgrep(): Promise<string> {
  const system = `${process.platform}-${process.arch}`;
  try {
    const name = `@vscode/ripgrep-${system}/bin/${process.platform === 'win32' ? 'rg.exe' : 'rg'}`;
    return await Promise.resolve(modules.createRequire(import.meta.url).resolve(name));
  } catch (cause) {
    const { GNOMON_VSCODE_ROOT: root } = process.env;
    if (root !== undefined) return (await import('../node/search/run-ripgrep.js')).findRipgrep(root);
    const way = 'Install Gnomon again, with its optional packages, or start it in a new terminal of VS Code.';
    throw new Error(`ripgrep for ${system} is not installed, so nothing can be searched. ${way}`, { cause });
  }
}

/** Absolute path of the current folder; empty where that has been deleted. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '';
  }
}

/** Has Node.js 22.8 and newer keep what it compiles of what is loaded from now on, where no other user can change it: half of the time of a start. */
function keepCompiled(): void {
  const enable: unknown = Reflect.get(modules, 'enableCompileCache');
  // Without a home folder there is none; a relative path would be in a folder that can be anybody’s, and what is compiled there would be run.
  if (typeof enable === 'function' && homeProblem(process.env) === undefined) Reflect.apply(enable, modules, [join(userData(process.env), 'compiled')]);
}

keepCompiled();
// Node 20 optimizes the one large function that reads command lines at the first of them: that takes longer than to read all lines of a run without, and no
// process ends meanwhile.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--wasm-tiering-budget=1000000000');
// By this, the executable of VS Code is Node.js; a program of Electron that a hook or a server starts would be, too.
delete process.env['ELECTRON_RUN_AS_NODE'];
useTexts(TERMINAL_TEXTS);
const exit = await main({
  args: process.argv.slice(2),
  streams: { input: process.stdin, output: process.stdout, errors: process.stderr, environment: process.env },
  stops: { onInterrupt: onSignal('SIGINT'), onTerminate: onSignal('SIGTERM', 'SIGHUP') },
  folder: currentFolder(),
  version: manifest.version,
  program: { grammars: fileURLToPath(new URL('../wasm', import.meta.url)), ripgrep, manifest },
});
// Who reads nothing holds up no end that was asked for by a signal.
if (exit === EXIT.interrupted || exit === EXIT.terminated) setTimeout(() => process.exit(exit), LAST_MS);
// What is left open, such as a connection that is kept for the next request, does not keep the program.
process.stdout.write('', () => process.exit(exit));
