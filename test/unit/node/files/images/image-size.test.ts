import { describe, expect, it } from 'vitest';
import { imageTypeOf } from '../../../../../src/domain/model/image-type.js';
import { imageSizeOf } from '../../../../../src/node/files/images/fit-image.js';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const ascii = (text: string): string => Buffer.from(text).toString('hex');

const images: readonly [string, Buffer, { width: number; height: number }][] = [
  ['image/png', hex(`89504e470d0a1a0a 0000000d 49484452 00000140 000000f0`), { width: 320, height: 240 }],
  ['image/gif', hex(`${ascii('GIF89a')} 4001 f000 00`), { width: 320, height: 240 }],
  ['image/jpeg', hex('ffd8 ffe0 0004 0000 ffc4 0003 00 ffff c2 0011 08 00f0 0140 03'), { width: 320, height: 240 }],
  ['image/webp', hex(`${ascii('RIFF')} 00000000 ${ascii('WEBPVP8 ')} 00000000 000000 9d012a 4001 f000`), { width: 320, height: 240 }],
  ['image/webp', hex(`${ascii('RIFF')} 00000000 ${ascii('WEBPVP8L')} 00000000 2f 3fc13b00`), { width: 320, height: 240 }],
  ['image/webp', hex(`${ascii('RIFF')} 00000000 ${ascii('WEBPVP8X')} 0a000000 00000000 3f0100 ef0000`), { width: 320, height: 240 }],
];

describe('images', () => {
  it.each(images)('%s is known by its bytes, and its size found', (type, bytes, size) => {
    const found = imageTypeOf(bytes);
    expect(found).toBe(type);
    expect(found === undefined ? undefined : imageSizeOf(bytes, found)).toEqual(size);
  });

  it.each(images)('%s cut off anywhere has no size, and breaks nothing', (type, bytes) => {
    for (let length = 12; length < bytes.length - 1; length += 1) {
      const found = imageTypeOf(bytes.subarray(0, length));
      expect(found).toBe(type);
      const size = found === undefined ? undefined : imageSizeOf(bytes.subarray(0, length), found);
      expect(size === undefined || (size.width === 320 && size.height === 240)).toBe(true);
    }
  });

  it('other files are no images', () => {
    for (const bytes of [Buffer.from(''), Buffer.from('<svg/>'), Buffer.from('RIFF0000WAVE')]) expect(imageTypeOf(bytes)).toBeUndefined();
  });
});
