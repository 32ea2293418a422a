import type { PanelPort } from '../../../src/chat/pane/panel.js';
import type { HostMessage, PanelMessage } from '../../../src/protocol/messages.js';
import { applyViewEvent } from '../../../src/protocol/view-event.js';
import type { ViewState } from '../../../src/protocol/view-state.js';
import { Connection } from '../../../webview/state/connection/connection.js';
import type { Entry, Place, Work } from './entry.js';
import { TestWindow } from './window.js';

/** The panel: a page, without what it draws, on a pane of a window. */
export const panel: Entry = {
  begin: async (place) => {
    const window = await TestWindow.open(place);
    if (place.resumes !== undefined) await window.pane.openSession(place.resumes);
    const work = new PageWork(window, place.answer, (text) => work.tell({ type: 'send', sendId: 's1', text, attachments: [], now: false }));
    if (place.mode !== undefined) work.tell({ type: 'set_mode', mode: place.mode });
    return work;
  },
  close: () => Promise.resolve(),
};

/** Another extension, by the API; what it begins is shown in the panel, where the user answers. */
export const extension: Entry = {
  begin: async (place) => {
    const window = await TestWindow.open(place);
    const session = await window.begin(place.mode);
    await window.pane.openSession(session.id);
    return new PageWork(window, place.answer, (text) => void session.send(text));
  },
  close: () => Promise.resolve(),
};

class PageWork implements Work {
  asked = 0;
  private readonly answered = new Set<string>();
  private readonly port: PanelPort;
  private state: ViewState | undefined;

  constructor(
    private readonly window: TestWindow,
    private readonly says: Place['answer'],
    private readonly send: (words: string) => void,
  ) {
    const { pane } = window;
    const connection = new Connection({
      post: (message) => this.tell(message),
      show: (state) => {
        this.state = state;
        this.look();
      },
      apply: (events) => {
        for (const event of events) if (this.state !== undefined) applyViewEvent(this.state, event);
        this.look();
      },
      items: () => undefined,
      side: () => undefined,
      schedule: () => setImmediate(() => connection.drain()),
    });
    const postMessage = (message: HostMessage): Promise<true> => {
      connection.receive(structuredClone(message));
      return Promise.resolve(true);
    };
    this.port = pane.connect({ postMessage });
    connection.start();
  }

  get id(): string {
    return this.window.pane.current.id;
  }

  async say(words: string): Promise<void> {
    const { session } = this.window.pane.current;
    const over = new Promise<void>((resolve) => {
      const stop = session.onEvent((event) => {
        if (event.type !== 'turn_ended') return;
        stop();
        resolve();
      });
    });
    this.send(words);
    await over;
  }

  stop(): void {
    this.tell({ type: 'stop' });
  }

  async close(): Promise<void> {
    this.port.dispose();
    await this.window.close();
  }

  /** Has the page say something. */
  tell(message: PanelMessage): void {
    // Messages of a page come in a later turn of the event loop.
    queueMicrotask(() => this.port.receive(structuredClone(message)));
  }

  /** Answers what a user would see a prompt for. */
  private look(): void {
    for (const item of this.state?.items ?? []) {
      if (item.kind !== 'answer') continue;
      for (const block of item.blocks) {
        if (block.type !== 'tool' || block.call.status !== 'awaiting_approval') continue;
        const { id: callId, approval } = block.call;
        const revision = approval?.revision ?? 1;
        if (this.answered.has(`${callId} ${revision}`)) continue;
        this.answered.add(`${callId} ${revision}`);
        this.asked += 1;
        this.tell({ type: 'answer_approval', callId, revision, answer: this.says ?? 'allow' });
      }
    }
  }
}
