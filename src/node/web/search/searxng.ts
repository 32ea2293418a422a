import { present } from '../../../domain/present.js';
import { ToolInputError } from '../../../domain/errors.js';
import { NO_USAGE } from '../../../domain/model/usage.js';
import type { Failure } from '../../../domain/tool/outcome.js';
import type { WebSearch } from '../../../domain/workspace/web-search.js';
import { askService, commonProblem, fields, hitsIn, type Service, type ServiceAnswer } from './ask-service.js';

const SETTING = 'gnomon.webSearch.searxngUrl';
const ADVICE = `The user can check the setting ${SETTING} and whether the server is running.`;
/** Source: docs.searxng.org, "Search API": a format that is not in the settings of the server is answered with 403. */
const NO_JSON: Failure = { kind: 'search_setup', wrong: 'no_json' };

/** The SearXNG server that the user has configured, and the time limit for its requests. */
export interface SearxngOptions {
  /** Address of the server, as the user wrote it. */
  readonly url: string;
  readonly timeLimitMs?: number;
}

/** A SearXNG server of the user's. Format: docs.searxng.org, "Search API". It costs nothing. */
export function createSearxngSearch({ url, timeLimitMs }: SearxngOptions): WebSearch {
  const server = serverAddress(url);
  const name = 'SearXNG';
  const service: Service = { name, advice: ADVICE, ...present({ timeLimitMs }) };
  return {
    name: server === undefined ? name : `${name} (${server.host})`,
    address: server?.origin ?? '',
    async search(query, signal) {
      if (server === undefined) throw new ToolInputError({ kind: 'search_setup', wrong: url === '' ? 'no_server' : 'bad_server' });
      const answer = await askService(searchAddress(server, query), service, signal);
      const problem = problemOf(answer, service);
      if (problem !== undefined) throw new ToolInputError(problem);
      return { hits: hitsIn(fields(answer.document)['results'], 'content'), spent: { usage: NO_USAGE, costUsd: 0 } };
    },
  };
}

function problemOf(answer: ServiceAnswer, service: Service): Failure | string | undefined {
  if (answer.status === 403) return NO_JSON;
  return commonProblem(answer, service) ?? (answer.document === undefined ? NO_JSON : undefined);
}

/** Addresses with credentials are rejected: they would be shown in messages, and the platform's `fetch` does not take them. */
function serverAddress(url: string): URL | undefined {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || address.username !== '' || address.password !== '') return undefined;
  return /^https?:$/.test(address.protocol) ? address : undefined;
}

/** A server can be below a path. Its `/search` itself is understood, too. */
function searchAddress(server: URL, query: string): URL {
  const address = new URL(server);
  address.pathname = `${server.pathname.replace(/\/+$/, '').replace(/\/search$/, '')}/search`;
  address.search = new URLSearchParams({ q: query, format: 'json' }).toString();
  address.hash = '';
  return address;
}
