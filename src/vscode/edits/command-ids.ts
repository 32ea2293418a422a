/** The commands that keep, undo, show and bring back edits, as the manifest names them. */
export const REVIEW_COMMANDS = [
  'gnomon.keepHunk',
  'gnomon.undoHunk',
  'gnomon.keepFileChanges',
  'gnomon.undoFileChanges',
  'gnomon.keepAllChanges',
  'gnomon.undoAllChanges',
  'gnomon.reviewChanges',
  'gnomon.nextChange',
  'gnomon.previousChange',
  'gnomon.showChangesHere',
  'gnomon.redoRestore',
] as const;
/** One of {@link REVIEW_COMMANDS}. */
export type ReviewCommand = (typeof REVIEW_COMMANDS)[number];
