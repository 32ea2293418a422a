import type { AnyNode } from 'acorn';
import type { ParsedModule } from './parsed-module.js';
import { importCandidates } from './parsed-module.js';

/** Looks a file up by path: taken apart, not read yet, or missing or not understood. */
export type Look = (path: string) => ParsedModule | 'unread' | 'unusable';

/** A function, class or value of a module's top level. */
export interface Definition {
  readonly module: ParsedModule;
  readonly name: string;
  readonly node: AnyNode;
}

/** What a name stands for: nothing that is known, one definition or, for a whole module, several. Or a file to read first. */
export type Resolved = { readonly wanted: string } | { readonly definitions: readonly Definition[] };

/** Modules that may hand a name on before the script gives up; they may do so in a circle. */
const MOST_HOPS = 8;

interface Import {
  readonly importer: ParsedModule;
  readonly from: string;
  readonly name: string;
  readonly hops: number;
}

/** Finds the code behind a name: in the module that uses it, or where that module imports it from. */
export function resolveName({ module, name }: { module: ParsedModule; name: string }, look: Look, hops = 0): Resolved {
  const node = module.definitions.get(name);
  if (node !== undefined) return { definitions: [{ module, name, node }] };
  const origin = module.imports.get(name);
  return origin === undefined ? { definitions: [] } : resolveImport({ importer: module, ...origin, hops }, look);
}

function resolveImport({ importer, from, name, hops }: Import, look: Look): Resolved {
  if (hops > MOST_HOPS) return { definitions: [] };
  for (const path of importCandidates(importer.path, from)) {
    const module = look(path);
    if (module === 'unread') return { wanted: path };
    if (module !== 'unusable') return resolveExport(module, name, look, hops + 1);
  }
  return { definitions: [] };
}

function resolveExport(module: ParsedModule, name: string, look: Look, hops: number): Resolved {
  if (name === '*') return { definitions: [...module.definitions].map(([local, node]) => ({ module, name: local, node })) };
  const local = module.exports.get(name);
  if (local !== undefined) return resolveName({ module, name: local }, look, hops);
  for (const { from, name: original, as } of module.handedOn) {
    if (as !== name && as !== '*') continue;
    const reached = resolveImport({ importer: module, from, name: as === '*' ? name : original, hops }, look);
    if ('wanted' in reached || reached.definitions.length > 0) return reached;
  }
  return { definitions: [] };
}
