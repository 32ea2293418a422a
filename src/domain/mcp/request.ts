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

/** What every blank has. */
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

/** What a server asks the user for. */
export type McpElicitation =
  | { readonly mode: 'form'; readonly message: string; readonly fields: readonly McpField[] }
  /** Something that is done on a web page, so that what is entered there never passes Gnomon. */
  | { readonly mode: 'url'; readonly message: string; readonly url: string; readonly id: string };

/** A value of a form. */
export type McpFieldValue = string | number | boolean | readonly string[];

/** What the user answered. */
export type McpElicitationAnswer =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, McpFieldValue>> }
  /** The user said no. */
  | { readonly action: 'decline' }
  /** The user closed it without an answer. */
  | { readonly action: 'cancel' };

/** What a server asks the model for. */
export interface McpSample {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: readonly McpBlock[] }[];
  readonly systemPrompt?: string;
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  /** Names of models that the server would like, best first. */
  readonly hints: readonly string[];
}

/** What the user is shown before a model answers a server: all that it would be sent. */
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

/** What the user says to something that a server asks: to a sample, `always` allows further ones of this server in this chat, until the window is closed. */
export type McpQuestionAnswer = McpElicitationAnswer | { readonly action: 'accept'; readonly always: true };

/** That Gnomon does not do what a server asks. The message goes to the server's author, in English. */
export class McpRefusal extends Error {
  override readonly name = 'McpRefusal';
}

/** What the model answered. */
export interface McpSampleAnswer {
  readonly text: string;
  readonly model: string;
  readonly stopReason: 'endTurn' | 'maxTokens' | 'stopSequence';
}
