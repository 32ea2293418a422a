import * as vscode from 'vscode';
import type { Documents } from '../../../domain/workspace/documents.js';
import { t } from '../../../domain/l10n.js';
import type { Log } from '../../../domain/log.js';
import type { AgentSession } from '../../../engine/agent-session.js';
import type { ToolCallState } from '../../../engine/events.js';
import type { ProposalDesk } from '../../../chat/ports.js';
import { Proposal } from './proposal.js';
import type { ProposalCommand } from '../../command-ids.js';
import { PROPOSAL_SCHEME, type ProposalFiles, proposalIsOver, shownIn } from './proposal-files.js';
import { editableOf } from '../../../edits/editable.js';
import { tellFailed } from '../../dialogs/vscode-dialogs.js';

/** Context key that the manifest's menus ask for. */
const HAS_PROPOSAL = 'gnomon.hasProposal';

/** A conversation, as far as its proposals are looked after. */
export interface ProposingConversation {
  readonly session: Pick<AgentSession, 'answer' | 'onEvent'>;
  useProposals(desk: ProposalDesk): void;
}

/** The editors for proposed files, and the documents that they are compared with. */
export interface ProposalsDeps {
  readonly files: ProposalFiles;
  readonly documents: Pick<Documents, 'read'>;
  readonly log: Log;
}

/** The calls of all conversations that wait for permission to write a file. */
export class Proposals {
  private readonly waiting = new Set<Proposal>();

  constructor(private readonly deps: ProposalsDeps) {}

  /** Looks after the proposals of a conversation. Returns what to call when it is closed. */
  follow(conversation: ProposingConversation): () => void {
    const { session } = conversation;
    const own = new Map<string, Proposal>();
    conversation.useProposals({
      obstacle: (callId) =>
        own.get(callId)?.isUnsaved === true ? t('The proposed change has unsaved edits in the editor. Save them, or close the diff editor.') : undefined,
      show: async (callId) => {
        const shown = await own.get(callId)?.show();
        this.count();
        return shown === true;
      },
    });
    const stop = session.onEvent((event) => {
      if (event.type === 'tool_call') this.take(own, session, event);
    });
    return () => {
      stop();
      for (const callId of [...own.keys()]) this.end(own, callId);
    };
  }

  /** Answers the proposal of an editor: the one that VS Code names, or the active one. Never rejects. */
  async run(id: ProposalCommand, [named]: readonly unknown[]): Promise<void> {
    const uri = named instanceof vscode.Uri ? named : shownIn(vscode.window.tabGroups.activeTabGroup.activeTab);
    const proposal = [...this.waiting].find((each) => each.uri !== undefined && each.uri.toString() === uri?.toString());
    try {
      if (proposal === undefined)
        void vscode.window.showWarningMessage(uri?.scheme === PROPOSAL_SCHEME ? proposalIsOver() : t('Open a change proposed by Gnomon first.'));
      else if (id === 'gnomon.allowProposal') await proposal.allow();
      else proposal.deny();
    } catch (error) {
      this.deps.log.error('A proposal could not be answered', error);
      tellFailed(t('The command failed. See the log for details.'));
    }
  }

  private take(
    own: Map<string, Proposal>,
    session: Pick<AgentSession, 'answer'>,
    { callId, state }: { readonly callId: string; readonly state: ToolCallState },
  ): void {
    const known = own.get(callId);
    if (state.status !== 'awaiting_approval') {
      if (known !== undefined) this.end(own, callId);
    } else if (known !== undefined) {
      known.ask(state);
    } else if (editableOf(state.plan) === 'content') {
      const { files, documents } = this.deps;
      const proposal = new Proposal({ files, documents, session, callId }, state);
      own.set(callId, proposal);
      this.waiting.add(proposal);
    }
  }

  private end(own: Map<string, Proposal>, callId: string): void {
    const proposal = own.get(callId);
    own.delete(callId);
    if (proposal === undefined) return;
    this.waiting.delete(proposal);
    this.count();
    proposal.end().catch((error: unknown) => this.deps.log.error('The editor of a proposal could not be closed', error));
  }

  private count(): void {
    const shown = [...this.waiting].some(({ uri }) => uri !== undefined);
    void vscode.commands.executeCommand('setContext', HAS_PROPOSAL, shown);
  }
}
