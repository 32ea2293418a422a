import { crc32, deflateSync } from 'node:zlib';

/** A gray PNG that decodes, of a few bytes for every thousand pixels. */
export function grayPng(width: number, height: number): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits of gray for each pixel; a byte before each row says how it is filtered.
  header.writeUInt8(8, 8);
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
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
