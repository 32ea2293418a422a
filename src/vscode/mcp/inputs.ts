import * as vscode from 'vscode';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { McpInput } from '../../domain/mcp/config.js';

/**
 * The values that configurations ask the user for (`${input:…}`). Each is asked for once and kept in the secret storage, also one that is
 * no password: what it is good for is not known.
 */
export class Inputs {
  private readonly secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.secrets = secrets;
  }

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
      const value = await valueOf(input, server);
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

async function valueOf(input: McpInput, server: string): Promise<string | undefined> {
  const title = t('MCP server {0}', escapeHidden(server));
  const prompt = escapeHidden(input.description);
  if (input.options !== undefined) return vscode.window.showQuickPick(input.options, { title, placeHolder: prompt, ignoreFocusOut: true });
  return vscode.window.showInputBox({
    title,
    prompt,
    password: input.password,
    ignoreFocusOut: true,
    ...(input.default === undefined ? {} : { value: input.default }),
  });
}
