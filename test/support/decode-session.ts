import { type DecodedSession, decodeSteps } from '../../src/session/codec/decode.js';

/** A v1 envelope, read in one go. @throws InvalidDataError naming place and problem */
export function decodeSession(bytes: Uint8Array): DecodedSession {
  const steps = decodeSteps(bytes);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
