import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { ToolInputError } from '../../domain/errors.js';

/** Not in every version of Node that VS Code has come with. */
const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Transform };

/** Compressions that can be undone, as the header `Accept-Encoding` names them. */
export const ENCODINGS = ['gzip', 'deflate', 'br', ...(createZstdDecompress === undefined ? [] : ['zstd'])].join(', ');

/**
 * The content of an answer, decompressed, up to a limit: what follows is neither decompressed nor waited for, so
 * that a small file that unpacks to an endless one does no harm (tool-18).
 * @throws ToolInputError for a compression that is not known or is broken.
 */
export async function readBody(answer: IncomingMessage, limit: number): Promise<{ readonly bytes: Buffer; readonly truncated: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of decompressed(answer, limit)) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > limit) break;
    }
  } finally {
    answer.destroy();
  }
  return { bytes: Buffer.concat(chunks).subarray(0, limit), truncated: size > limit };
}

function decompressed(answer: IncomingMessage, limit: number): AsyncIterable<unknown> {
  const coding = (answer.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return answer;
  const decoder = decoderFor(coding);
  if (decoder === undefined) throw new ToolInputError('The answer is compressed in a way that is not known here.');
  let received = 0;
  answer.on('data', (chunk: Buffer) => {
    received += chunk.length;
    // Input without output: no text needs more bytes packed than unpacked.
    if (received > limit * 2) answer.destroy(new ToolInputError('The answer is compressed in a way that makes no sense.'));
  });
  answer.on('error', (error) => decoder.destroy(error));
  return answer.pipe(decoder);
}

function decoderFor(coding: string): Transform | undefined {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return zlib.createUnzip();
    case 'br':
      return zlib.createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress?.();
    default:
      return undefined;
  }
}
