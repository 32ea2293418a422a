/** How a server says that a conversation is too long for its model. */
interface Wording {
  readonly words: RegExp;
  /** Whose words they are, and where they can be read. */
  readonly source: string;
  /** A status for which they mean something else. */
  readonly unless?: number;
}

/** Of a limit by the minute, that is a matter of waiting. */
const LIMITED = 429;

/** The status is no help: it is 400, 404, 413, 422, or 500. */
const WORDINGS: readonly Wording[] = [
  { words: /context_length_exceeded|maximum context length/i, source: 'OpenAI, vLLM, OpenRouter, DeepSeek; AstrBotDevs/AstrBot#1', unless: LIMITED },
  { words: /exceeds the context window/i, source: 'OpenAI, Responses', unless: LIMITED },
  { words: /too large for model with/i, source: 'Mistral', unless: LIMITED },
  { words: /input token count/i, source: 'Gemini', unless: LIMITED },
  { words: /maximum model length/i, source: 'vLLM', unless: LIMITED },
  { words: /context the overflows/i, source: 'LM Studio', unless: LIMITED },
  { words: /exceed_context_size|available context size/i, source: 'llama.cpp', unless: LIMITED },
  { words: /exceeds the context length/i, source: 'Ollama', unless: LIMITED },
  { words: /prompt is too long/i, source: 'Anthropic; microsoft/vscode#293191', unless: LIMITED },
  { words: /input is too long for requested model/i, source: 'Bedrock' },
  {
    words: /context (?:window|limit)\b.{0,60}\b(?:exceed|full|reached|over)|exceed\w*\b.{0,60}\bcontext (?:window|limit|size)/is,
    source: 'gateways, in words of their own',
    unless: LIMITED,
  },
  { words: /maximum prompt length is \d+/i, source: 'xAI; cline/cline#3120', unless: LIMITED },
  {
    words: /prompt token count of \d+ exceeds|model_max_prompt_tokens_exceeded/i,
    source: 'GitHub Copilot; microsoft/copilot-intellij-feedback#94',
    unless: LIMITED,
  },
  { words: /prompt exceeds max(?:imum)? length/i, source: 'Z.ai, error 1261; zeroclaw-labs/zeroclaw#4124', unless: LIMITED },
  { words: /range of input length should be/i, source: 'Alibaba Model Studio; QwenLM/qwen-code#98', unless: LIMITED },
  { words: /exceeded model token limit/i, source: 'Moonshot; MoonshotAI/kimi-cli#2011', unless: LIMITED },
  { words: /inputs?`? tokens \+ `?max_new_tokens`? must be/i, source: 'Text Generation Inference, Together; huggingface/chat-ui#340', unless: LIMITED },
  {
    words: /exceeds token limit|tokens? exceeds? the (?:model['’]s )?(?:limit|maximum)\b(?!.*\bper (?:min|day|hour))/is,
    source: 'VS Code models; microsoft/vscode-copilot-release#1456',
    unless: LIMITED,
  },
];

/** Whether a server says that a conversation is too long for its model. @param status `undefined` in the middle of an answer */
export function isTooLong(words: string, status: number | undefined): boolean {
  return WORDINGS.some((wording) => (wording.unless === undefined || wording.unless !== status) && wording.words.test(words));
}
