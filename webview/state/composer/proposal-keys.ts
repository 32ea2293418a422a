import { KeyGuard } from '../approval/key-guard.js';
import { isPlainEnter } from '../keys.js';
import type { ComposerState } from './composer.svelte.js';

/** The keys for the model that is shown before a message is sent, where the user writes. */
export class ProposalKeys {
  /** Of the proposals that followed each other. */
  private guard: KeyGuard | undefined;

  constructor(
    private readonly composer: ComposerState,
    private readonly selectModel: () => void,
  ) {}

  /** Takes note of whether one is shown. @param now in milliseconds */
  follow(isShown: boolean, now: number): void {
    this.guard = isShown ? (this.guard ?? new KeyGuard(now)) : undefined;
  }

  /** Takes a key that went down in the text. @returns whether it was for that */
  press(event: KeyboardEvent): boolean {
    const { key, shiftKey, ctrlKey, altKey, metaKey, repeat, timeStamp } = event;
    if (key === 'Escape') return this.takeBack();
    if (this.composer.proposal === undefined) return false;
    // Who presses Enter again while a model is chosen has not seen it.
    if (isPlainEnter(event)) return this.guard?.allowsShortcut(event, timeStamp) === false;
    if (key !== 'Tab' || shiftKey || ctrlKey || altKey || metaKey) return false;
    if (!repeat) this.change();
    return true;
  }

  /** Proposes the next model that is good enough, or lets the user select one where there is no other. */
  change(): void {
    const next = this.composer.proposal?.next;
    if (next === undefined) this.selectModel();
    else this.composer.proposeAgain({ model: next });
  }

  /** Stops choosing, or leaves the text as it was. @returns whether there was something to take back */
  takeBack(): boolean {
    const { composer } = this;
    if (composer.pending !== undefined) composer.cancelSend();
    else if (composer.proposal === undefined) return false;
    composer.proposal = undefined;
    return true;
  }
}
