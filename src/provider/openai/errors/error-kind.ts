import type { ProviderErrorKind } from '../../../domain/errors.js';
import { kindOfStatus } from '../../http/kind-of-status.js';
import type { ErrorWords } from './error-words.js';

/** A rule: what the failure is when its words match, and for which status it may be so. */
interface Rule {
  readonly kind: ProviderErrorKind;
  readonly words: RegExp;
  /** A status for which the rule does not hold. */
  readonly unless?: number;
}

/**
 * Kinds by the words of the servers, the first that matches. The same status means different things to them: a
 * conversation that is too long is 400, 413, 422 or 500, a wrong key 400 or 401, an unknown model 400 or 404.
 * Wordings of OpenAI, Mistral, Gemini, vLLM, LM Studio, llama.cpp, Ollama, OpenRouter and DeepSeek, in this order.
 */
const RULES: readonly Rule[] = [
  {
    kind: 'context_length',
    words:
      /context_length_exceeded|maximum context length|exceeds the context window|too large for model with|input token count|maximum model length|context the overflows|exceed_context_size|available context size|exceeds the context length|prompt is too long/i,
    // Of a limit by the minute that is a matter of waiting, or of the next rule.
    unless: 429,
  },
  // One request takes more than a minute's tokens: it never can pass, however long one waits.
  { kind: 'too_large', words: /request too large\b.*\b(?:tokens per min|TPM)/is },
  { kind: 'context_length', words: /input is too long for requested model/i },
  { kind: 'rate_limit', words: /RESOURCE_EXHAUSTED/ },
  { kind: 'quota', words: /insufficient_quota|exceeded your current quota|billing_hard_limit|insufficient (balance|credits|funds)|requires more credits/i },
  { kind: 'authentication', words: /invalid_api_key|API_KEY_INVALID|API key not valid|authentication_error|incorrect api key/i },
  {
    kind: 'not_found',
    words: /model_not_found|invalid_model|not a valid model|model\b.{0,200}\b(not found|does not exist|is not found)|no endpoints found|try pulling it/i,
  },
  { kind: 'overloaded', words: /overloaded|insufficient_system_resource|server_busy/i },
  { kind: 'rate_limit', words: /rate_limit/i },
];

/** What kind of failure a server tells of. Without a status it told of it in the middle of an answer. */
export function errorKind({ message, label }: ErrorWords, status: number | undefined): ProviderErrorKind {
  const words = `${label} ${message}`;
  const rule = RULES.find((candidate) => (candidate.unless === undefined || candidate.unless !== status) && candidate.words.test(words));
  if (rule !== undefined) return rule.kind;
  return kindOfStatus(status);
}
