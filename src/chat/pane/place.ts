import { Signal } from '../../concurrency/signal.js';
import type { Memory } from '../../domain/host/memory.js';

/** Where it is kept that the chat was shown when Gnomon came. */
const INTRODUCED = 'gnomon.introduced';

/**
 * Shows the chat once, when Gnomon was just installed. With `workbench.startupEditor: none` it is not shown: users find it
 * behind its icon.
 * @param memory of all windows
 * @param startup what VS Code begins with, by its setting
 */
export async function introduce(memory: Memory, startup: unknown, show: () => PromiseLike<unknown>): Promise<void> {
  if (memory.get(INTRODUCED) === true) return;
  await memory.update(INTRODUCED, true);
  if (startup !== 'none') await show();
}

/** Where it is kept that a folder is about to be opened for a chat. */
const CHAT_WANTED = 'gnomon.chatWanted';

/** Has the chat be shown in the next window of a folder. @param folder absolute path */
export async function wantChat(memory: Memory, folder: string): Promise<void> {
  await memory.update(CHAT_WANTED, folder);
}

/** Whether the chat is to be shown in this window, once. @param folder absolute path of its first folder */
export async function isWanted(memory: Memory, folder: string | undefined): Promise<boolean> {
  if (folder === undefined || memory.get(CHAT_WANTED) !== folder) return false;
  await memory.update(CHAT_WANTED, undefined);
  return true;
}

/** Where on the screen a pane is. */
export interface Place {
  /** Whether it can be seen; the window itself may be behind others. */
  readonly visible: boolean;
  /** Brings it into view, with the focus. */
  reveal(): Promise<void>;
  /** Closes it; absent for one that is always there. */
  close?(): void;
}

/** The places that are there. The one that the user worked in last is active; without any it is the sidebar. */
export class Places {
  private readonly changed = new Signal();
  /** Calls back when another place is active, and when one came into view or went out of it. */
  readonly onDidChange = this.changed.subscribe;
  private last: Place;

  constructor(private readonly sidebar: Place) {
    this.last = sidebar;
  }

  /** The place that the window always has. */
  get fixed(): Place {
    return this.sidebar;
  }

  /** The place that commands are meant for. */
  get active(): Place {
    return this.last;
  }

  /** The user works in a place. */
  activate(place: Place): void {
    if (place === this.last) return;
    this.last = place;
    this.changed.emit();
  }

  /** A place came into view or went out of it. */
  moved(): void {
    this.changed.emit();
  }

  /** A place is gone. */
  remove(place: Place): void {
    if (place === this.last) this.activate(this.sidebar);
  }
}
