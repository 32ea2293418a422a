/** The commands of reviews and of what they find, as the manifest names them. */
export const FINDING_COMMANDS = [
  'gnomon.reviewGitChanges',
  'gnomon.stopReview',
  'gnomon.fixFinding',
  'gnomon.dismissFinding',
  'gnomon.dismissAllFindings',
  'gnomon.openReviewInChat',
] as const;
/** One of {@link FINDING_COMMANDS}. */
export type FindingCommand = (typeof FINDING_COMMANDS)[number];
