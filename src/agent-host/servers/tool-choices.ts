import { createHash } from 'node:crypto';
import type { Memory } from '../../domain/host/memory.js';
import { canonicalJson } from '../../mcp/config/canonical-json.js';

/** A tool as VS Code lists it, without what nobody is asked about. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object | undefined;
}

/** Whether the user wants a tool: `changed` when it was another one that they chose under its name. */
export type ToolChoice = 'on' | 'off' | 'changed';

/** Where the choices are in the storage of the application. */
const PLACE = 'gnomon.editorTools';

/**
 * The tools of VS Code and other extensions that the user chose, each with the fingerprint of what it said of itself then: a tool that
 * says something else is not chosen any more. Kept in the storage of the application, so that no workspace can choose one.
 */
export class ToolChoices {
  private readonly storage: Memory;

  constructor(storage: Memory) {
    this.storage = storage;
  }

  /** What the user chose about a tool. */
  of(tool: ListedTool): ToolChoice {
    const chosen = this.read().get(tool.name);
    if (chosen === undefined) return 'off';
    return chosen === fingerprint(tool) ? 'on' : 'changed';
  }

  /** Takes what the user chose of the tools that were listed; choices about others, whose extensions are not running, stay. */
  async choose(listed: readonly ListedTool[], chosen: readonly ListedTool[]): Promise<void> {
    const names = new Set(listed.map(({ name }) => name));
    const others = [...this.read()].filter(([name]) => !names.has(name));
    await this.storage.update(PLACE, Object.fromEntries([...others, ...chosen.map((tool) => [tool.name, fingerprint(tool)])]));
  }

  /** What is stored, without what is not a choice. */
  private read(): ReadonlyMap<string, string> {
    const stored = this.storage.get(PLACE);
    if (typeof stored !== 'object' || stored === null) return new Map();
    return new Map(Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  }
}

/** The same exactly when a tool says the same of itself. */
export function fingerprint({ name, description, inputSchema }: ListedTool): string {
  return createHash('sha256').update(canonicalJson({ name, description, inputSchema })).digest('hex');
}
