import { PERMISSION_MODES } from '../domain/permission.js';
import type { PermissionMode } from '../domain/permission.js';

/** The modes that can be chosen. `bypassPermissions` is known as a name, but not offered, and denied when met. */
const OFFERED: readonly PermissionMode[] = PERMISSION_MODES.filter((mode) => mode !== 'bypassPermissions');

/** Reads a mode from a setting, a session or a panel. Returns `undefined` for what cannot be chosen (decision 15). */
export function parsePermissionMode(value: unknown): PermissionMode | undefined {
  return OFFERED.find((mode) => mode === value);
}
