/**
 * The hostile server without a transport: what it answers to which message. Without a trick it is a small, honest server; a trick
 * replaces some of that. No dependency, so that it also runs where nothing is installed.
 * @typedef {{ jsonrpc?: string, id?: string | number, method?: string, params?: any, result?: any, error?: any }} Message
 * @typedef {Readonly<Record<string, unknown>>} Json
 *
 * @typedef {object} Exchange What a trick gets with a request.
 * @property {any} params of the request
 * @property {(result: Json) => void} reply answers the request
 * @property {(code: number, message: string) => void} fail answers it with an error
 * @property {(method: string, params?: Json) => void} notify sends a notification
 * @property {(message: Json) => void} send sends any message
 * @property {(text: string) => void} raw writes to the standard output, past all rules; only over stdio
 * @property {number} calls how many calls came before
 * @property {string} argument of the trick
 * @property {string | number} id of the request
 *
 * @typedef {object} Trick
 * @property {'legacy' | 'modern'} [era] `legacy` unless it says otherwise
 * @property {(exchange: Exchange) => void} [initialize] answers `initialize`, and `server/discover` in the modern era
 * @property {(argument: string) => readonly Json[]} [tools]
 * @property {(exchange: Exchange) => void} [list] answers `tools/list`
 * @property {(exchange: Exchange) => void} [call] answers `tools/call`
 * @property {(exchange: Exchange) => void} [probe] answers `server/discover` in the legacy era
 * @property {(argument: string) => void} [started] is called when the process has started, before anything is read
 * @property {(exchange: Pick<Exchange, 'notify' | 'send' | 'raw'>) => void} [opened] is called when the handshake is over
 */

/** The revision that an honest server of each era speaks. */
export const REVISIONS = { legacy: '2025-11-25', modern: '2026-07-28' };

/** What the server says it is. */
export const SERVER_INFO = { name: 'hostile', version: '1.0.0' };

/** What every list and the first answer of the modern era carry. */
const FRESH = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/** @type {Json} */
const CAPABILITIES = { tools: { listChanged: true } };

/** @param {string} name @param {Json} [more] @returns {Json} A tool that takes a text. */
export function tool(name, more = {}) {
  return { name, description: `Gives its text back as ${name}.`, inputSchema: { type: 'object', properties: { text: { type: 'string' } } }, ...more };
}

/** @param {string} value @returns {Json} A result of a call. */
export function text(value) {
  return { content: [{ type: 'text', text: value }] };
}

/** Stands for a schema that is nested {@link DEPTH} times; `JSON.stringify` itself could not write that. */
export const DEEP = '@deep';
const DEPTH = 5_000;

/** @param {Json} message @returns {string} One line. */
export function serialize(message) {
  return JSON.stringify(message).replace(JSON.stringify(DEEP), () => `${'{"type":"object","properties":{"x":'.repeat(DEPTH)}{}${'}}'.repeat(DEPTH)}`);
}

/** Answers messages as a trick has it. One for each connection. */
export class Behavior {
  /**
   * @param {Trick} trick
   * @param {string} argument
   */
  constructor(trick, argument) {
    this.trick = trick;
    this.argument = argument;
    this.era = trick.era ?? 'legacy';
    this.calls = 0;
  }

  /**
   * @param {Message} message
   * @param {(message: Json) => void} send
   * @param {(text: string) => void} raw
   */
  receive(message, send, raw) {
    /** @param {string} method @param {Json} [params] */
    const notify = (method, params) => send({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) });
    if (message.method === 'notifications/initialized') this.trick.opened?.({ notify, send, raw });
    if (message.method === undefined || message.id === undefined) return;
    const { id } = message;
    const reply = /** @param {Json} result */ (result) => send({ jsonrpc: '2.0', id, result: this.era === 'modern' ? { ...FRESH, ...result } : result });
    const fail = /** @param {number} code @param {string} problem */ (code, problem) => send({ jsonrpc: '2.0', id, error: { code, message: problem } });
    const exchange = { params: message.params ?? {}, reply, fail, notify, send, raw, calls: this.calls, argument: this.argument, id };
    this.handler(message.method)(exchange);
  }

  /**
   * @param {string} method
   * @returns {(exchange: Exchange) => void} what answers a request
   */
  handler(method) {
    const { trick, era } = this;
    const modern = era === 'modern';
    switch (method) {
      case 'server/discover':
        return modern ? (trick.initialize ?? discover) : (trick.probe ?? unknown);
      case 'initialize':
        return modern ? unknown : (trick.initialize ?? ((exchange) => initialize(exchange, REVISIONS.legacy)));
      case 'tools/list':
        return trick.list ?? (({ reply, argument }) => reply({ tools: trick.tools?.(argument) ?? [tool('echo')] }));
      case 'tools/call':
        this.calls += 1;
        return trick.call ?? (({ reply, params }) => reply(text(String(params.arguments?.text ?? ''))));
      case 'ping':
        return ({ reply }) => reply({});
      case 'subscriptions/listen':
        return modern ? acknowledge : unknown;
      default:
        return unknown;
    }
  }
}

/** @param {Exchange} exchange */
function unknown({ fail }) {
  fail(-32601, 'Method not found');
}

/** @param {Exchange} exchange Has the client listen, for as long as it likes. */
function acknowledge({ notify, params, id }) {
  notify('notifications/subscriptions/acknowledged', { notifications: params.notifications ?? {}, _meta: { 'io.modelcontextprotocol/subscriptionId': id } });
}

/** @param {Exchange} exchange @param {string} protocolVersion Answers the handshake of the older revisions. */
export function initialize({ reply }, protocolVersion) {
  reply({ protocolVersion, capabilities: CAPABILITIES, serverInfo: SERVER_INFO });
}

/** @param {Exchange} exchange */
function discover({ reply }) {
  reply({ supportedVersions: [REVISIONS.modern], capabilities: CAPABILITIES, _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO } });
}
