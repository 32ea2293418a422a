import * as vscode from 'vscode';
import type { PermissionMode } from '../../domain/permission.js';
import type { ThinkingEffort } from '../../domain/provider.js';
import { parseThinkingEffort } from '../../domain/provider.js';
import { parsePermissionMode } from '../../permission/modes.js';

/** The person's settings, read afresh at each call. All are of scope `application`: a workspace cannot set them. */
export const settings = {
  /** `provider/model`, or empty. */
  model: (): string => read('model', ''),
  /** The mode for new sessions. What is not a known mode counts as the strictest that asks. */
  permissionMode: (): PermissionMode => parsePermissionMode(read('permissionMode', 'default')) ?? 'ask',
  /** Requests to the model for one message at most. */
  maxRounds: (): number => Math.max(1, Math.trunc(read('maxRounds', 50))),
  /** Address of the Anthropic endpoint, from the setting or the environment; `undefined` for Anthropic itself. */
  anthropicBaseUrl: (): string | undefined => nonEmpty(read('anthropic.baseUrl', '')) ?? nonEmpty(process.env['ANTHROPIC_BASE_URL']),
  /** How much models think in new sessions. What is not a known effort counts as the default. */
  thinkingEffort: (): ThinkingEffort => parseThinkingEffort(read('thinkingEffort', 'medium')) ?? 'medium',
};

function read<T extends string | number | boolean>(key: string, fallback: T): T {
  const value: unknown = vscode.workspace.getConfiguration('gnomon').get(key);
  return typeof value === typeof fallback ? (value as T) : fallback;
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}
