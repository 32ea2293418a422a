import type Anthropic from '@anthropic-ai/sdk';
import { AbortError, ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { text } from '../../domain/model/content.js';
import type { Message } from '../../domain/model/message.js';
import type { ModelInfo } from '../../domain/model/provider.js';
import type { Failure } from '../../domain/tool/outcome.js';
import type { WebFindings } from '../../domain/workspace/web-search.js';
import { limitedText } from '../http/body.js';
import { jsonBody } from '../http/json-body.js';
import { type AskedSearch, FoundPages, SEARCH_LIMIT_MS, SEARCH_PROMPT, SEARCH_TOKENS, searchFailure, searchMessage, spentOn } from '../model-search.js';
import { createClient } from './client.js';
import { type AnthropicOptions, parseEndpoint } from './endpoint.js';
import { requestError } from './errors.js';
import { requestParams } from './request.js';
import { UsageCounter } from './stream.js';

/**
 * The tool that Anthropic runs itself: once, so that what the user allowed is one search. The later versions run code as
 * well, which some models cannot. Format: platform.claude.com, "Web search tool".
 */
const TOOL: Anthropic.WebSearchTool20250305 = { type: 'web_search_20250305', name: 'web_search', max_uses: 1 };

/** US dollars for each search beside the tokens: $10 per 1,000. Source: platform.claude.com, "Pricing", "Web search", as others quote it in 2026. */
const FEE_USD = 0.01;

/** The largest answer that is read, in bytes; the pages in it are encrypted. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Messages have a time; of this one it is neither sent nor kept. */
const NO_TIME = '1970-01-01T00:00:00Z';

/** Has a model search the web on Anthropic's servers, in a request of its own. */
export async function searchWithClaude(options: AnthropicOptions, asked: AskedSearch): Promise<WebFindings> {
  const answer = await ask(options, asked).catch((error: unknown) => {
    throw searchFailure(error, asked);
  });
  try {
    return findingsIn(answer, asked.model);
  } catch (error) {
    throw new ProviderError('protocol', t('{0} sent an invalid response.', asked.name), { cause: error });
  }
}

async function ask(options: AnthropicOptions, { model, query, signal }: AskedSearch): Promise<Partial<Anthropic.Message>> {
  const endpoint = parseEndpoint(options.baseUrl(), await options.keyName?.(model.id));
  const client = await createClient(options, endpoint);
  const late = AbortSignal.timeout(SEARCH_LIMIT_MS);
  try {
    const request = { body: jsonBody(bodyFor(model, query)), signal: AbortSignal.any([signal, late]), headers: { 'content-type': 'application/json' } };
    const response = await client.post('/v1/messages', request).asResponse();
    return JSON.parse(await limitedText(response, MAX_BYTES)) as Partial<Anthropic.Message>;
  } catch (error) {
    if (signal.aborted) throw new AbortError(undefined, error);
    if (late.aborted)
      throw new ProviderError('stalled', t('{0} did not respond within {1} seconds.', endpoint.host, SEARCH_LIMIT_MS / 1_000), { cause: error });
    if (error instanceof SyntaxError) throw new ProviderError('protocol', t('{0} sent an invalid response.', endpoint.host), { cause: error });
    throw requestError(error, endpoint);
  }
}

function bodyFor(model: ModelInfo, query: string): object {
  const message: Message = { role: 'user', content: [text(searchMessage(query))], timestamp: NO_TIME };
  const params = requestParams({ model: model.id, systemPrompt: SEARCH_PROMPT, messages: [message], tools: [], maxTokens: SEARCH_TOKENS, effort: 'off' });
  return { ...params, tools: [TOOL], stream: false };
}

/** What a search that failed on the server says of it. The codes are those of the SDK's types. */
const PROBLEMS: Readonly<Record<string, Failure | string>> = {
  too_many_requests: { kind: 'rate_limited', service: 'Anthropic', of: 'model' },
  query_too_long: 'The query is too long. Search for fewer words.',
  unavailable: 'The search of Anthropic is not available at the moment. Try again later, or go on without it.',
};

/** What an answer says; from outside, so that it may lack anything. */
function findingsIn(answer: Partial<Anthropic.Message>, model: ModelInfo): WebFindings {
  const pages = new FoundPages();
  const words: string[] = [];
  let problem: WebFindings['problem'];
  for (const block of Array.isArray(answer.content) ? answer.content : []) {
    if (block.type === 'text') words.push(cited(block, pages));
    if (block.type !== 'web_search_tool_result') continue;
    // What is written before the results only announces them.
    words.length = 0;
    for (const { url, title } of Array.isArray(block.content) ? block.content : []) pages.add(url, title);
    problem = problemIn(block);
  }
  const searches = answer.usage?.server_tool_use?.web_search_requests ?? 0;
  const made = { count: Number.isSafeInteger(searches) ? searches : 0, feeUsd: FEE_USD };
  return pages.findings(words.join('').trim(), spentOn(new UsageCounter().add(answer.usage), model, made), problem);
}

function problemIn({ content }: Partial<Anthropic.WebSearchToolResultBlock>): WebFindings['problem'] {
  if (content === undefined || Array.isArray(content)) return undefined;
  return PROBLEMS[content.error_code] ?? `The search failed (${content.error_code}). Try again later, or go on without it.`;
}

/** A text with the numbers of the pages that it cites. */
function cited({ text: words, citations }: Partial<Anthropic.TextBlock>, pages: FoundPages): string {
  const found = (Array.isArray(citations) ? citations : []).flatMap((citation) =>
    citation.type === 'web_search_result_location' ? (pages.add(citation.url, citation.title, citation.cited_text) ?? []) : [],
  );
  return (words ?? '') + [...new Set(found)].map((number) => ` [${number}]`).join('');
}
