import { errorMessage, LimitReachedError, ProviderError } from '../../domain/errors.js';
import { formatNumber, t } from '../../domain/l10n.js';
import type { ModelInfo, Provider } from '../../domain/model/provider.js';
import type { Refused } from '../held-back.js';
import { mayBeAboutAnything } from '../refusal.js';
import { type Outcome, EmptyAnswerError, failed } from '../turn/outcome.js';
import type { CompactionOrder } from './ask-for-summary.js';
import type { CompactionOutcome, ContextWindow, TightNumber } from './context-window.js';
import { isOfServer } from './summarize.js';

/** The context window to compact and the model of the turn, with the signal, the events, and the payer of a summary. */
export interface ContextGuardDeps extends Pick<CompactionOrder, 'signal' | 'emit' | 'payer'> {
  readonly window: ContextWindow;
  readonly model: () => { readonly provider: Provider; readonly model: ModelInfo };
  /** The first message of the turn. */
  readonly begun: number;
}

/** Decision after a failed request: send it again, or give up. */
export type Refusal = { readonly again: true } | { readonly again: false; readonly error: unknown };

/** Makes room for the requests of one round: before them when the window is nearly full, once after the model refused one. */
export class ContextGuard {
  private refused = false;
  /** Error that a summary was a response to, perhaps without effect. */
  private unclear: ProviderError | undefined;
  /** Whether requests for a summary fail, too, for a reason that is not their length. */
  private cannotSummarize = false;
  /** Error that messages were left out for, as its possible cause. */
  private suspected: unknown;
  private suspecting = false;
  /** Whether there is nothing more to leave out. */
  private isFurther = false;

  constructor(private readonly deps: ContextGuardDeps) {}

  /** Returns how the turn ends when the next request cannot be made. */
  async before(): Promise<Outcome | undefined> {
    const { window, model, signal } = this.deps;
    const small = window.tooSmall(model().model);
    if (small !== undefined) return { end: 'error', error: windowTooSmall(model(), small) };
    // What is tried is tried as it is: a summary that is made meanwhile would have to be taken back with it.
    if (this.suspecting || this.unclear !== undefined || !window.isFull(model().model)) return undefined;
    const tight = window.tooTight(model().model);
    if (tight !== undefined) return { end: 'error', error: noRoomToWork(model(), tight) };
    const outcome = await this.compact('auto');
    if (signal.aborted) return { end: 'aborted' };
    this.cannotSummarize = outcome.type === 'failed' && isOfServer(outcome.error);
    if (outcome.type !== 'failed' || window.fits(model().model)) return undefined;
    return failed(notSummarized(outcome.error));
  }

  /**
   * Takes a failure. Where images are too much or one of them is not taken, the named or the oldest are left out. A conversation that
   * the model finds too long, or the server too large, is summarized and sent again, once; so is one that may be too long where the
   * server refuses it in words that say nothing. Where that has not helped, the summary is taken back. At last, earlier messages that
   * got no answer either are left out: they are held back where an answer comes without them, and sent on where none does.
   */
  async after(error: unknown): Promise<Refusal> {
    if (!(error instanceof ProviderError)) return { again: false, error };
    const aboutImages = error.kind === 'too_large' || error.refusedImages !== undefined;
    if (aboutImages && this.deps.window.leaveOutImages(error.refusedImages ?? [])) return { again: true };
    if (error.kind === 'refused_content') return this.withoutSuspects(error, 'message');
    const isTooLong = error.kind === 'context_length' || error.kind === 'too_large';
    if (!isTooLong && !mayBeAboutAnything(error)) return { again: false, error };
    if (isTooLong) this.unclear = undefined;
    const refusal = isTooLong ? await this.tooLong(error) : await this.bySize(error);
    return refusal.again ? refusal : this.withoutSuspects(refusal.error);
  }

  /** Takes a failure that trying again did not end: some servers have no other word for a conversation that is too long, or refused. */
  async atLast(error: unknown): Promise<Refusal> {
    // Some filters take away what they do not want to give.
    if (error instanceof EmptyAnswerError) return this.withoutSuspects(error);
    if (!(error instanceof ProviderError) || error.kind !== 'server') return { again: false, error };
    const refusal = await this.bySize(error);
    // A server that is down says so with a status of its own, and comes up again whatever it is sent.
    const isRefusal = error.status === undefined || error.status <= 500;
    return refusal.again || !isRefusal ? refusal : this.withoutSuspects(refusal.error);
  }

  /** Takes that an answer came. */
  answered(): void {
    const { window, model, emit } = this.deps;
    this.unclear = undefined;
    window.endTrial(true, model().model, emit);
  }

  /** Takes that none will come, or that it came before. A summary of which it is not known whether it helps is taken back. */
  unanswered(): void {
    const { window, model, emit } = this.deps;
    window.endTrial(false, model().model, emit);
    if (this.unclear !== undefined) window.takeBack(model().model, emit);
    this.unclear = undefined;
  }

  private withoutSuspects(error: unknown, refused: Refused = 'anything'): Refusal {
    const { window, model, signal, begun } = this.deps;
    if (this.suspecting && this.isFurther) return { again: false, error: this.suspected };
    const next = this.suspecting ? 'further' : refused;
    this.isFurther = next !== 'anything';
    if (signal.aborted || !window.leaveOutSuspects(begun, model().model, next)) return { again: false, error: this.suspecting ? this.suspected : error };
    this.suspected ??= error;
    this.suspecting = true;
    return { again: true };
  }

  private async tooLong(error: ProviderError): Promise<Refusal> {
    if (this.refused) return { again: false, error: stillTooLong(error) };
    this.refused = true;
    const { window, model } = this.deps;
    const tight = window.tooTight(model().model);
    if (tight !== undefined) return { again: false, error: noRoomToWork(model(), tight) };
    const outcome = await this.compact('context_length');
    switch (outcome.type) {
      case 'done':
        return { again: true };
      case 'failed':
        return { again: false, error: notSummarized(outcome.error) };
      default:
        return { again: false, error: error.kind === 'too_large' ? error : nothingToCut(error) };
    }
  }

  private async bySize(error: ProviderError): Promise<Refusal> {
    const { window, model, emit } = this.deps;
    if (this.unclear !== undefined) {
      const first = this.unclear;
      this.unclear = undefined;
      window.takeBack(model().model, emit);
      window.noteInVain(model().model);
      return { again: false, error: first };
    }
    if (this.refused || this.cannotSummarize || !window.mayBeTooLong(model().model)) return { again: false, error };
    this.refused = true;
    const outcome = await this.compact('context_length', true);
    if (outcome.type !== 'done') return { again: false, error };
    this.unclear = error;
    return { again: true };
  }

  private compact(trigger: CompactionOrder['trigger'], unclear = false): Promise<CompactionOutcome> {
    const { window, model, ...order } = this.deps;
    return window.compact({ ...order, ...model(), trigger, unclear });
  }
}

function windowTooSmall(
  { provider, model }: ReturnType<ContextGuardDeps['model']>,
  { window, head }: { readonly window: number; readonly head: number },
): ProviderError {
  const fact = t(
    'The context window of {0} ({1} tokens) is too small: Gnomon’s prompt, tools, and instructions alone take about {2} tokens.',
    model.label,
    formatNumber(window),
    formatNumber(head),
  );
  const way =
    provider.servedWindow?.advice ??
    t('Choose a model with a larger context window. The size that Gnomon assumes for a model is set by contextWindow in gnomon.models.');
  return new ProviderError('context_length', `${fact} ${way}`);
}

/** Three summaries in a row have made room for one round each. */
function noRoomToWork({ provider, model }: ReturnType<ContextGuardDeps['model']>, tight: TightNumber): ProviderError {
  const fact = t('Three summaries in a row each made room for a single round, so the turn was ended before it costs more.');
  const why = 'window' in tight ? windowTight(model, tight.window) : settingTight(tight.setting, tight.value);
  const way = 'window' in tight ? provider.servedWindow?.advice : undefined;
  return new ProviderError('context_length', [fact, why, ...(way === undefined ? [] : [way])].join(' '));
}

function windowTight({ label }: ModelInfo, window: number): string {
  if (window === 0) return t('The context window of {0} is too small for this work. Choose a model with a larger one, or have less read at once.', label);
  return t(
    'The context window of {0} ({1} tokens) is too small for this work. ' +
      'Choose a model with a larger one, correct its contextWindow in gnomon.models, or have less read at once.',
    label,
    formatNumber(window),
  );
}

function settingTight(setting: string, value: number): string {
  return t('The setting {0} ({1}) is too small for this work. Increase it, or have less read at once.', setting, formatNumber(value));
}

function stillTooLong(cause: unknown): ProviderError {
  const words = t(
    'The chat exceeds the model’s context window even after it was summarized. Choose a model with a larger context window, or start a new chat.',
  );
  return new ProviderError('context_length', words, { cause });
}

function nothingToCut(cause: unknown): ProviderError {
  const words = t(
    'This exceeds the model’s context window, and there is nothing before it to summarize. ' +
      'Send a shorter message or fewer attachments, or choose a model with a larger context window.',
  );
  return new ProviderError('context_length', words, { cause });
}

/** Where a limit kept the summary from being made, that is what the turn ends with. */
function notSummarized(cause: unknown): ProviderError | LimitReachedError {
  if (cause instanceof LimitReachedError) return cause;
  const words = t(
    'The chat exceeds the model’s context window and could not be summarized: {0} Try again, choose a model with a larger context window, or start a new chat.',
    errorMessage(cause),
  );
  return new ProviderError('context_length', words, { cause });
}
