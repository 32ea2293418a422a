import type { TextCodec } from '../../edits/ledger-entry.js';
import { decodeText, encodeText, ENCODINGS } from '../../text/encoding.js';

/** Texts as the agent's tools read and write them. */
export const textCodec: TextCodec = {
  decode: decodeText,
  encode: (text, encoding) => {
    const known = ENCODINGS.find((name) => name === encoding);
    if (known === undefined) throw new Error(`Texts cannot be written as ${encoding}.`);
    return encodeText(text, known);
  },
};
