import { APIError, Stream } from './sdk.js';
import type { ServerSentEvent } from './sdk.js';
import type { RawEvent } from './stream.js';

type Step = IteratorResult<RawEvent, undefined>;

/** How streams of another API end; some gateways end every stream so. */
const END_OF_OTHER_API = '[DONE]';

/**
 * The events of a response. Their type is in their data too, so the stream of a gateway that leaves out the lines
 * `event:` reads the same; the SDK's own reader would pass over all of it. An iterator written by hand: an
 * `async function*` would add three promises to every delta.
 */
export class RawEvents implements AsyncIterator<RawEvent, undefined> {
  private readonly headers: Headers;
  private readonly messages: AsyncIterator<ServerSentEvent, void>;

  constructor(response: Response) {
    this.headers = response.headers;
    this.messages = Stream.rawEvents(response);
  }

  /**
   * The next event that is more than a sign of life.
   * @throws APIError for an error in the stream, SyntaxError for data that is not JSON
   */
  next(): Promise<Step> {
    return this.messages.next().then(this.arrived);
  }

  private readonly arrived = (step: IteratorResult<ServerSentEvent, void>): Step | Promise<Step> => {
    if (step.done === true) return { done: true, value: undefined };
    const { event, data } = step.value;
    if (event === 'error') throw this.failure(errorBody(data));
    if (event === 'ping' || data === '' || data === END_OF_OTHER_API) return this.next();
    const value: unknown = JSON.parse(data);
    if (isError(value)) throw this.failure(value);
    // Its fields are validated where they are read.
    return { done: false, value: value as RawEvent };
  };

  private failure(body: object): APIError<undefined, Headers> {
    return new APIError(undefined, body, undefined, this.headers);
  }
}

function isError(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'error';
}

/** The body of an error. Data in another form than the API's becomes the message. */
function errorBody(data: string): object {
  try {
    const body: unknown = JSON.parse(data);
    if (typeof body === 'object' && body !== null) return body;
  } catch {
    // Told below.
  }
  return { error: { message: data } };
}
