import { configurationDetails, configurationView, hookTrialView } from '../configuration.js';
import { type Messages, anyText, count, oneOf, optional } from '../shape.js';

/** Messages to a page about what is configured. */
export type ConfigurationMessage = Messages<typeof CONFIGURATION_MESSAGES>;

/** Its fields, by type. */
export const CONFIGURATION_MESSAGES = {
  /** The user wants to see the page. @param target a section or a row to lead them to */
  show_configuration: { target: optional(anyText) },
  /** The answer to `list_configuration`, and again with each change until `close_configuration`. */
  configuration: { view: configurationView, /** How many MCP servers there are. */ servers: count },
  /** The answer to `load_configuration`; without `details` there is no such row any more. */
  configuration_details: { id: anyText, details: optional(configurationDetails) },
  /** The answer to `try_hook`: a trial, or why there is none; neither where it was stopped. */
  hook_trial: { id: anyText, trial: optional(hookTrialView), problem: optional(anyText) },
  /** Result of a requested action, for the user. */
  configuration_told: { level: oneOf(['info', 'error']), text: anyText },
};
