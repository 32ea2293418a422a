import { PERMISSION_MODES } from '../domain/tool/permission.js';
import type { PermissionMode } from '../domain/tool/permission.js';

/** Parses a mode from a setting, a session or a panel. Returns `undefined` when it is invalid (decision 15). */
export function parsePermissionMode(value: unknown): PermissionMode | undefined {
  return PERMISSION_MODES.find((mode) => mode === value);
}
