import { describe, expect, it } from 'vitest';
import { imageTypeOf } from '../../../../../src/domain/model/image-type.js';
import { isWholeImage } from '../../../../../src/node/files/images/fit-image.js';

const IMAGES: Readonly<Record<string, string>> = {
  'image/png': 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'image/gif': 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  'image/webp': 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA',
};

describe('isWholeImage', () => {
  it.each(Object.entries(IMAGES))('stream-23: takes a whole %s and no part of it', (type, base64) => {
    const bytes = Buffer.from(base64, 'base64');
    const found = imageTypeOf(bytes);
    expect(found).toBe(type);
    if (found === undefined) return;
    expect(isWholeImage(bytes, found)).toBe(true);
    for (let length = 12; length < bytes.length - 1; length += 1) expect(isWholeImage(bytes.subarray(0, length), found), String(length)).toBe(false);
  });

  it('stream-23: wants a scan and its end in a jpeg', () => {
    const jpeg = Buffer.from('ffd8ffe000040000ffda00021234ffd9', 'hex');
    expect(isWholeImage(jpeg, 'image/jpeg')).toBe(true);
    expect(isWholeImage(Buffer.concat([jpeg, Buffer.from('more')]), 'image/jpeg')).toBe(true);
    expect(isWholeImage(jpeg.subarray(0, -2), 'image/jpeg')).toBe(false);
    expect(isWholeImage(Buffer.from('ffd8ffe000040000ffd9', 'hex'), 'image/jpeg')).toBe(false);
  });

  it('stream-23: sees damage in the middle of a png', () => {
    const bytes = Buffer.from(IMAGES['image/png'] ?? '', 'base64');
    for (let at = 12; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged.writeUInt8((bytes[at] ?? 0) ^ 1, at);
      expect(isWholeImage(damaged, 'image/png'), String(at)).toBe(false);
    }
  });
});
