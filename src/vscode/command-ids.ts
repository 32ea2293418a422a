/** The commands that keep, undo, show and bring back edits, as the manifest names them. */
export const REVIEW_COMMANDS = [
  'gnomon.keepHunk',
  'gnomon.undoHunk',
  'gnomon.keepFileChanges',
  'gnomon.undoFileChanges',
  'gnomon.keepAllChanges',
  'gnomon.undoAllChanges',
  'gnomon.changesByAgent',
  'gnomon.reviewChanges',
  'gnomon.nextChange',
  'gnomon.previousChange',
  'gnomon.nextChangedFile',
  'gnomon.showChangesHere',
  'gnomon.redoRestore',
] as const;
/** One of {@link REVIEW_COMMANDS}. */
export type ReviewCommand = (typeof REVIEW_COMMANDS)[number];

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

/** The commands of inline edits, as the manifest names them. */
export const INLINE_COMMANDS = [
  'gnomon.reviseEdit',
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

/** The commands of the prompt of inline edits, which work before anything else is loaded. */
export const PROMPT_COMMANDS = [
  'gnomon.editHere',
  'gnomon.generateHere',
  'gnomon.closeEditPrompt',
  'gnomon.olderInstruction',
  'gnomon.newerInstruction',
] as const;
/** One of {@link PROMPT_COMMANDS}. */
export type PromptCommand = (typeof PROMPT_COMMANDS)[number];

/** The commands of the Source Control view. */
export const SCM_COMMANDS = ['gnomon.generateCommitMessage', 'gnomon.stopCommitMessage'] as const;

/** One of them. */
export type ScmCommand = (typeof SCM_COMMANDS)[number];

/** The commands of a shown request, as the manifest names them. */
export const REQUEST_COMMANDS = [
  'gnomon.formatRequest',
  'gnomon.showRequestAsSent',
  'gnomon.compareRequest',
  'gnomon.copyRequestAsCurl',
  'gnomon.copyRequestBody',
] as const;
/** One of {@link REQUEST_COMMANDS}. */
export type RequestCommand = (typeof REQUEST_COMMANDS)[number];

/** Commands in the title bar of a chat view or tab, for the conversation that it shows. */
export const TITLE_COMMANDS = [
  'gnomon.newSession',
  'gnomon.showHistory',
  'gnomon.showServers',
  'gnomon.showConfiguration',
  'gnomon.findInChat',
  'gnomon.openInEditorTab',
  'gnomon.renameSession',
  'gnomon.pinSession',
  'gnomon.forkSession',
  'gnomon.exportSession',
  'gnomon.deleteSession',
] as const;

/** The command in a title bar that does the same as another command, for the place that the title bar belongs to. */
export function inTitle(command: (typeof TITLE_COMMANDS)[number]): string {
  return command.replace('gnomon.', 'gnomon.title.');
}

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

/** The commands that answer the proposal in an editor, as the manifest names them. */
export const PROPOSAL_COMMANDS = ['gnomon.allowProposal', 'gnomon.denyProposal'] as const;
/** One of {@link PROPOSAL_COMMANDS}. */
export type ProposalCommand = (typeof PROPOSAL_COMMANDS)[number];

/** The commands that answer the question about the changes in a comparison, as the manifest names them. */
export const SHOWN_CHANGES_COMMANDS = ['gnomon.applyShownChanges', 'gnomon.dismissShownChanges'] as const;
/** One of {@link SHOWN_CHANGES_COMMANDS}. */
export type ShownChangesCommand = (typeof SHOWN_CHANGES_COMMANDS)[number];

/** Editor commands that send a prompt about code, by the last part of the command's name. */
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
