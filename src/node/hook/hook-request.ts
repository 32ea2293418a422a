import { errorMessage } from '../../domain/errors.js';
import type { HookHandler } from '../../domain/hook/definition.js';
import type { HookAnswer, HookStart } from '../../domain/hook/runner.js';
import { t } from '../../domain/l10n.js';
import { Kept } from './kept.js';

/** Bytes of a response that are read. */
const MAX_BODY = 1024 * 1024;
/** A variable in a header, as in `Bearer $TOKEN`. */
const VARIABLE = /\$\{(\w+)\}|\$(\w+)/g;

type HttpHandler = Extract<HookHandler, { type: 'http' }>;

/** Posts what happened to a server, without following redirects. Does not reject. */
export async function postHook({ handler, input, timeoutMs }: HookStart & { readonly handler: HttpHandler }, signal: AbortSignal): Promise<HookAnswer> {
  const start = performance.now();
  const late = AbortSignal.timeout(timeoutMs);
  const took = (): { readonly durationMs: number } => ({ durationMs: performance.now() - start });
  try {
    const headers = { 'content-type': 'application/json', 'user-agent': 'Gnomon', ...headersOf(handler) };
    const response = await fetch(handler.url, { method: 'POST', body: input, headers, redirect: 'manual', signal: AbortSignal.any([signal, late]) });
    const body = new Kept(MAX_BODY);
    for await (const chunk of response.body ?? []) {
      body.add(chunk as Uint8Array);
      if (body.isCut) break;
    }
    return { type: 'responded', status: response.status, body: body.bytes, ...(body.isCut ? { cut: true as const } : {}), ...took() };
  } catch (error) {
    if (signal.aborted) return { type: 'aborted', ...took() };
    if (late.aborted) return { type: 'timed_out', stderr: '', ...took() };
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return { type: 'not_started', why: t('{0} could not be reached: {1}', new URL(handler.url).host, errorMessage(cause)), ...took() };
  }
}

/** Only variables that the hook names get into its headers. */
function headersOf({ headers, allowedEnvVars }: HttpHandler): Readonly<Record<string, string>> {
  const value = (text: string): string => text.replace(VARIABLE, (_all, braced: string | undefined, plain: string | undefined) => {
    const name = braced ?? plain ?? '';
    return allowedEnvVars.includes(name) ? (process.env[name] ?? '') : '';
  });
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, value(text)]));
}
