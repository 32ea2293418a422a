import { hide, linesOf, plainLabel, type ReadDiagram } from './labels.js';

const DIRECTION = /^direction\s+(?:TD|TB|LR|BT|RL)$/;
const COMPOSITE = /^state\s+(?:"(?<label>[^"]+)"\s+as\s+)?(?<id>\w+)\s*\{$/;
const ALIAS = /^state\s+"(?<label>[^"]+)"\s+as\s+(?<id>\w+)$/;
const TRANSITION = /^(?<from>\[\*\]|\w+)\s*-->\s*(?<to>\[\*\]|\w+)(?:\s*:\s*(?<label>.+))?$/;
const DESCRIPTION = /^(?<id>\w+)\s*:\s*(?<label>.+)$/;
const LOOK = /^(?:classDef|class|style)\s/;

/** The states of one block, with what is in the blocks within it. */
class Block {
  readonly described = new Map<string, string>();
  readonly lines: string[] = [];

  constructor(readonly head: readonly string[]) {}

  /** Lines of the diagram, names of states first: the library keeps the first name of a state. */
  written(): readonly string[] {
    const names = [...this.described].map(([id, label]) => `state "${hide(label)}" as ${id}`);
    return [...this.head, ...names, ...this.lines];
  }
}

/**
 * Reads a state diagram of Mermaid (https://mermaid.js.org/syntax/stateDiagram.html).
 * @returns `undefined` for anything in it that the library would not draw, such as notes, forks, and concurrency
 */
export function readStates(source: string): ReadDiagram | undefined {
  const [, ...lines] = linesOf(source);
  const blocks = [new Block(['stateDiagram-v2'])];
  const composites: { readonly id: string; readonly label: string }[] = [];
  const names = new Map<string, string>();
  const labels: string[] = [];
  let edges = 0;
  for (const line of lines) {
    const block = blocks.at(-1);
    if (block === undefined) return undefined;
    const named = ALIAS.exec(line)?.groups ?? (TRANSITION.test(line) ? undefined : DESCRIPTION.exec(line)?.groups);
    const composite = COMPOSITE.exec(line)?.groups;
    const transition = TRANSITION.exec(line)?.groups;
    if (named !== undefined) {
      const id = named['id'] ?? '';
      const label = plainLabel(named['label'] ?? '');
      // Mermaid shows several descriptions of a state below one another.
      if (block.described.has(id) || (names.get(id) ?? id) !== id) return undefined;
      block.described.set(id, label);
      names.set(id, label);
    } else if (composite !== undefined) {
      const label = plainLabel(composite['label'] ?? composite['id'] ?? '');
      composites.push({ id: composite['id'] ?? '', label });
      blocks.push(new Block([`state "${hide(label)}" as ${composite['id'] ?? ''} {`]));
    } else if (line === '}') {
      blocks.pop();
      blocks.at(-1)?.lines.push(...block.written(), '}');
    } else if (transition !== undefined) {
      const label = plainLabel(transition['label'] ?? '');
      for (const id of [transition['from'], transition['to']]) if (id !== undefined && id !== '[*]' && !names.has(id)) names.set(id, id);
      block.lines.push(`${transition['from'] ?? ''} --> ${transition['to'] ?? ''}${label === '' ? '' : ` : ${hide(label)}`}`);
      if (label !== '') labels.push(label);
      edges += 1;
    } else if (DIRECTION.test(line)) block.lines.push(line);
    else if (!LOOK.test(line)) return undefined;
  }
  // A transition to or from a composite state would be drawn to one of the states in it.
  const [root] = blocks;
  if (root === undefined || blocks.length !== 1 || composites.some(({ id }) => names.has(id))) return undefined;
  return { text: root.written().join('\n'), edges, labels: [...labels, ...names.values(), ...composites.map(({ label }) => label)] };
}
