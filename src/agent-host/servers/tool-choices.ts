import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { ApprovalKind, ApprovalStore } from '../../domain/host/approvals.js';
import { canonicalJson } from '../../mcp/config/canonical-json.js';

/** A tool as VS Code lists it, with the fields that the user's choice is bound to. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object | undefined;
}

/** Whether the user wants a tool: `changed` when it was another one that they chose under its name. */
export type ToolChoice = 'on' | 'off' | 'changed';

const choice = z.object({ name: z.string(), fingerprint: z.string() });
type KeptChoice = z.infer<typeof choice>;

/** Tools of VS Code and other extensions that the user chose. */
export const TOOL_CHOICES: ApprovalKind<KeptChoice> = {
  name: 'editorTool',
  most: 1_000,
  perWorkspace: false,
  read: (value) => choice.safeParse(value).data,
  subjectOf: ({ name }) => name,
  earlier: (memory) => Object.entries(memory.get('gnomon.editorTools') ?? {}).map(([name, kept]: [string, unknown]) => ({ name, fingerprint: kept })),
};

/**
 * The tools of VS Code and other extensions that the user chose, each with the fingerprint of what it said of itself then: a tool that
 * says something else is not chosen any more. No workspace can choose one.
 */
export class ToolChoices {
  constructor(private readonly store: ApprovalStore<KeptChoice>) {}

  /** The user's choice for a tool. */
  of(tool: ListedTool): ToolChoice {
    const chosen = this.store.list().find(({ name }) => name === tool.name);
    if (chosen === undefined) return 'off';
    return chosen.fingerprint === fingerprint(tool) ? 'on' : 'changed';
  }

  /** Takes what the user chose of the tools that were listed; choices about others, whose extensions are not running, stay. */
  async choose(listed: readonly ListedTool[], chosen: readonly ListedTool[]): Promise<void> {
    const names = new Set(listed.map(({ name }) => name));
    const kept = chosen.map((tool): KeptChoice => ({ name: tool.name, fingerprint: fingerprint(tool) }));
    await this.store.change((all) => [...kept, ...all.filter(({ name }) => !names.has(name))]);
  }
}

/** The same exactly when a tool says the same of itself. */
export function fingerprint({ name, description, inputSchema }: ListedTool): string {
  return createHash('sha256').update(canonicalJson({ name, description, inputSchema })).digest('hex');
}
