import type { PermissionMode } from '../domain/permission.js';

/** The modes that can be chosen. `bypassPermissions` is known as a name, but not offered and denied when met. */
export const OFFERED_MODES = ['default', 'acceptEdits', 'plan', 'ask'] as const satisfies readonly PermissionMode[];

/** Reads a mode from a setting, a session or a panel. Returns `undefined` for what cannot be chosen (decision 15). */
export function parsePermissionMode(value: unknown): PermissionMode | undefined {
  return OFFERED_MODES.find((mode) => mode === value);
}
