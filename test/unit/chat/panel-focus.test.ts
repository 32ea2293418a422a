import { afterEach, describe, expect, test, vi } from 'vitest';
import type { HostMessage } from '../../../src/protocol/messages.js';
import { emptyViewState } from '../../../src/protocol/view-state.js';
import { Panel } from '../../../src/chat/pane/panel.js';
import { ViewLog } from '../../../src/chat/projection/view-log.js';

afterEach(() => {
  vi.useRealTimers();
});

/** A panel, and what its page was posted last. */
function rig() {
  const posts: HostMessage['type'][] = [];
  const webview = { postMessage: ({ type }: HostMessage) => Promise.resolve(posts.push(type) > 0) };
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const panel = new Panel(webview, log);
  panel.show({ id: 's', view: new ViewLog(emptyViewState('m', 'default'), 'e') });
  return { panel, taken: () => posts.splice(0) };
}

describe('the cursor in the message box', () => {
  test('is asked for at once of a page that is there', () => {
    const { panel, taken } = rig();
    panel.attach(undefined);
    taken();
    panel.ask({ type: 'focus_composer' });
    expect(taken()).toEqual(['focus_composer']);
  });

  test('is asked for again of a page that is made anew meanwhile, once, behind what it shows', () => {
    const { panel, taken } = rig();
    panel.attach(undefined);
    // The old page is thrown away without a word; this is lost.
    panel.ask({ type: 'focus_composer' });
    taken();
    panel.attach(undefined);
    expect(taken()).toEqual(['snapshot', 'focus_composer']);
    panel.attach(undefined);
    expect(taken()).toEqual(['snapshot']);
  });

  test('comes to the first page too, when it was asked for before that was there', () => {
    const { panel, taken } = rig();
    panel.ask({ type: 'focus_composer' });
    expect(taken()).toEqual([]);
    panel.attach(undefined);
    expect(taken()).toEqual(['snapshot', 'focus_composer']);
  });

  test('is not taken long after', () => {
    vi.useFakeTimers();
    const { panel, taken } = rig();
    panel.attach(undefined);
    panel.ask({ type: 'focus_composer' });
    taken();
    vi.advanceTimersByTime(10_001);
    panel.attach(undefined);
    expect(taken()).toEqual(['snapshot']);
  });
});
