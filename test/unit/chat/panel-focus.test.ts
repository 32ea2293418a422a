import { afterEach, describe, expect, test, vi } from 'vitest';
import type { HostMessage } from '../../../src/protocol/messages.js';
import { emptyViewState } from '../../../src/protocol/view-state.js';
import { Panel, Panels } from '../../../src/chat/pane/panel.js';
import { ViewLog } from '../../../src/chat/projection/view-log.js';

afterEach(() => {
  vi.useRealTimers();
});

/** A panel, and what its page was posted last. */
function rig() {
  const posts: HostMessage['type'][] = [];
  const webview = { postMessage: ({ type }: HostMessage) => Promise.resolve(posts.push(type) > 0) };
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const panels = new Panels();
  const shown = { id: 's', view: new ViewLog(emptyViewState('m', 'default'), 'e') };
  /** The page of a view that VS Code makes, maybe anew. */
  const open = (): Panel => {
    const panel = new Panel(webview, log);
    panels.add(panel, shown);
    return panel;
  };
  return { panels, open, taken: () => posts.splice(0) };
}

describe('the cursor in the message box', () => {
  test('is asked for at once of a page that is there', () => {
    const { panels, open, taken } = rig();
    const panel = open();
    panels.attach(panel, undefined);
    taken();
    panels.ask({ type: 'focus_composer' });
    expect(taken()).toEqual(['focus_composer']);
  });

  test('is asked for again of a page that is made anew meanwhile, once, behind what it shows', () => {
    const { panels, open, taken } = rig();
    const panel = open();
    panels.attach(panel, undefined);
    // The old page is thrown away without a word; this is lost.
    panels.ask({ type: 'focus_composer' });
    taken();
    panels.attach(panel, undefined);
    expect(taken()).toEqual(['snapshot', 'focus_composer']);
    panels.attach(panel, undefined);
    expect(taken()).toEqual(['snapshot']);
  });

  test('comes to the first page too, when it was asked for before that was there', () => {
    const { panels, open, taken } = rig();
    const panel = open();
    panels.ask({ type: 'focus_composer' });
    expect(taken()).toEqual([]);
    panels.attach(panel, undefined);
    expect(taken()).toEqual(['snapshot', 'focus_composer']);
  });

  test('comes to the page of a view that was opened for it, which says its first word later', () => {
    const { panels, open, taken } = rig();
    panels.ask({ type: 'focus_composer' });
    panels.attach(open(), undefined);
    expect(taken()).toEqual(['snapshot', 'focus_composer']);
    panels.attach(open(), undefined);
    expect(taken()).toEqual(['snapshot']);
  });

  test('is not taken long after', () => {
    vi.useFakeTimers();
    const { panels, open, taken } = rig();
    const panel = open();
    panels.attach(panel, undefined);
    panels.ask({ type: 'focus_composer' });
    taken();
    vi.advanceTimersByTime(10_001);
    panels.attach(panel, undefined);
    expect(taken()).toEqual(['snapshot']);
  });
});
