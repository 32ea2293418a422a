import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type CallToolRequestParams,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { errorMessage } from '../../domain/errors.js';
import type { AskedPermission } from '../../domain/tool/asks.js';
import type { ApprovalAnswer } from '../../domain/tool/permission.js';
import { present } from '../../domain/present.js';
import type { Client } from './client.js';
import type { OpenCall } from './open-call.js';
import { Progress } from './progress.js';
import { permissionIn, questionForm } from './question.js';
import type { ServedSession } from './served-session.js';
import { wireFailure, wireResult } from './wire-result.js';

/** The library’s own time limit of questions: none, as people are asked. */
const FOREVER_MS = 2 ** 31 - 1;
/** Milliseconds after which a client that was given a question has forgotten it, if other calls wait. */
const PATIENCE_MS = 10 * 60_000;
/** The name of the question among those of a result. */
const QUESTION = 'permission';

/** What a request brings beside the call. */
export interface CallContext {
  readonly mcpReq: Pick<ServerContext['mcpReq'], 'signal' | '_meta' | 'inputResponses' | 'send' | 'notify'> & { readonly requestState: () => unknown };
}

/** A call whose client has a question of it, and no request open: it asks again with the answer (revision 2026-07-28, “Multi round-trip requests”). */
interface ParkedCall {
  readonly state: string;
  readonly call: OpenCall;
  readonly revision: number;
  readonly params: CallToolRequestParams;
  readonly expiry: NodeJS.Timeout;
}

/** The requests for calls: begins them, asks the user of the client about them, and answers with their results. */
export class CallRequests {
  /** By the state that only the client of the call was given. */
  private readonly parked = new Map<string, ParkedCall>();

  /** @param patienceMs another limit than the usual one */
  constructor(
    private readonly served: Pick<ServedSession, 'has' | 'begin' | 'answer' | 'hasOthers'>,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** @throws ProtocolError for a tool that there is not, and for a state that belongs to no call, or to another one */
  async answer(params: CallToolRequestParams, client: Client, context: CallContext): Promise<CallToolResult | InputRequiredResult> {
    const state = context.mcpReq.requestState();
    const call = state === undefined ? this.begin(params, client) : this.resume(state, params, context.mcpReq.inputResponses);
    return typeof call === 'string' ? wireFailure(call) : this.follow(call, { params, client, context });
  }

  /** @returns why it cannot be begun, in a sentence */
  private begin({ name, arguments: args = {} }: CallToolRequestParams, { words, canAsk }: Client): OpenCall | string {
    if (!this.served.has(name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool “${name.slice(0, 100)}”.`);
    const text = jsonOf(args);
    if (text === undefined) return `The arguments of ${name} are nested too deeply.`;
    return this.served.begin({ tool: name, args: text, client: words, canAsk }) ?? 'Too many calls are open. Wait for results before you make more.';
  }

  /** An answer counts for the call that was asked about alone, and once. */
  private resume(state: unknown, params: CallToolRequestParams, responses: Readonly<Record<string, unknown>> | undefined): OpenCall {
    const parked = typeof state === 'string' ? this.parked.get(state) : undefined;
    if (parked === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The requestState belongs to no call that waits.');
    const { call, revision } = parked;
    this.unpark(parked);
    const isSame = params.name === parked.params.name && isDeepStrictEqual(params.arguments, parked.params.arguments);
    this.served.answer(call, revision, isSame ? permissionIn(responses?.[QUESTION]) : { type: 'deny' });
    if (!isSame) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The requestState belongs to another call, which is denied.');
    return call;
  }

  private async follow(
    call: OpenCall,
    { params, client, context }: { readonly params: CallToolRequestParams; readonly client: Client; readonly context: CallContext },
  ): Promise<CallToolResult | InputRequiredResult> {
    const { signal } = context.mcpReq;
    const stop = (): void => call.stop();
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    const progress = progressOf(context);
    const stopNews = call.onNews((line) => progress?.tell(line));
    try {
      for (;;) {
        const next = await call.next();
        if (!('kind' in next)) return wireResult(next);
        const form = questionForm(next, client.words);
        if (form === undefined)
          this.reply(call, next, { type: 'deny', feedback: 'There is more in this call than can be shown to the user, so it is denied.' });
        else if (client.era === 'modern') return this.park(call, next, params, { [QUESTION]: inputRequired.elicit(form) });
        else this.reply(call, next, await askNow(context, form, call.over));
      }
    } finally {
      signal.removeEventListener('abort', stop);
      stopNews();
      progress?.end();
    }
  }

  private reply(call: OpenCall, ask: AskedPermission, answer: ApprovalAnswer): void {
    call.showed(ask);
    this.served.answer(call, ask.revision, answer);
  }

  private park(call: OpenCall, ask: AskedPermission, params: CallToolRequestParams, inputRequests: InputRequiredResult['inputRequests']): InputRequiredResult {
    const state = randomBytes(24).toString('base64url');
    const expire = (): void => {
      if (!this.served.hasOthers(call)) {
        parked.expiry.refresh();
        return;
      }
      this.unpark(parked);
      this.reply(call, ask, { type: 'deny', feedback: 'The question was not answered while other calls waited, so it is denied.' });
    };
    call.showed(ask);
    const parked: ParkedCall = { state, call, revision: ask.revision, params, expiry: setTimeout(expire, this.patienceMs).unref() };
    this.parked.set(state, parked);
    return inputRequired({ requestState: state, ...present({ inputRequests }) });
  }

  private unpark({ state, expiry }: ParkedCall): void {
    clearTimeout(expiry);
    this.parked.delete(state);
  }
}

/** A value as JSON; `undefined` for one that is nested too deeply to be written. */
function jsonOf(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Asks the user of a client of the revisions before 2026-07-28. Whatever goes wrong is a denial. */
async function askNow({ mcpReq }: CallContext, form: NonNullable<ReturnType<typeof questionForm>>, signal: AbortSignal): Promise<ApprovalAnswer> {
  try {
    // Whatever the answer is: what it means is decided below, and one that means nothing is told as such.
    return permissionIn(await mcpReq.send({ method: 'elicitation/create', params: { ...form } }, z.unknown(), { signal, timeout: FOREVER_MS }));
  } catch (error) {
    return { type: 'deny', feedback: `Nobody could be asked, so it is denied: ${errorMessage(error).slice(0, 300)}` };
  }
}

function progressOf({ mcpReq }: CallContext): Progress | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return new Progress((progress, message) => mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } }));
}
