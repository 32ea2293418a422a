import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandAnalyzer } from '../domain/tool/command-analysis.js';
import type { Log } from '../domain/log.js';

/**
 * What is loaded, by folder: worktrees come and go with a ground each, and each load of a grammar takes four megabytes that are not given back.
 */
const loaded = new Map<string, Promise<CommandAnalyzer>>();

/**
 * Makes what reads command lines; it and the grammar are loaded at the first one. Where commands are run by another shell than
 * bash none can be read, and so it is where loading fails.
 * @param folder absolute path of the folder with the WebAssembly files
 */
export function commandAnalyzer(folder: string, log: Log): () => Promise<CommandAnalyzer> {
  let analyzer: Promise<CommandAnalyzer> | undefined;
  return () => {
    analyzer ??= load(folder, log);
    return analyzer;
  };
}

async function load(folder: string, log: Log): Promise<CommandAnalyzer> {
  const { createBashAnalyzer, unreadableShell } = await import('../permission/shell/bash-analyzer.js');
  if (process.platform === 'win32') return unreadableShell();
  const file = (name: string) => (): Promise<Uint8Array> => readFile(join(folder, name));
  const shared = loaded.get(folder) ?? createBashAnalyzer({ runtime: file('tree-sitter.wasm'), grammar: file('tree-sitter-bash.wasm') });
  loaded.set(folder, shared);
  return shared.catch((error: unknown) => {
    // The next ground tries again.
    loaded.delete(folder);
    log.error('Command lines cannot be read, so each of them asks', error);
    return unreadableShell();
  });
}
