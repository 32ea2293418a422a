import type { McpBlock } from './feature.js';

/** A folder that a server may know of. */
export interface McpRoot {
  /** A `file:` address. */
  readonly uri: string;
  readonly name: string;
}

/** A blank of a form. Limits are as the server states them; answers are checked against them before they are sent. */
export type McpField = McpFieldBase &
  (
    | {
        readonly type: 'text';
        readonly format?: 'email' | 'uri' | 'date' | 'date-time';
        readonly minLength?: number;
        readonly maxLength?: number;
        readonly pattern?: string;
        readonly default?: string;
      }
    | { readonly type: 'number'; readonly integer: boolean; readonly minimum?: number; readonly maximum?: number; readonly default?: number }
    | { readonly type: 'boolean'; readonly default?: boolean }
    | { readonly type: 'choice'; readonly options: readonly McpOption[]; readonly default?: string }
    | {
        readonly type: 'choices';
        readonly options: readonly McpOption[];
        readonly minItems?: number;
        readonly maxItems?: number;
        readonly default?: readonly string[];
      }
  );

/** Properties of every form field. */
export interface McpFieldBase {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required: boolean;
}

/** Something to choose. */
export interface McpOption {
  readonly value: string;
  readonly title: string;
}

/** Elicitation request of a server. */
export type McpElicitation =
  | { readonly mode: 'form'; readonly message: string; readonly fields: readonly McpField[] }
  /** Something that is done on a web page, so that what is entered there never passes Gnomon. */
  | { readonly mode: 'url'; readonly message: string; readonly url: string; readonly id: string };

/** A value of a form. */
export type McpFieldValue = string | number | boolean | readonly string[];

/** The user's answer to an elicitation. */
export type McpElicitationAnswer =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, McpFieldValue>> }
  /** The user said no. */
  | { readonly action: 'decline' }
  /** The user closed it without an answer. */
  | { readonly action: 'cancel' };

/** Sampling request of a server. */
export interface McpSample {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: readonly McpBlock[] }[];
  readonly systemPrompt?: string;
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  /** Names of models that the server would like, best first. */
  readonly hints: readonly string[];
}

/** Approval prompt of a sampling request: everything that the model would get. */
export interface McpSampleQuestion {
  readonly mode: 'sample';
  /** Name of the model that would answer. */
  readonly model: string;
  readonly systemPrompt?: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  /** Roughly, the tokens of all that. */
  readonly inputTokens: number;
  /** Tokens of the answer at most. */
  readonly maxTokens: number;
  /** US dollars at most, roughly; absent when the price is not known. */
  readonly costUsd?: number;
  /** Tokens that the server can use in this chat, this answer included. */
  readonly tokensLeft: number;
}

/** The user's answer to a request of a server. For sampling, `always` allows further requests of this server in this chat, until the window is closed. */
export type McpQuestionAnswer = McpElicitationAnswer | { readonly action: 'accept'; readonly always: true };

/** That Gnomon does not do what a server asks. The message goes to the server's author, in English. */
export class McpRefusal extends Error {
  override readonly name = 'McpRefusal';
}

/** The model's response to a sampling request. */
export interface McpSampleAnswer {
  readonly text: string;
  readonly model: string;
  readonly stopReason: 'endTurn' | 'maxTokens' | 'stopSequence';
}
