import { twelveCharacters } from './bulk.js';
import { type Reply, type StreamReply, reply } from './reply.js';
import type { ModelServer, RecordedRequest, Script } from './server.js';
import { lastToolResults, lastUserText, resultText } from './wire.js';

const encoded = new Map<number, StreamReply>();

/**
 * Answers by what the prompt says: `bulk 20000` gives that many deltas of 12 characters at full speed, anything else
 * a short greeting at once. The deltas are encoded when they are first asked for, so warm up before measuring.
 */
export const promptedScript: Script = ({ body }) => {
  const bulk = /\bbulk (\d+)\b/.exec(lastUserText(body));
  return bulk === null ? reply().text('Hello. ', 'I am the scripted model.') : bulkReply(Number(bulk[1]));
};

function bulkReply(count: number): StreamReply {
  const present = encoded.get(count);
  if (present !== undefined) return present;
  const made = reply().bulk(count, twelveCharacters);
  encoded.set(count, made);
  return made;
}

/** A script: the first answer to a message is the one given; what the tools said is answered with a closing word. */
export function answering(first: Reply, last = 'That was all.'): (request: RecordedRequest) => Reply {
  return ({ body }) => (lastToolResults(body).length > 0 ? reply().text(last) : first);
}

/** What the tools told the model in the latest request to a server, in the order of its calls. */
export function toolResults({ requests }: Pick<ModelServer, 'requests'>): readonly string[] {
  const latest = requests.at(-1);
  return latest === undefined ? [] : lastToolResults(latest.body).map(resultText);
}
