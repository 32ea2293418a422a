import type { Command } from './commands.js';
import { commandsFor } from './commands.js';
import type { ComposerState } from './composer.svelte.js';

/** The commands offered while one is being written. The cursor stays in the text; keys choose in the list. */
export class CommandMenu {
  private index = $state(0);
  /** The text for which the list was closed. */
  private closedFor = $state<string | undefined>();
  private readonly composer: ComposerState;

  constructor(composer: ComposerState) {
    this.composer = composer;
  }

  /** What is offered; nothing when there is no list. */
  get commands(): readonly Command[] {
    return this.composer.text === this.closedFor ? [] : commandsFor(this.composer.text);
  }

  /** Which of them Enter takes. */
  get active(): number {
    return Math.min(this.index, this.commands.length - 1);
  }

  /** Puts a command into the composer. */
  pick(command: Command): void {
    this.index = 0;
    this.composer.write(command.name);
    this.composer.focus();
  }

  /** Takes a key that goes down in the text; `true` when it was for the list. */
  press(event: KeyboardEvent): boolean {
    const command = this.commands[this.active];
    if (command === undefined || event.isComposing || event.shiftKey) return false;
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        this.move(event.key === 'ArrowDown' ? 1 : -1);
        return true;
      case 'Enter':
      case 'Tab':
        this.pick(command);
        return true;
      case 'Escape':
        this.closedFor = this.composer.text;
        return true;
      default:
        return false;
    }
  }

  private move(by: number): void {
    const count = this.commands.length;
    this.index = (this.active + by + count) % count;
  }
}
