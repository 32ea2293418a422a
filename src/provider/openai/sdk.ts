import { OpenAI } from 'openai/client';
import type { APIError } from 'openai/core/error';

export { APIConnectionError, APIError, APIUserAbortError } from 'openai/core/error';

/** A header list without the SDK's own measurements and without what the environment adds. */
type HeaderSource = () => Readonly<Record<string, string>>;

/**
 * The SDK's client, which sends the headers that it is given and no others: it would add facts of this machine, and
 * what the environment variable OPENAI_CUSTOM_HEADERS says, to every server.
 */
export class ChatClient extends OpenAI {
  /** The headers of every request. */
  headerSource: HeaderSource = () => ({});

  protected override prepareRequest(request: RequestInit): Promise<void> {
    request.headers = new Headers(this.headerSource());
    return Promise.resolve();
  }

  /** Keeps the whole body in the error: the SDK keeps only its field `error`, which not every server has. */
  protected override makeStatusError(status: number, body: object, message: string | undefined, headers: Headers): APIError {
    return super.makeStatusError(status, { error: body }, message, headers);
  }
}
