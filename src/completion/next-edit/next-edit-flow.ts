import { type LineReplacement, signatureOf } from './line-replacement.js';

/** A change that is offered in a document. */
export interface Offer {
  /** Names the document. */
  readonly document: string;
  readonly change: LineReplacement;
}

/** State of a predicted edit. */
export type NextEditState =
  | { readonly kind: 'idle' }
  /** The user pauses, or a model is asked. */
  | { readonly kind: 'asked'; readonly line: number | undefined; readonly controller: AbortController }
  /** It is shown; `jumped` when the user went to it. */
  | { readonly kind: 'shown'; readonly offer: Offer; readonly jumped: boolean };

/** What the flow needs of the editor and the model: starts a prediction, waits, and shows the result as ghost text or state. */
export interface NextEditFlowDeps {
  /** Begins a question about the document in its present state; `undefined` when nothing is to be asked. */
  readonly begin: () => Question | undefined;
  /** Resolves after `ms` milliseconds, or as soon as the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Takes over what can be shown as text behind the cursor. @returns whether it did */
  readonly takeOver: (offer: Offer) => boolean;
  /** Notified of each new state. */
  readonly changed: (state: NextEditState) => void;
}

/** A question for a model. */
export interface Question {
  readonly document: string;
  /** Line of the cursor. */
  readonly line: number;
  /** The change that a model predicts. Never rejects. */
  readonly answer: (signal: AbortSignal) => Promise<LineReplacement | undefined>;
}

const IDLE: NextEditState = { kind: 'idle' };

/**
 * From an edit to the next one: asked after a pause, shown, jumped to, and accepted or dismissed. Each change of the text ends what
 * came before it, so that nothing is ever shown that was predicted from another text.
 */
export class NextEditFlow {
  private readonly refused = new RefusedChanges();
  private current: NextEditState = IDLE;

  constructor(private readonly deps: NextEditFlowDeps) {}

  /** State of the predicted edit. */
  get state(): NextEditState {
    return this.current;
  }

  /** The user edited: after a pause the next edit is asked for. Never rejects. */
  async edited(pauseMs: number): Promise<void> {
    const controller = new AbortController();
    this.become({ kind: 'asked', line: undefined, controller });
    await this.deps.wait(pauseMs, controller.signal);
    if (!controller.signal.aborted) await this.ask(controller);
  }

  /** The text changed in another way, or nothing is wanted any more. */
  drop(): void {
    this.become(IDLE);
  }

  /** The cursor is on a line now. One that goes to another line while a model is asked ends that. */
  moved(line: number): void {
    if (this.current.kind === 'asked' && this.current.line !== undefined && this.current.line !== line) this.become(IDLE);
  }

  /** The user goes to the change. @returns where it is */
  jump(): Offer | undefined {
    if (this.current.kind !== 'shown') return undefined;
    const { offer } = this.current;
    this.become({ kind: 'shown', offer, jumped: true });
    return offer;
  }

  /** The user takes the change. @returns what is to be done */
  accept(): Offer | undefined {
    if (this.current.kind !== 'shown') return undefined;
    const { offer } = this.current;
    this.become(IDLE);
    return offer;
  }

  /** The user does not want the change, now or later. */
  dismiss(): void {
    if (this.current.kind !== 'shown') return;
    const { document, change } = this.current.offer;
    this.refused.add(document, change);
    this.become(IDLE);
  }

  /** The user undid something: it is not offered. @param change what it was before it was undone */
  undone(document: string, change: Pick<LineReplacement, 'before' | 'after'>): void {
    this.refused.add(document, change);
    this.drop();
  }

  /** A document is gone. */
  forget(document: string): void {
    this.refused.forget(document);
    if (this.current.kind === 'shown' && this.current.offer.document === document) this.drop();
  }

  private async ask(controller: AbortController): Promise<void> {
    const question = this.deps.begin();
    if (question === undefined) {
      this.drop();
      return;
    }
    this.current = { kind: 'asked', line: question.line, controller };
    const change = await question.answer(controller.signal);
    if (!controller.signal.aborted) this.offer(question.document, change);
  }

  private offer(document: string, change: LineReplacement | undefined): void {
    const offer = change === undefined || this.refused.has(document, change) ? undefined : { document, change };
    if (offer === undefined || this.deps.takeOver(offer)) this.drop();
    else this.become({ kind: 'shown', offer, jumped: false });
  }

  private become(state: NextEditState): void {
    const { current } = this;
    this.current = state;
    if (current.kind === 'asked') current.controller.abort();
    if (current.kind !== 'idle' || state.kind !== 'idle') this.deps.changed(state);
  }
}

/** Changes that are remembered for a document, and documents. */
const MAX_CHANGES = 50;
const MAX_DOCUMENTS = 20;

/** Dismissed predictions by document, so that they are not shown again. */
class RefusedChanges {
  private readonly byDocument = new Map<string, readonly string[]>();

  /** Remembers a change. */
  add(document: string, change: Pick<LineReplacement, 'before' | 'after'>): void {
    const known = this.byDocument.get(document) ?? [];
    this.byDocument.delete(document);
    this.byDocument.set(document, [...known, signatureOf(change)].slice(-MAX_CHANGES));
    const [oldest] = this.byDocument.keys();
    if (this.byDocument.size > MAX_DOCUMENTS && oldest !== undefined) this.byDocument.delete(oldest);
  }

  /** Whether a change, wherever it stands, was refused before. */
  has(document: string, change: LineReplacement): boolean {
    return this.byDocument.get(document)?.includes(signatureOf(change)) === true;
  }

  /** Forgets a document. */
  forget(document: string): void {
    this.byDocument.delete(document);
  }
}
