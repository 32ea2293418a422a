/** Request format of a server for the reasoning effort. */
export type EffortStyle =
  /** `reasoning_effort` after the rules of OpenAI's own models. */
  | 'openai'
  /** `reasoning_effort`, left out when it is off. */
  | 'plain'
  /** `reasoning: {effort}`. */
  | 'nested'
  /** `thinking: {type}` beside `reasoning_effort`. */
  | 'deepseek'
  /** `reasoning_effort`, of which most models know only `high`. */
  | 'mistral'
  | 'none';

/** What of the model's reasoning must go back with the next request. See `replay.ts`. */
export type ReplayStyle =
  | 'none'
  /** The text, as `reasoning_content`; present in every message with calls, be it empty. */
  | 'reasoning_content'
  /** The list `reasoning_details` unchanged, or the text as `reasoning`. */
  | 'reasoning_details'
  /** `extra_content` of each call, which contains the thought signature. */
  | 'extra_content';

/** In what a server that speaks chat completions differs from the others. */
export interface Dialect {
  readonly maxTokensField: 'max_completion_tokens' | 'max_tokens';
  /** Whether `stream_options.include_usage` is understood. */
  readonly streamUsage: boolean;
  readonly effort: EffortStyle;
  /** The highest temperature that is taken. */
  readonly maxTemperature: number;
  readonly replay: ReplayStyle;
  /** Ids of calls: any, or exactly nine letters and digits. */
  readonly callIds: 'any' | 'nine';
  /** Whether an assistant must speak between a tool's result and the user. */
  readonly bridgesUserAfterTool: boolean;
  /** Whether some of its models keep prompts in a cache only where they are marked. See `request.ts`. */
  readonly cacheMarks: boolean;
  /** Whether it can hold its models to a JSON Schema; where that is not known, it is tried, and replaced by a description in the prompt once it is refused. */
  readonly outputSchema: boolean;
}

/** What nearly every server understands. */
export const COMMON_DIALECT: Dialect = {
  maxTokensField: 'max_tokens',
  streamUsage: true,
  effort: 'none',
  maxTemperature: 2,
  replay: 'none',
  callIds: 'any',
  bridgesUserAfterTool: false,
  cacheMarks: false,
  outputSchema: true,
};
