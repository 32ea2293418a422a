/** The commands that answer the proposal in an editor, as the manifest names them. */
export const PROPOSAL_COMMANDS = ['gnomon.allowProposal', 'gnomon.denyProposal'] as const;
/** One of {@link PROPOSAL_COMMANDS}. */
export type ProposalCommand = (typeof PROPOSAL_COMMANDS)[number];
