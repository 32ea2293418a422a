/**
 * The body of a response as text.
 * @throws RangeError when it has more than `maxBytes`; the connection is closed then.
 */
export async function limitedText({ body }: Response, maxBytes: number): Promise<string> {
  return body === null ? '' : read(body, maxBytes);
}

async function read(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<string> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    size += step.value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      throw new RangeError(`The body has more than ${maxBytes} bytes.`);
    }
    chunks.push(step.value);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
