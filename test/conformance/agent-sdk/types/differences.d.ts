import type { ModelUsage, SDKMessage, SDKPermissionDenial } from '@anthropic-ai/claude-agent-sdk';

/** The messages of the program: those of the Agent SDK, with all that is meant to differ. */
export type Written = Lean<Exclude<SDKMessage, { type: 'result' } | { subtype: 'init' | 'status' | 'api_retry' }>> | Init | Status | Retry | Result;

/** What the Messages API says with `null` is left out: Gnomon works with other providers, too, which have nothing of the kind. */
type Lean<T> = T extends readonly (infer Item)[]
  ? Lean<Item>[]
  : T extends object
    ? { [K in keyof T as null extends T[K] ? never : K]: Lean<T[K]> } & { [K in keyof T as null extends T[K] ? K : never]?: Lean<T[K]> }
    : T;

type Of<Type extends SDKMessage['type'], Subtype> = Extract<SDKMessage, { type: Type; subtype: Subtype }>;

/** `ask` is a mode of Gnomon alone; those of others (`auto`, `dontAsk`) are never in effect. */
type Mode = 'ask' | 'default' | 'acceptEdits' | 'plan' | 'bypassPermissions';

/** It is no version of Claude Code, so that none is told. */
type Init = Omit<Of<'system', 'init'>, 'claude_code_version' | 'permissionMode'> & { permissionMode: Mode };

type Status = Omit<Of<'system', 'status'>, 'permissionMode'> & { permissionMode: Mode };

/** Why a request failed is told in Gnomon’s words, which are those of all providers. */
type Retry = Omit<Of<'system', 'api_retry'>, 'error'> & { error: string };

type Ended = Extract<SDKMessage, { type: 'result' }>;
type Result = Ended extends infer Each ? (Each extends Ended ? Omit<Each, keyof Told> & Told : never) : never;

interface Told {
  /** In Gnomon’s words, of which there are others, such as `loop`. */
  terminal_reason: string;
  /** `null` where the price of a model is not known: not told as nothing. */
  total_cost_usd: number | null;
  /** By `provider/model`; `null` as above. */
  modelUsage: Record<string, Omit<ModelUsage, Unknown> & Record<Unknown, number | null>>;
  /** Tokens without the parts that only one provider has. */
  usage: {
    input_tokens: number;
    output_tokens: number;
    cache_read_input_tokens: number;
    cache_creation_input_tokens: number;
    server_tool_use: { web_search_requests: number; web_fetch_requests: number };
  };
  /** With the reason. */
  permission_denials: (SDKPermissionDenial & { reason: string })[];
}

type Unknown = 'costUSD' | 'contextWindow' | 'maxOutputTokens';
