import type { Tool } from '../domain/tool/tool.js';

/** Where tools come from that are not registered with Gnomon, such as those of VS Code. */
export interface ToolSource {
  /** Those that there are now. A registered tool cannot have one of their names. */
  readonly tools: readonly Tool[];
}

/** The tools that other extensions offer in this window. */
export class OfferedTools {
  private readonly byName = new Map<string, Tool>();
  private readonly sources: ToolSource[] = [];

  /** In a stable order, whatever the order in which extensions start, so that the provider's prompt cache stays valid. */
  get all(): readonly Tool[] {
    return [...this.byName.values(), ...this.sources.flatMap(({ tools }) => tools)].sort((a, b) => (a.spec.name < b.spec.name ? -1 : 1));
  }

  /** Offers what a source has, too, for as long as the window is open. */
  addSource(source: ToolSource): void {
    this.sources.push(source);
  }

  /** Whether a tool is still the one that is offered under its name. */
  has(tool: Tool): boolean {
    return this.byName.get(tool.spec.name) === tool;
  }

  /** Whether a name is taken. */
  isTaken(name: string): boolean {
    return this.byName.has(name);
  }

  /** Number of tools with this prefix. */
  count(prefix: string): number {
    return [...this.byName.keys()].filter((name) => name.startsWith(prefix)).length;
  }

  /** Offers a tool. Returns what takes it back. */
  add(tool: Tool): () => void {
    this.byName.set(tool.spec.name, tool);
    return () => {
      if (this.has(tool)) this.byName.delete(tool.spec.name);
    };
  }
}
