import { crc32, deflateSync } from 'node:zlib';

/** A gray PNG that decodes, of a few bytes for every thousand pixels. */
export function grayPng(width: number, height: number): Buffer<ArrayBuffer> {
  // A byte before each row says how it is filtered.
  return pngOf(width, height, deflateSync(Buffer.alloc((width + 1) * height)));
}

/** A PNG that says what size it has; whether it decodes is up to its data. */
export function pngOf(width: number, height: number, data: Buffer): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits of gray for each pixel.
  header.writeUInt8(8, 8);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** Width and height of a PNG, in pixels. */
export function sizeOfPng(png: Buffer): readonly [number, number] {
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

function chunk(type: string, body: Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type), body, Buffer.alloc(4)]);
  bytes.writeUInt32BE(body.length, 0);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
  return bytes;
}
