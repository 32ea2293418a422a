import type { Options } from '@anthropic-ai/claude-agent-sdk';
import type { SdkOption } from '../../../support/sdk-options.js';

/** Options of the Agent SDK that the table of options does not have. */
export type Missing = Exclude<keyof Options, SdkOption>;

/** Options of that table which the Agent SDK does not have. */
export type Invented = Exclude<SdkOption, keyof Options>;
