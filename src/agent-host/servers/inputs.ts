import { present } from '../../domain/present.js';
import type { SecretStorage } from '../../domain/host/secret-storage.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { McpInput } from '../../domain/mcp/config.js';

/** Input box or quick pick for a value. */
export interface ValuePrompt {
  readonly title: string;
  readonly text: string;
  /** Whether the input is masked. */
  readonly password: boolean;
  /** Options to choose from; absent for free text. */
  readonly options?: readonly string[];
  /** Initial value. */
  readonly value?: string;
}

/** Asks the user for a value; `undefined`: they gave none. */
export type AskUser = (prompt: ValuePrompt) => PromiseLike<string | undefined>;

/**
 * The values that configurations ask the user for (`${input:…}`). Each is asked for once and kept in the secret storage, also one that is
 * no password: what it is good for is not known.
 */
export class Inputs {
  constructor(
    private readonly secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>,
    private readonly askUser: AskUser,
  ) {}

  /** The values that are known, by id. @param file that declares the inputs */
  async values(file: string, inputs: readonly McpInput[]): Promise<ReadonlyMap<string, string>> {
    const known = await Promise.all(inputs.map(async ({ id }) => [id, await this.secrets.get(placeOf(file, id))] as const));
    return new Map(known.flatMap(([id, value]) => (value === undefined ? [] : [[id, value] as const])));
  }

  /** Asks for those that are not known. @returns whether all are known then */
  async ask(file: string, inputs: readonly McpInput[], server: string): Promise<boolean> {
    const known = await this.values(file, inputs);
    for (const input of inputs) {
      if (known.has(input.id)) continue;
      const value = await this.askUser(promptFor(input, server));
      if (value === undefined) return false;
      await this.secrets.store(placeOf(file, input.id), value);
    }
    return true;
  }

  /** Forgets what was entered, so that it is asked for again. */
  async forget(file: string, inputs: readonly McpInput[]): Promise<void> {
    for (const { id } of inputs) await this.secrets.delete(placeOf(file, id));
  }
}

function placeOf(file: string, id: string): string {
  return `gnomon.mcp.input:${JSON.stringify([file, id])}`;
}

function promptFor(input: McpInput, server: string): ValuePrompt {
  return {
    title: t('MCP server {0}', escapeHidden(server)),
    text: escapeHidden(input.description),
    password: input.password,
    ...present({ options: input.options, value: input.default }),
  };
}
