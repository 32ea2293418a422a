import { errorMessage } from '../../domain/errors.js';
import type { HookHandler } from '../../domain/hook/definition.js';
import type { CallbackHooks, HookAnswer, HookRunner, HookStart } from '../../domain/hook/runner.js';
import { t } from '../../domain/l10n.js';
import { HookProcess, Kept, type WithoutTime } from './hook-process.js';

/** The longest time that a timer of Node takes, in milliseconds; more would end at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Bytes of a response that are read. */
const MAX_BODY = 1024 * 1024;
/** A variable in a header, as in `Bearer $TOKEN`. */
const VARIABLE = /\$\{(\w+)\}|\$(\w+)/g;

type HttpHandler = Extract<HookHandler, { type: 'http' }>;

/** What is posted: the hook, its input, and its time in milliseconds. */
interface Posted {
  readonly handler: HttpHandler;
  readonly input: string;
  readonly timeoutMs: number;
}

/** How a request ended. */
type RequestEnd = WithoutTime<Extract<HookAnswer, { type: 'responded' | 'timed_out' | 'aborted' | 'not_started' }>>;

/**
 * Posts what happened to a server, without following redirects. The server may be on this machine, for the user approved its address.
 * @throws Error with a sentence for users when the address or a header cannot be used; what it contains is not repeated.
 */
async function postHook({ handler, input, timeoutMs }: Posted, signal: AbortSignal): Promise<RequestEnd> {
  const url = addressOf(handler);
  const headers = headersOf(handler);
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { method: 'POST', body: input, headers, redirect: 'manual', signal: AbortSignal.any([signal, late]) });
    const body = new Kept(MAX_BODY);
    for await (const chunk of response.body ?? []) {
      body.add(chunk as Uint8Array);
      if (body.isCut) break;
    }
    return { type: 'responded', status: response.status, body: body.bytes, ...(body.isCut ? { cut: true as const } : {}) };
  } catch (error) {
    if (signal.aborted) return { type: 'aborted' };
    if (late.aborted) return { type: 'timed_out', stderr: '' };
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return { type: 'not_started', why: t('{0} could not be reached: {1}', url.host, errorMessage(cause)) };
  }
}

/** Only these two protocols, and no password in the address, where it would be shown. */
function addressOf({ url: text }: HttpHandler): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) throw new Error(t('The address of the hook does not begin with http:// or https://.'));
  if (url.username !== '' || url.password !== '') throw new Error(t('The address of the hook contains a user name or password. Use a header instead.'));
  return url;
}

/** Only variables that the hook names get into its headers. */
function headersOf({ headers, allowedEnvVars }: HttpHandler): Headers {
  const value = (text: string): string =>
    text.replace(VARIABLE, (_all, braced: string | undefined, plain: string | undefined) => {
      const name = braced ?? plain ?? '';
      return allowedEnvVars.includes(name) ? (process.env[name] ?? '') : '';
    });
  const all = new Headers({ 'content-type': 'application/json', 'user-agent': 'Gnomon' });
  for (const [name, text] of Object.entries(headers)) {
    try {
      all.set(name, value(text));
    } catch {
      // What the system says repeats the value, which may be a key.
      throw new Error(t('The header {0} of the hook contains characters that a header cannot have.', name));
    }
  }
  return all;
}

/** Starts hooks on this machine: command lines in the user's shell, programs without one, and requests. */
export function createHookRunner(callbacks?: CallbackHooks): HookRunner {
  const running = new Set<HookProcess>();
  const disposed = new AbortController();
  const answerTo = async (start: HookStart, signal: AbortSignal): Promise<WithoutTime<HookAnswer>> => {
    const { handler, input, timeoutMs } = start;
    if (signal.aborted) return { type: 'aborted' };
    if (handler.type === 'http') return postHook({ handler, input, timeoutMs }, signal);
    if (handler.type === 'callback') return calledBack(handler.id, { input, timeoutMs, callbacks }, signal);
    const hook = await HookProcess.start({ ...start, handler });
    running.add(hook);
    void hook.gone.then(() => running.delete(hook));
    return hook.run(input, timeoutMs, signal);
  };
  return {
    async run(start, signal) {
      const begun = performance.now();
      const timeoutMs = Math.min(Math.max(1, Math.floor(start.timeoutMs)), MAX_TIMEOUT_MS);
      const answer = await answerTo({ ...start, timeoutMs }, AbortSignal.any([signal, disposed.signal])).catch((error: unknown) => ({
        type: 'not_started' as const,
        why: errorMessage(error),
      }));
      return { ...answer, durationMs: performance.now() - begun };
    },
    dispose() {
      disposed.abort();
      for (const hook of running) void hook.kill();
    },
  };
}

/** The answer of a function of the program that started Gnomon, as if it had been printed. */
async function calledBack(
  id: string,
  { input, timeoutMs, callbacks }: Pick<HookStart, 'input' | 'timeoutMs'> & { readonly callbacks: CallbackHooks | undefined },
  signal: AbortSignal,
): Promise<WithoutTime<HookAnswer>> {
  if (callbacks === undefined) throw new Error(t('The program that started Gnomon has no such hook.'));
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await callbacks.call(id, JSON.parse(input), AbortSignal.any([signal, late]));
    return { type: 'exited', exitCode: 0, stdout: Buffer.from(JSON.stringify(answer ?? {})), stderr: '' };
  } catch (error) {
    if (signal.aborted) return { type: 'aborted' };
    if (late.aborted) return { type: 'timed_out', stderr: '' };
    throw error;
  }
}
