import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { CommandAnalyzer, CommandAnalysis } from '../../../../src/domain/tool/command-analysis.js';
import { createBashAnalyzer } from '../../../../src/permission/shell/bash-analyzer.js';

const WASM = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm'));

/** Where lines run in these tests. */
export const PLACE = { cwd: '/ws', home: '/home/user' };

/** The bytes of a file of the package. */
export function wasm(name: string): Promise<Uint8Array> {
  return readFile(join(WASM, name));
}

let loaded: Promise<CommandAnalyzer> | undefined;

/** An analyzer as it is used, one for all files of a worker: each takes four megabytes that are not given back. */
export function loadAnalyzer(): Promise<CommandAnalyzer> {
  return (loaded ??= createBashAnalyzer({ runtime: () => wasm('tree-sitter.wasm'), grammar: () => wasm('tree-sitter-bash.wasm') }));
}

/** Whether a line could run without asking, as far as the analysis goes. */
export function isHarmless({ commands, files, unreadable }: CommandAnalysis): boolean {
  return (
    unreadable === undefined && commands.every((command) => command.readsOnly && command.doubts.length === 0) && files.every((file) => file.kind === 'read')
  );
}

/** The words of all commands, joined by spaces; `?` for what only running tells. */
export function linesOf({ commands }: CommandAnalysis): readonly string[] {
  return commands.map(({ words }) => words.map((word) => word ?? '?').join(' '));
}

/** The names of the programs, without folders. */
export function programsOf({ commands }: CommandAnalysis): readonly string[] {
  return commands.map(({ words: [name = '?'] }) => name.slice(name.lastIndexOf('/') + 1));
}

/** All doubts, each once. */
export function doubtsOf({ commands }: CommandAnalysis): readonly string[] {
  return [...new Set(commands.flatMap(({ doubts }) => doubts))];
}

/** The files, as `read /ws/a`; what a pattern stands for as `read /ws (*.ts)`. */
export function filesOf({ files }: CommandAnalysis): readonly string[] {
  return files.map(({ kind, path, pattern }) => `${kind} ${path}${pattern === undefined ? '' : ` (${pattern})`}`);
}
