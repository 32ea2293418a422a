/** Names of the commands that are always there, without their slashes: no file can take them. */
export const BUILT_IN_NAMES: readonly string[] = ['compact', 'clear', 'model', 'mode', 'agent', 'export', 'help'];
