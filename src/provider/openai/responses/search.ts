import { ProviderError } from '../../../domain/errors.js';
import { t } from '../../../domain/l10n.js';
import type { ModelInfo } from '../../../domain/model/provider.js';
import type { WebFindings } from '../../../domain/workspace/web-search.js';
import { type AskedSearch, FoundPages, SEARCH_LIMIT_MS, SEARCH_PROMPT, SEARCH_TOKENS, searchFailure, searchMessage, spentOn } from '../../model-search.js';
import { parseEndpoint } from '../endpoint.js';
import { post } from '../fim/post.js';
import { type JsonRecord, record, records, text } from '../json.js';
import { openAiTraits } from '../models/openai-family.js';
import type { OpenAiOptions } from '../options.js';
import { usageOf } from './event-reader.js';

/** US dollars for each search beside the tokens: $10 per 1,000 calls. Source: developers.openai.com, "Pricing", "Web search (all models)", March 2026. */
const FEE_USD = 0.01;

/** Of these, each search is billed as 8,000 tokens whatever was read, which the usage does not show. Source: as above. */
const OTHERWISE_BILLED = /^gpt-4(?:o|\.1)-mini/;

/** Has a model search the web on OpenAI's servers, in a request of its own. Format: developers.openai.com, "Web search". */
export async function searchWithOpenAi(options: OpenAiOptions, { name, model, query, signal }: AskedSearch): Promise<WebFindings> {
  try {
    const endpoint = parseEndpoint(options, await options.keyName?.(model.id));
    const target = { options, endpoint, url: `${endpoint.baseUrl}/responses`, timeLimitMs: SEARCH_LIMIT_MS };
    const answer = record(await post(target, bodyFor(model, query), signal));
    if (answer === undefined) throw new ProviderError('protocol', t('{0} sent an invalid response.', endpoint.host));
    return findingsIn(answer, model);
  } catch (error) {
    throw searchFailure(error, { name, model });
  }
}

/**
 * The search is refused beside the effort `minimal` (openai/codex#3559), and any other choice of tools than `auto` is
 * refused beside the search (vercel/ai#8201). One call, so that what the user allowed is one search.
 */
function bodyFor(model: ModelInfo, query: string): object {
  const effort = openAiTraits(model.id).efforts.find((each) => each !== 'off' && each !== 'minimal');
  return {
    model: model.id,
    instructions: SEARCH_PROMPT,
    input: searchMessage(query),
    tools: [{ type: 'web_search' }],
    max_tool_calls: 1,
    include: ['web_search_call.action.sources'],
    max_output_tokens: SEARCH_TOKENS,
    ...(effort === undefined ? {} : { reasoning: { effort } }),
    store: false,
  };
}

function findingsIn(answer: JsonRecord, model: ModelInfo): WebFindings {
  const items = records(answer['output']);
  const pages = new FoundPages();
  const parts = items.flatMap((item) => records(item['content']));
  for (const { type, url, title } of parts.flatMap((part) => records(part['annotations']))) {
    if (type === 'url_citation') pages.add(plainAddress(text(url)), title);
  }
  const searches = items
    .filter(({ type }) => type === 'web_search_call')
    .map((item) => record(item['action']) ?? {})
    .filter(({ type }) => type === 'search');
  for (const { url } of searches.flatMap((action) => records(action['sources']))) pages.add(plainAddress(text(url)));
  const summary = parts
    .map((part) => numbered(text(part['text']), pages))
    .join('\n\n')
    .trim();
  const spent = spentOn(usageOf(record(answer['usage']) ?? {}), model, { count: searches.length, feeUsd: FEE_USD });
  return pages.findings(summary, OTHERWISE_BILLED.test(model.id) ? { ...spent, costUsd: undefined } : spent);
}

/** The address without what OpenAI adds to it to be known as where the visitor comes from. */
function plainAddress(url: string): string {
  return url.replace(/([?&])utm_source=openai(&|$)/, (_whole, before: string, after: string) => (after === '' ? '' : before));
}

/** Links in Markdown, as the model cites pages, as the numbers of these. */
const LINK = /\(?\[[^\][]*\]\((https?:[^\s()]+)\)\)?/g;

function numbered(words: string, pages: FoundPages): string {
  return words.replace(LINK, (whole, url: string) => {
    const number = pages.numberOf(plainAddress(url));
    return number === undefined ? whole : `[${number}]`;
  });
}
