import { describe, expect, it } from 'vitest';
import { type ViewActivity, emptyViewState } from '../../../../src/protocol/view-state.js';
import { viewTitle } from '../../../../src/chat/pane/view-title.js';
import { ViewLog } from '../../../../src/chat/projection/view-log.js';
import { SessionActivity } from '../../../../src/chat/sessions/session-activity.js';

/** A pane with a chat, and the titles that it had. */
function rig() {
  const activity = new SessionActivity({ isSeen: () => true });
  const view = new ViewLog({ ...emptyViewState('demo/demo', 'default'), title: 'Fix the failing test' }, 'epoch');
  const pane = { current: { id: 's', view }, sessions: { listed: false }, servers: { listed: false } };
  const titles: (readonly [title: string, description: string])[] = [];
  const look = (): void => {
    const { title, description } = viewTitle(pane, activity);
    titles.push([title, description]);
  };
  activity.onDidChange(look);
  activity.follow(pane.current);
  const becomes = (next: ViewActivity): void => {
    view.push({ type: 'meta', patch: { activity: next } });
    view.flush();
  };
  return { view, pane, titles, look, becomes };
}

describe('the title of the view', () => {
  it('is that of its chat, with what happens there beside it for as long as it does', () => {
    const { titles, look, becomes } = rig();
    look();
    becomes('running');
    becomes('waiting');
    becomes('running');
    becomes('idle');
    const title = 'Fix the failing test';
    expect(titles).toEqual([
      [title, ''],
      [title, 'Working'],
      [title, 'Needs you'],
      [title, 'Working'],
      [title, ''],
    ]);
  });

  it('follows the chat when that is renamed, and shows what is invisible in its title', () => {
    const { view, titles, look } = rig();
    view.push({ type: 'meta', patch: { title: 'Another\u202E name' } });
    view.flush();
    look();
    expect(titles.at(-1)).toEqual(['Another\\u{202e} name', '']);
  });

  it('names the list of chats while that is shown, still with what the chat behind it does', () => {
    const { pane, titles, look, becomes } = rig();
    pane.sessions.listed = true;
    look();
    becomes('waiting');
    expect(titles).toEqual([
      ['Chat History', ''],
      ['Chat History', 'Needs you'],
    ]);
  });
});
