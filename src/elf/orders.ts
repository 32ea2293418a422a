import type { Decision } from '../domain/model/routing.js';
import type { ElfOrder, ElfRun } from '../domain/session/elf.js';
import { present } from '../domain/present.js';

/** What an elf is started with. */
export interface StartOptions extends Pick<ElfOrder, 'model' | 'effort'> {
  /** How it came to that model, where it was chosen for it. Not stored before its session is. */
  readonly routing?: Decision;
}

/** A message to an elf that begins a run. */
export interface NewOrder extends StartOptions {
  /** Absent: what it was told before is all. */
  readonly prompt?: string;
}

/** What an elf was given and its conversation does not contain yet: the run that waits, and what it was told in its last moments. */
export class Orders {
  /** Messages by their ids, oldest first. */
  private readonly prompts = new Map<string, string>();
  private options: StartOptions;
  /** The run that has not begun. */
  private waiting: ElfRun | undefined;
  /** Ids of the messages that are being sent to begin it. */
  private sent: readonly string[] = [];
  private count = 0;
  /** Runs that never began, until one has that is stored with them. */
  private before: readonly ElfRun[] = [];
  private storing: Promise<void> = Promise.resolve();

  /** @param keep stores an order, or that there is none; does not reject @param stored of an earlier time */
  constructor(
    private readonly keep: (order: ElfOrder | undefined) => Promise<void>,
    stored?: ElfOrder,
  ) {
    const { prompts = [], run, before = [], model, effort } = stored ?? {};
    for (const prompt of prompts) this.prompts.set(this.newId(), prompt);
    this.waiting = run;
    this.before = before;
    this.options = present({ model, effort });
  }

  /** The run that waits to begin, or was ended before it did. */
  get run(): ElfRun | undefined {
    return this.waiting;
  }

  /** What it was started with, as long as it has not begun. */
  get wanted(): StartOptions {
    return this.options;
  }

  /** Takes a run that is to begin. Returns the one before it that never did. */
  add({ prompt, ...options }: NewOrder, run: ElfRun): ElfRun | undefined {
    const before = this.waiting;
    if (before !== undefined) this.before = [...this.before, before];
    if (prompt !== undefined) this.prompts.set(this.newId(), prompt);
    this.waiting = run;
    this.options = { ...this.options, ...options };
    this.store();
    return before;
  }

  /** Takes a message to the run that is under way. */
  say(id: string, words: string): void {
    this.prompts.set(id, words);
    this.store();
  }

  /** A message is in the conversation, or a hook has blocked it. */
  said(id: string): void {
    if (this.prompts.delete(id)) this.store();
  }

  /** The message that the run is to begin with. */
  words(): string {
    this.sent = [...this.prompts.keys()];
    return [...this.prompts.values()].join('\n\n');
  }

  /** The run has begun: its message is in the conversation. Returns it. */
  begun(): ElfRun | undefined {
    const { waiting } = this;
    for (const id of this.sent) this.prompts.delete(id);
    this.sent = [];
    this.waiting = undefined;
    this.before = [];
    this.options = {};
    this.store();
    return waiting;
  }

  /** Ends the run that has not begun. What it was to do is kept, for it can go on. Returns false where there is none. */
  end(end: Partial<ElfRun>): boolean {
    if (this.waiting === undefined) return false;
    this.waiting = { ...this.waiting, ...end };
    this.store();
    return true;
  }

  /** Resolves when all of it is stored. */
  settled(): Promise<void> {
    return this.storing;
  }

  private newId(): string {
    this.count += 1;
    return `order-${this.count}`;
  }

  private store(): void {
    this.storing = this.storing.then(() => this.keep(this.stored));
  }

  private get stored(): ElfOrder | undefined {
    if (this.prompts.size === 0) return undefined;
    const { model, effort } = this.options;
    return {
      prompts: [...this.prompts.values()],
      ...present({ model, effort, run: this.waiting, before: this.before.length === 0 ? undefined : this.before }),
    };
  }
}
