/** What can be asked about code with one press, by the last part of the command's name. */
export const CODE_ACTIONS = ['explain', 'document', 'writeTests', 'refactor', 'reviewSelection', 'fix'] as const;
/** One of {@link CODE_ACTIONS}. */
export type CodeAction = (typeof CODE_ACTIONS)[number];

/** The commands about code, files and what a terminal shows. */
export const ACTION_COMMANDS = [
  ...CODE_ACTIONS.map((action) => `gnomon.${action}` as const),
  ...(['gnomon.addToChat', 'gnomon.addTerminalToChat', 'gnomon.explainTerminal', 'gnomon.createFile', 'gnomon.suggestName', 'gnomon.runAction'] as const),
] as const;
/** One of {@link ACTION_COMMANDS}. */
export type ActionCommand = (typeof ACTION_COMMANDS)[number];

/** The source of problems that a code review found: they have fixes of their own, so no others are offered. */
export const FINDING_SOURCE = 'Gnomon review';
