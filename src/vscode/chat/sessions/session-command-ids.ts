/** Ids of the commands about conversations. */
export const SESSION_COMMANDS = [
  'gnomon.openSession',
  'gnomon.continueLastSession',
  'gnomon.openInEditorTab',
  'gnomon.renameSession',
  'gnomon.pinSession',
  'gnomon.unpinSession',
  'gnomon.forkSession',
  'gnomon.exportSession',
  'gnomon.exportSessionMarkdown',
  'gnomon.exportSessionJson',
  'gnomon.importSession',
  'gnomon.deleteSession',
] as const;
/** One of {@link SESSION_COMMANDS}. */
export type SessionCommand = (typeof SESSION_COMMANDS)[number];
