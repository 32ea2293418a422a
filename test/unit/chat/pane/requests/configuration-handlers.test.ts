import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../../../../src/protocol/messages.js';
import type { ConfigurationRequest } from '../../../../../src/protocol/panel/configuration-requests.js';
import { PaneConfiguration } from '../../../../../src/chat/pane/pane-configuration.js';
import type { Panel } from '../../../../../src/chat/pane/panel.js';
import { configurationHandlers } from '../../../../../src/chat/pane/requests/configuration-handlers.js';
import type { ConfigurationPort } from '../../../../../src/chat/configuration/configuration-port.js';
import { configuration, configurationDetails, hookTrial } from '../../../../support/panel-host/configuration-scenes.js';

/** A window without any configuration. */
const NO_CONFIGURATION: ConfigurationPort = {
  view: () => Promise.resolve({ trusted: true, sections: [], problems: [], left: 0 }),
  read: () => Promise.resolve(),
  onDidChange: () => () => undefined,
  details: () => Promise.resolve(undefined),
  act: () => Promise.resolve(),
  open: () => Promise.resolve(),
  tryHook: () => Promise.resolve({}),
};

/** A pane whose configuration is as given, and what its pages are told. */
function rig(over: Partial<ConfigurationPort> = {}) {
  const posts: HostMessage[] = [];
  let changed = (): void => undefined;
  const port: ConfigurationPort = {
    ...NO_CONFIGURATION,
    view: () => Promise.resolve(configuration),
    onDidChange: (listener) => {
      changed = listener;
      return () => (changed = () => undefined);
    },
    details: (id) => Promise.resolve(configurationDetails[id]),
    ...over,
  };
  const post = (message: HostMessage): void => void posts.push(message);
  const pane = new PaneConfiguration({ port, servers: { count: 0, onDidChange: () => () => undefined }, post, moved: () => undefined });
  const handlers = configurationHandlers({ configuration: pane });
  const panel = { post } as unknown as Panel;
  const ask = async <Type extends ConfigurationRequest['type']>(message: Extract<ConfigurationRequest, { type: Type }>): Promise<void> => {
    await (handlers[message.type] as (message: ConfigurationRequest, panel: Panel) => unknown)(message, panel);
  };
  const change = async (): Promise<void> => {
    changed();
    await new Promise(setImmediate);
  };
  return { posts, ask, pane, change };
}

describe('what is configured', () => {
  it('comes at once, again with each change, and not after the page was closed', async () => {
    const { posts, ask, change } = rig();
    await change();
    await ask({ type: 'list_configuration' });
    await change();
    await ask({ type: 'close_configuration' });
    await change();
    expect(posts.map(({ type }) => type)).toEqual(['configuration', 'configuration']);
  });

  it('details of a row that is gone are nothing, and a failure is told', async () => {
    const { posts, ask } = rig({ act: () => Promise.reject(new Error('The hook has just changed.')) });
    await ask({ type: 'load_configuration', id: 'agents:reviewer' });
    await ask({ type: 'load_configuration', id: 'agents:gone' });
    await ask({ type: 'configuration_action', id: 'hooks:guard', action: 'approve_hook' });
    expect(posts).toEqual([
      { type: 'configuration_details', id: 'agents:reviewer', details: configurationDetails['agents:reviewer'] },
      { type: 'configuration_details', id: 'agents:gone' },
      { type: 'configuration_told', level: 'error', text: 'The hook has just changed.' },
    ]);
  });
});

describe('the trial of a hook', () => {
  it('is shown, runs once at a time, and ends where it is stopped or the page is closed', async () => {
    const running: AbortSignal[] = [];
    const tryHook = (_: string, signal: AbortSignal): Promise<Record<string, never>> => {
      running.push(signal);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({})));
    };
    const { posts, ask } = rig({ tryHook });
    const first = ask({ type: 'try_hook', id: 'hooks:guard' });
    await ask({ type: 'try_hook', id: 'hooks:guard' });
    expect(running.length).toBe(1);
    await ask({ type: 'stop_hook', id: 'hooks:guard' });
    await first;
    const second = ask({ type: 'try_hook', id: 'hooks:guard' });
    await ask({ type: 'close_configuration' });
    await second;
    expect(running.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(posts).toEqual([
      { type: 'hook_trial', id: 'hooks:guard' },
      { type: 'hook_trial', id: 'hooks:guard' },
    ]);
  });

  it('says what came of it, or why there is none', async () => {
    const { posts, ask } = rig({ tryHook: (id) => Promise.resolve(id === 'hooks:guard' ? { trial: hookTrial } : { problem: 'Nothing has happened.' }) });
    await ask({ type: 'try_hook', id: 'hooks:guard' });
    await ask({ type: 'try_hook', id: 'hooks:other' });
    expect(posts).toEqual([
      { type: 'hook_trial', id: 'hooks:guard', trial: hookTrial },
      { type: 'hook_trial', id: 'hooks:other', problem: 'Nothing has happened.' },
    ]);
  });
});
