import { describe } from 'vitest';
import { SETTINGS_IN_WINDOW } from './app.js';
import { review } from './review.js';
import { reviewEditor } from './review-editor.js';
import { SharedWindow } from './shared-window.js';
import { startWithModel } from './with-model.js';

/** All edits are accepted but those of which the tests are about the question, and what is typed is what is written. */
const SETTINGS = {
  ...SETTINGS_IN_WINDOW,
  'gnomon.permissionMode': 'acceptEdits',
  'gnomon.permissions.ask': ['Edit(asked/**)'],
  'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
  'editor.suggestOnTriggerCharacters': false,
};

describe('in one window', () => {
  const window = new SharedWindow(() => startWithModel(SETTINGS));
  review(window);
  reviewEditor(window);
});
