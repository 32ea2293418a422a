import { present } from '../../../src/protocol/present.js';
import type { Panel } from '../connection/panel.svelte.js';

/** Asks for a stored conversation, and for one of its messages. What is written from now on is for that one. */
export function openSession(panel: Panel, id: string, index?: number): void {
  panel.showHistory(false);
  if (id !== panel.session) panel.composer.leave();
  panel.post({ type: 'open_session', id, ...present({ index }) });
}
