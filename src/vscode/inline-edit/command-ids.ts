/** The commands of inline edits, as the manifest names them. */
export const INLINE_COMMANDS = [
  'gnomon.editHere',
  'gnomon.generateHere',
  'gnomon.submitEdit',
  'gnomon.stopEdit',
  'gnomon.closeEdit',
  'gnomon.keepEdit',
  'gnomon.undoEdit',
  'gnomon.previewEdit',
  'gnomon.openEditInChat',
  'gnomon.keepStagedHunk',
  'gnomon.undoStagedHunk',
] as const;
/** One of {@link INLINE_COMMANDS}. */
export type InlineCommand = (typeof INLINE_COMMANDS)[number];
