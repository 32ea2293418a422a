import { readClasses } from './classes.js';
import { readEntities } from './entities.js';
import { readFlowchart } from './flowchart.js';
import { hasHiddenLabels, linesOf, type ReadDiagram } from './labels.js';
import { readSequence } from './sequence.js';
import { readStates } from './state.js';

export type { ReadDiagram } from './labels.js';
export { show } from './labels.js';

const KINDS: readonly { readonly header: RegExp; readonly read: (source: string) => ReadDiagram | undefined }[] = [
  { header: /^sequenceDiagram$/, read: readSequence },
  { header: /^stateDiagram(?:-v2)?$/, read: readStates },
  { header: /^classDiagram(?:-v2)?$/, read: readClasses },
  { header: /^erDiagram$/, read: readEntities },
  { header: /^(?:graph|flowchart)\b/, read: readFlowchart },
];

/**
 * Reads a diagram of Mermaid. The library that draws skips every line that it does not know, so only what is understood here as a
 * whole is passed on to it.
 * @returns `undefined` for everything else, of which the source is shown
 */
export function readDiagram(source: string): ReadDiagram | undefined {
  if (hasHiddenLabels(source)) return undefined;
  const [header = ''] = linesOf(source);
  return KINDS.find((kind) => kind.header.test(header))?.read(source);
}
