import type { PermissionMode } from './permission.js';

/** Modes by how much they do without asking, the most first (docs/permissions.md). */
const STRICTNESS: readonly PermissionMode[] = ['bypassPermissions', 'acceptEdits', 'default'];
/** Modes that limit in two ways that cannot be compared: one asks about everything, the other reads without asking and does nothing else. */
const STRICTEST: readonly PermissionMode[] = ['ask', 'plan'];

/** The mode of a chat where permissions may not be bypassed: the next stricter one in place of `bypassPermissions`. */
export function withoutBypass(mode: PermissionMode): PermissionMode {
  return mode === 'bypassPermissions' ? 'acceptEdits' : mode;
}

/**
 * The stricter one of the mode that the user has and one that something else wants, such as an agent or a file of a workspace; that of
 * the user where neither is.
 */
export function narrowMode(users: PermissionMode, wanted: PermissionMode | undefined): PermissionMode {
  if (wanted === undefined || STRICTEST.includes(users)) return users;
  return STRICTEST.includes(wanted) || STRICTNESS.indexOf(wanted) > STRICTNESS.indexOf(users) ? wanted : users;
}
