import type { Request } from './provider.js';

/** The instructions for a model about the form of its answer; the schema follows. */
const IN_WORDS =
  'Answer with one JSON value that is valid against the following JSON Schema, and with nothing else: no code fence, nothing before or behind it.';

/**
 * The request with the schema of its answer ({@link Request.output}) in words, for servers that cannot hold a model to one. The words are
 * at the end of the system prompt: that stays the same as long as the schema does, so that requests of a conversation only grow.
 */
export function outputInWords(request: Request): Request {
  const { output, ...asked } = request;
  if (output === undefined) return request;
  const words = `${IN_WORDS}\n<schema>\n${JSON.stringify(output)}\n</schema>`;
  const { systemPrompt } = asked;
  return { ...asked, systemPrompt: systemPrompt.trim() === '' ? words : `${systemPrompt}\n\n${words}` };
}
