import { CONFIGURATION_ACTIONS } from '../configuration.js';
import { MAX_PATH_LENGTH } from '../limits.js';
import { type Messages, id, oneOf, text } from '../shape.js';

/** Characters of a line number behind a path, with what is between them. */
const MAX_LINE_LENGTH = 20;

/** Requests of the configuration page. */
export type ConfigurationRequest = Messages<typeof CONFIGURATION_REQUESTS>;

/** Its fields, by type. */
export const CONFIGURATION_REQUESTS = {
  /** The page is shown: what it lists comes at once and again whenever it changes, until `close_configuration`. */
  list_configuration: {},
  close_configuration: {},
  /** Loads the details of a row. Answered with `configuration_details`. */
  load_configuration: { id },
  configuration_action: { id, action: oneOf(CONFIGURATION_ACTIONS) },
  /** Opens a place that was sent before; others are ignored. */
  open_configuration_place: { id: text(MAX_PATH_LENGTH + MAX_LINE_LENGTH, 1) },
  /** Runs a hook against what happened last at its event. Answered with `hook_trial`. */
  try_hook: { id },
  /** Ends that. */
  stop_hook: { id },
};
