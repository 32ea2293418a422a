import { describe, expect, test } from 'vitest';
import { MAX_QUERY_LENGTH, MAX_TITLE_LENGTH } from '../../../src/protocol/limits.js';
import { validateHostMessage } from '../../../src/protocol/validate-host-message.js';
import { validatePanelMessage } from '../../../src/protocol/validate-panel-message.js';

const entry = { id: '1', title: 'T', updatedAt: '2026-01-01T00:00:00Z', messageCount: 2 };

describe('view-08 what a page may ask about sessions', () => {
  test.each([
    { type: 'focused' },
    { type: 'close_history' },
    { type: 'search_sessions', query: '' },
    { type: 'open_session', id: 'x', index: 4 },
    { type: 'open_in_tab' },
    { type: 'open_in_tab', id: 'x' },
    { type: 'rename_session', id: 'x', title: '' },
    { type: 'pin_session', id: 'x', pinned: false },
    { type: 'fork_session', id: 'x' },
    { type: 'take_over_session', id: 'x' },
    { type: 'dismiss_busy' },
    { type: 'restore_session', id: 'x' },
    { type: 'purge_trash' },
    { type: 'purge_trash', id: 'x' },
    { type: 'import_session' },
  ])('%j', (message) => {
    expect(validatePanelMessage(message)).toEqual(message);
  });

  test.each([
    { type: 'search_sessions', query: 'x'.repeat(MAX_QUERY_LENGTH + 1) },
    { type: 'rename_session', id: 'x', title: 'x'.repeat(MAX_TITLE_LENGTH + 1) },
    { type: 'rename_session', id: 'x' },
    { type: 'pin_session', id: 'x', pinned: 'yes' },
    { type: 'open_session', id: 'x', index: -1 },
    { type: 'open_in_tab', id: '' },
    { type: 'import_session', path: '/etc/passwd' },
    { type: 'export_session', id: 'x', path: '/etc/passwd' },
    { type: 'purge_trash', id: undefined },
  ])('and not %j', (message) => {
    expect(validatePanelMessage(message)).toBeUndefined();
  });
});

describe('what a page is told about sessions', () => {
  test.each([
    { type: 'history', sessions: [entry], trash: [{ id: '1', title: 'T', goneAt: 1 }] },
    { type: 'session_states', states: [{ id: '1', state: 'waiting' }] },
    { type: 'search_hits', query: 'x', hits: [{ id: '1', title: 'T', updatedAt: 'now', excerpt: '…' }], done: false },
    { type: 'session_deleted', id: '1', title: 'T' },
    { type: 'session_problem', text: 'No.' },
    { type: 'session_busy', id: '1', title: 'T' },
    { type: 'edit_title', id: '1' },
    { type: 'go_to_item', session: '1', item: 'u0' },
  ])('%j', (message) => {
    expect(validateHostMessage(message)).toEqual(message);
  });

  test.each([
    { type: 'history', sessions: [entry] },
    { type: 'history', sessions: [{ ...entry, messageCount: -1 }], trash: [] },
    { type: 'session_states', states: [{ id: '1', state: 'sleeping' }] },
    { type: 'search_hits', query: 'x', hits: [{}], done: true },
    { type: 'search_hits', query: 'x', hits: [] },
    { type: 'go_to_item', session: '1' },
  ])('and not %j', (message) => {
    expect(validateHostMessage(message)).toBeUndefined();
  });
});
