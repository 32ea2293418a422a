import type { Gate } from '../../domain/tool/permission.js';
import type { Tool } from '../../domain/tool/tool.js';
import type { SessionShape } from '../chat/conversation/conversations.js';

/** The tools that a session of another extension has: all there are, or those that it named. Its calls pass the same gate as all. */
export class ToolChoice implements SessionShape {
  private readonly names: ReadonlySet<string> | undefined;
  private builtIn: readonly Tool[] = [];

  /** @param names the only tools; absent for all. */
  constructor(names: readonly string[] | undefined) {
    this.names = names === undefined ? undefined : new Set(names);
  }

  readonly tools = (all: readonly Tool[]): readonly Tool[] => {
    this.builtIn = all;
    return this.chosen(all);
  };

  readonly offered = (all: readonly Tool[]): readonly Tool[] => this.chosen(all);

  readonly gate = (gate: Gate): Gate => gate;

  /** The names that no tool has, once the session is there. */
  missing(offered: readonly Tool[]): readonly string[] {
    const known = new Set([...this.builtIn, ...offered].map(({ spec }) => spec.name));
    return [...(this.names ?? [])].filter((name) => !known.has(name));
  }

  private chosen(all: readonly Tool[]): readonly Tool[] {
    return all.filter(({ spec }) => this.names?.has(spec.name) !== false);
  }
}
