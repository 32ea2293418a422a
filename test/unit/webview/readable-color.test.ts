import { describe, expect, test } from 'vitest';
import { type Rgba, over, parseColor, readableColor } from '../../../webview/state/readable-color.js';

const color = (text: string): Rgba => parseColor(text) ?? expect.unreachable(text);

describe('colors of code', () => {
  test.each([
    ['#ff8000', { rgb: [255, 128, 0], alpha: 1 }],
    ['#FF800080', { rgb: [255, 128, 0], alpha: 128 / 255 }],
    ['rgb(1, 2, 3)', { rgb: [1, 2, 3], alpha: 1 }],
    ['rgba(1 2 3 / 0.5)', { rgb: [1, 2, 3], alpha: 0.5 }],
    ['red', undefined],
    ['url(x)', undefined],
    ['rgb(1, 2)', undefined],
    ['', undefined],
  ])('%s', (text, expected) => {
    expect(parseColor(text)).toEqual(expected);
  });

  test('stay as they are where they can be read, and are drawn towards plain text where they cannot', () => {
    const [black, white] = [color('#000000'), color('#ffffff')];
    expect(readableColor(color('#6a9955'), black, white)).toBe('rgb(106, 153, 85)');
    expect(readableColor(color('#202020'), black, white)).toBe('rgb(121, 121, 121)');
    expect(readableColor(color('#ffff80'), white, black)).toBe('rgb(102, 102, 51)');
    expect(readableColor(color('#101010'), black, black)).toBe('rgb(0, 0, 0)');
  });

  test('that are not opaque are seen with what lies behind', () => {
    expect(over(color('rgba(255, 255, 255, 0.5)'), color('#000000')).rgb).toEqual([127.5, 127.5, 127.5]);
  });
});
