import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FoundInstructions, Instructions } from '../../../../src/domain/session/context.js';
import { type InstructionsDeps, createInstructions } from '../../../../src/node/instructions/instructions.js';
import { createWorkspace } from '../../../../src/node/files/workspace.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { NAMED_SECRETS } from '../../../support/named-secrets.js';

/** A signal that never aborts. */
export const never = new AbortController().signal;

/** Real folders with instructions, and what looks for them. */
export interface InstructionsRig {
  /** The workspace folder, and the home folder beside it. */
  readonly root: string;
  readonly home: string;
  readonly warnings: string[];
  /** What the user was asked to allow, as `file wants target`. */
  readonly asked: string[];
  /** What the user decided about files from outside. */
  readonly decided: Map<string, boolean>;
  /** Real paths of what was given out. */
  readonly used: ReadonlySet<string>;
  readonly finder: Instructions;
  /** Writes a file below the workspace folder or another; returns its path. */
  write(name: string, content: string | Uint8Array, folder?: string): string;
  /** What is found for the workspace, as `name: text`. */
  ofWorkspace(given?: readonly string[]): Promise<readonly string[]>;
  /** What is found for a file of the workspace, in the same form. */
  ofFile(path: string): Promise<readonly string[]>;
  /** What is left out for the workspace, as `name: reason`. */
  leftOut(): Promise<readonly string[]>;
}

/** Makes empty folders. @param more further workspace folders @param over what differs */
export function instructionsRig(more: readonly string[] = [], over: Partial<InstructionsDeps> & { readonly root?: string } = {}): InstructionsRig {
  const { root = temporaryFolder(), ...deps } = over;
  const home = temporaryFolder();
  const warnings: string[] = [];
  const asked: string[] = [];
  const decided = new Map<string, boolean>();
  const used = new Set<string>();
  const folders = [root, ...more].map((path, index) => ({ name: `ws${index}`, path }));
  const finder = createInstructions({
    workspace: createWorkspace(() => folders, home),
    home,
    trusted: () => true,
    choices: () => ({ own: true, otherTools: true }),
    consent: { allows: (target) => decided.get(target), ask: (by, target) => void asked.push(`${by} wants ${target}`) },
    guards: () => NAMED_SECRETS,
    used,
    log: { info: () => undefined, error: () => undefined, warn: (line) => void warnings.push(line) },
    ...deps,
  });
  return {
    root,
    home,
    warnings,
    asked,
    decided,
    used,
    finder,
    write(name, content, folder = root) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
    ofWorkspace: async (given) => short(await finder.ofWorkspace(never, given)),
    ofFile: async (path) => short(await finder.ofFile(join(root, path), never)),
    leftOut: async () => (await finder.ofWorkspace(never)).leftOut.map(({ display, reason }) => `${display}: ${reason}`),
  };
}

/** Found files as `name: text`. */
export function short({ files }: FoundInstructions): readonly string[] {
  return files.map(({ display, text }) => `${display}: ${text}`);
}
