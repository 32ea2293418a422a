import { ToolInputError } from '../../../domain/errors.js';
import { NO_USAGE } from '../../../domain/model/usage.js';
import type { Failure } from '../../../domain/tool/outcome.js';
import type { WebSearch } from '../../../domain/workspace/web-search.js';
import { askService, commonProblem, fields, hitsIn, type Service, type ServiceAnswer } from './ask-service.js';

const ADDRESS = 'https://api.search.brave.com';
const NAME = 'Brave Search';
const ADVICE = 'The user can check the plan and the key at api-dashboard.search.brave.com.';
/** US dollars for each search: $5 per 1,000, before the monthly credit. Source: api-dashboard.search.brave.com, "Plans", November 2026. */
const PRICE_USD = 0.005;
/** Pages that are asked for. */
const COUNT = 10;

/** The Brave API key, which may be set later, and the endpoint. */
export interface BraveOptions {
  /** The API key; `undefined` when there is none. It is sent to Brave and to nothing else. */
  readonly apiKey: () => Promise<string | undefined>;
  /** Default: Brave's own. */
  readonly address?: string;
}

/** Brave's search. Format: api-dashboard.search.brave.com, "Web search". */
export function createBraveSearch({ apiKey, address = ADDRESS }: BraveOptions): WebSearch {
  return {
    name: NAME,
    address,
    estimate: { costUsd: PRICE_USD, tokens: 0, requests: 0 },
    async search(query, signal) {
      const key = (await apiKey())?.trim() ?? '';
      if (key === '') throw new ToolInputError({ kind: 'search_setup', wrong: 'no_key' });
      const service: Service = { name: NAME, advice: ADVICE, headers: { 'x-subscription-token': key } };
      const url = new URL('/res/v1/web/search', address);
      url.search = new URLSearchParams({ q: query, count: String(COUNT), result_filter: 'web' }).toString();
      const answer = await askService(url, service, signal);
      const problem = problemOf(answer, service);
      if (problem !== undefined) throw new ToolInputError(problem);
      return { hits: hitsIn(fields(fields(answer.document)['web'])['results'], 'description'), spent: { usage: NO_USAGE, costUsd: PRICE_USD } };
    },
  };
}

/** A wrong key is answered with 422 or 401, by the code `SUBSCRIPTION_TOKEN_INVALID`. */
function problemOf(answer: ServiceAnswer, service: Service): Failure | string | undefined {
  const { status, document } = answer;
  const code = fields(fields(document)['error'])['code'];
  if (status === 401 || code === 'SUBSCRIPTION_TOKEN_INVALID') return { kind: 'search_setup', wrong: 'bad_key' };
  return (
    commonProblem(answer, service) ??
    (document === undefined ? 'Brave Search did not answer with JSON. A proxy may be in the way; try again later.' : undefined)
  );
}
