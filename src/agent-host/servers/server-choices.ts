import * as z from 'zod/mini';
import type { Memory } from '../../domain/host/memory.js';
import type { McpEntry } from '../../domain/mcp/config.js';
import { TOOL_LOADINGS, type ToolLoading } from '../../mcp/tools/toolset.js';

/** The user's choices for one server and its tools. */
export interface ServerChoice {
  /** Absent: as its configuration says. */
  readonly loading?: ToolLoading | undefined;
  /** Names of tools that models do not get. */
  readonly off: readonly string[];
  /** Whether it is switched on or off, whatever its configuration says. */
  readonly enabled?: boolean | undefined;
}

const NO_CHOICE: ServerChoice = { off: [] };
/** Servers whose choices are kept; of more, those that were changed last. */
const MOST = 200;
const KEY = 'gnomon.mcp.choices';

const stored = z.array(
  z.object({
    file: z.string(),
    name: z.string(),
    choice: z.object({ loading: z.optional(z.enum(TOOL_LOADINGS)), off: z.array(z.string()), enabled: z.optional(z.boolean()) }),
  }),
);

/** Stored choices of server tools and of how they are sent to models, kept where no workspace can change them. */
export class ServerChoices {
  constructor(private readonly memory: Memory) {}

  of(entry: McpEntry): ServerChoice {
    return this.all().find((each) => isOf(each, entry))?.choice ?? NO_CHOICE;
  }

  async set(entry: McpEntry, change: Partial<ServerChoice>): Promise<void> {
    const choice = { ...this.of(entry), ...change };
    const others = this.all().filter((each) => !isOf(each, entry));
    await this.memory.update(KEY, [{ file: entry.source.file, name: entry.name, choice }, ...others].slice(0, MOST));
  }

  /** Reads the stored choices. Invalid data counts as no choice. */
  private all(): z.infer<typeof stored> {
    return stored.safeParse(this.memory.get(KEY)).data ?? [];
  }
}

function isOf({ file, name }: { readonly file: string; readonly name: string }, entry: McpEntry): boolean {
  return file === entry.source.file && name === entry.name;
}
