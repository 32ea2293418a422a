import { twelveCharacters } from './bulk.js';
import { type StreamReply, reply } from './reply.js';
import type { Script } from './server.js';
import { lastUserText } from './wire.js';

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
