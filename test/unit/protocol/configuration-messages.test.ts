import { describe, expect, test } from 'vitest';
import { validateHostMessage } from '../../../src/protocol/validate-host-message.js';
import { validatePanelMessage } from '../../../src/protocol/validate-panel-message.js';
import { configuration, configurationDetails, hookTrial } from '../../support/panel-host/configuration-scenes.js';

describe('messages about what is configured', () => {
  test.each([
    { type: 'show_configuration' },
    { type: 'show_configuration', target: 'hooks:guard' },
    { type: 'configuration', view: configuration, servers: 3 },
    ...Object.entries(configurationDetails).map(([id, details]) => ({ type: 'configuration_details', id, details })),
    { type: 'configuration_details', id: 'gone' },
    { type: 'hook_trial', id: 'hooks:guard', trial: hookTrial },
  ])('%j is one', (message) => {
    expect(validateHostMessage(message)).toBe(message);
  });

  const [section] = configuration.sections;
  test.each([
    ['a section of no kind', { type: 'configuration', servers: 0, view: { ...configuration, sections: [{ ...section, id: 'secrets' }] } }],
    [
      'a row without a state',
      { type: 'configuration', servers: 0, view: { ...configuration, sections: [{ ...section, rows: [{ id: 'a', name: 'a', tone: 'usual' }] }] } },
    ],
    ['an action of no kind', { type: 'configuration_details', id: 'a', details: { ...configurationDetails['hooks:guard'], actions: ['run'] } }],
    ['a trial without outputs', { type: 'hook_trial', id: 'a', trial: { ...hookTrial, stdout: undefined } }],
  ])('%s is none', (_, message) => {
    expect(validateHostMessage(message)).toBeUndefined();
  });

  test.each([
    { type: 'configuration_action', id: 'hooks:guard', action: 'run_hook' },
    { type: 'configuration_action', id: '', action: 'approve_hook' },
    { type: 'try_hook', id: 'x'.repeat(513) },
    { type: 'try_hook', id: 'hooks:guard', command: 'rm -rf /' },
    { type: 'open_configuration_place', id: 'x'.repeat(5_000) },
  ])('a page cannot ask for %j', (message) => {
    expect(validatePanelMessage(message)).toBeUndefined();
  });
});
