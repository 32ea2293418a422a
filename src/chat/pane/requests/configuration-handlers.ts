import { present } from '../../../domain/present.js';
import type { ConfigurationRequest } from '../../../protocol/panel/configuration-requests.js';
import type { PaneActions } from '../pane-actions.js';
import type { Handlers } from './handlers.js';

/** Handlers of the configuration page. */
export function configurationHandlers({ configuration }: Pick<PaneActions, 'configuration'>): Handlers<ConfigurationRequest> {
  const { port } = configuration;
  return {
    list_configuration: () => configuration.watch(true),
    close_configuration: () => configuration.watch(false),
    load_configuration: ({ id }, panel) =>
      configuration.attempt(async () => {
        const details = await port.details(id);
        panel.post({ type: 'configuration_details', id, ...present({ details }) });
      }),
    configuration_action: ({ id, action }) => configuration.attempt(() => port.act(id, action)),
    open_configuration_place: ({ id }) => configuration.attempt(() => port.open(id)),
    try_hook: ({ id }) => configuration.tryHook(id),
    stop_hook: ({ id }) => configuration.stopHook(id),
  };
}
