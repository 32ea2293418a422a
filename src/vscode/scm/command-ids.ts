/** The commands of the Source Control view. */
export const SCM_COMMANDS = ['gnomon.generateCommitMessage', 'gnomon.stopCommitMessage'] as const;

/** One of them. */
export type ScmCommand = (typeof SCM_COMMANDS)[number];
