import { randomUUID } from 'node:crypto';
import type { ProposedModel, TaskWish } from '../../domain/model/router.js';
import { present } from '../../domain/present.js';
import type { ResolveOptions } from '../../mentions/mention-deps.js';
import type { ModelProposal } from '../../protocol/host/composer-messages.js';
import type { ComposerRequest } from '../../protocol/panel/composer-requests.js';
import type { Conversation } from '../conversation/conversation.js';
import { type Outbox, OutdatedModelError, type QueuedMessage } from './outbox.js';

type Send = Extract<ComposerRequest, { type: 'send' }>;

/** Where a message is written, and how the user sends it. */
interface Place {
  readonly send: Send;
  readonly conversation: Pick<Conversation, 'id' | 'chat' | 'session'>;
  readonly outbox: Pick<Outbox, 'proposal' | 'submit'>;
}

/** What the user sees. */
interface Shown {
  readonly id: string;
  /** What it was chosen for: another message, or another state of the chat, gets a model of its own. */
  readonly basis: string;
  readonly wish: TaskWish;
  readonly proposed: ProposedModel;
}

/** Lets the user see which model a message gets before it is sent. What was shown last in a place is what can be sent there. */
export class ModelProposals {
  private shown: Shown | undefined;

  /** @param isWanted whether the user wants to see it */
  constructor(private readonly isWanted: () => boolean) {}

  /**
   * Sends a message, or lets it wait, where the user has seen its model or need not see it.
   * @returns what they are to see first; `undefined` where the message was taken
   * @throws Error when it was not taken
   */
  async submit(message: QueuedMessage, place: Place, options: ResolveOptions): Promise<ModelProposal | undefined> {
    const { send, outbox } = place;
    const shown = this.shown?.id === send.proposal?.id ? this.shown : undefined;
    const isSent = shown !== undefined && (await this.sendShown(message, place, { shown, options }));
    if (isSent) return undefined;
    const proposed = this.isShown(place) ? await outbox.proposal(message, wishOf(send, shown), options) : undefined;
    if (proposed !== undefined) return this.show(proposed, place, shown);
    // It is not to go to a model that the user has not seen.
    if (send.proposal !== undefined) throw new OutdatedModelError();
    await outbox.submit(message, send.now, options);
    return undefined;
  }

  /** Sends a message to the model that was shown for it. @returns whether it was sent; not where it can no longer be, or another is wanted */
  private async sendShown(
    message: QueuedMessage,
    { send, conversation, outbox }: Place,
    { shown, options }: { readonly shown: Shown; readonly options: ResolveOptions },
  ): Promise<boolean> {
    const { kind, model } = send.proposal ?? {};
    const isThat = kind === undefined && model === undefined && shown.basis === basisOf(send, conversation);
    if (!isThat || 'problem' in shown.proposed) return false;
    try {
      await outbox.submit({ ...message, proposed: shown.proposed }, send.now, options);
      this.shown = undefined;
      return true;
    } catch (error) {
      if (error instanceof OutdatedModelError) return false;
      throw error;
    }
  }

  /** An agent that works for a chat keeps its model. */
  private isShown({ send, conversation }: Place): boolean {
    return send.proposal !== undefined || (send.aside !== true && conversation.chat === undefined && this.isWanted());
  }

  private async show(proposed: ProposedModel, { send, conversation }: Place, before: Shown | undefined): Promise<ModelProposal> {
    const { explainProposal } = await import('../projection/model-explanation.js');
    const id = randomUUID();
    this.shown = { id, basis: basisOf(send, conversation), wish: wishOf(send, before), proposed };
    return { id, ...explainProposal(proposed, replacedBy(proposed, send, before)) };
  }
}

/** What the user wants: the kind stays what they have said it is, and what they have chosen was for the kind before. */
function wishOf({ proposal }: Send, shown: Shown | undefined): TaskWish {
  return present({ kind: proposal?.kind ?? shown?.wish.kind, pin: proposal?.kind === undefined ? proposal?.model : undefined });
}

/** Name of the model that was shown and wanted, and can no longer be used; `undefined` where that is not why another one is shown. */
function replacedBy(proposed: ProposedModel, { proposal }: Send, before: Shown | undefined): string | undefined {
  if (before === undefined || 'problem' in before.proposed || proposal?.kind !== undefined || proposal?.model !== undefined) return undefined;
  const isSame = proposed.routing?.type !== 'ask' && proposed.routing?.key === before.proposed.routing.key;
  return isSame ? undefined : before.proposed.running.model.label;
}

function basisOf({ text, attachments }: Send, { id, session }: Place['conversation']): string {
  return JSON.stringify([id, text, attachments, session.messages.length, session.effectiveMode]);
}
