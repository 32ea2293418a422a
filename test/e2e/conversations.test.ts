import { describe } from 'vitest';
import { accessibility } from './accessibility.js';
import { SETTINGS_IN_WINDOW } from './app.js';
import { background } from './background.js';
import { composer, OWN_ACTION } from './composer.js';
import { panelLife } from './panel-life.js';
import { sessions } from './sessions.js';
import { SharedWindow } from './shared-window.js';
import { startWithModel } from './with-model.js';

describe('in one window', () => {
  const window = new SharedWindow(() =>
    startWithModel({ ...SETTINGS_IN_WINDOW, 'files.simpleDialog.enable': true, 'gnomon.notifications': 'all', 'gnomon.actions': [OWN_ACTION] }),
  );
  sessions(window);
  accessibility(window);
  background(window);
  composer(window);
  panelLife(window);
});
