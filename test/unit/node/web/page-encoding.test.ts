import { describe, expect, test } from 'vitest';
import { decodedPage } from '../../../../src/node/web/page-encoding.js';

/** Encodings with a text in each, as Python encodes it. */
const SAMPLES: readonly (readonly [label: string, text: string, hex: string])[] = [
  ['shift_jis', '日本語のテキスト、①', '93fa967b8cea82cc8365834c8358836781418740'],
  ['euc-jp', '日本語のテキスト、', 'c6fccbdcb8eca4cea5c6a5ada5b9a5c8a1a2'],
  ['iso-2022-jp', '日本語のテキスト、', '1b2442467c4b5c386c244e2546252d2539254821221b2842'],
  ['gbk', '中文简体，测试', 'd6d0cec4bcf2cce5a3acb2e2cad4'],
  ['gb2312', '中文简体，测试', 'd6d0cec4bcf2cce5a3acb2e2cad4'],
  ['gb18030', '中文简体，测试💩', 'd6d0cec4bcf2cce5a3acb2e2cad49439da33'],
  ['big5', '中文繁體，測試', 'a4a4a4e5c163c5e9a141b4fab8d5'],
  ['euc-kr', '한국어 똠방각하 펲', 'c7d1b1b9beee208c63b9e6b0a2c7cf20bc84'],
  ['windows-949', '한국어 똠방각하 펲', 'c7d1b1b9beee208c63b9e6b0a2c7cf20bc84'],
  ['ks_c_5601-1987', '한국어 똠방각하 펲', 'c7d1b1b9beee208c63b9e6b0a2c7cf20bc84'],
  ['windows-1251', 'Привет, мир', 'cff0e8e2e5f22c20ece8f0'],
  ['koi8-r', 'Привет, мир', 'f0d2c9d7c5d42c20cdc9d2'],
  ['koi8-u', 'Україна', 'f5cbd2c1a7cec1'],
  ['ibm866', 'Привет, мир', '8fe0a8a2a5e22c20aca8e0'],
  ['iso-8859-5', 'Привет, мир', 'bfe0d8d2d5e22c20dcd8e0'],
  ['windows-1253', 'Γειά σου', 'c3e5e9dc20f3eff5'],
  ['iso-8859-7', 'Γειά σου', 'c3e5e9dc20f3eff5'],
  ['windows-1255', 'שלום', 'f9ece5ed'],
  ['windows-1256', 'مرحبا', 'e3d1cdc8c7'],
  ['windows-874', 'สวัสดี', 'cac7d1cab4d5'],
  ['tis-620', 'สวัสดี', 'cac7d1cab4d5'],
  ['iso-8859-9', 'Türkçe ığş', '54fc726be76520fdf0fe'],
  ['iso-8859-2', 'Zażółć gęślą', '5a61bff3b3e62067eab66cb1'],
  ['windows-1250', 'Zażółć gęślą', '5a61bff3b3e62067ea9c6cb9'],
  ['iso-8859-15', 'Œuvre à 5 €', 'bc7576726520e0203520a4'],
  ['iso-8859-1', '“Grün” – 5 €', '934772fc6e94209620352080'],
  ['us-ascii', '“Grün” – 5 €', '934772fc6e94209620352080'],
  ['macintosh', 'Grün', '47729f6e'],
  ['utf-16le', 'Grün 中', '47007200fc006e0020002d4e'],
  ['utf-16be', 'Grün 中', '0047007200fc006e00204e2d'],
  ['utf-8', 'Grün 中', '4772c3bc6e20e4b8ad'],
];

const bytesOf = (hex: string, before = '', after = ''): Uint8Array =>
  Buffer.concat([Buffer.from(before, 'latin1'), Buffer.from(hex, 'hex'), Buffer.from(after, 'latin1')]);
const isWide = (label: string): boolean => label.startsWith('utf-16');

describe.each(SAMPLES)('a page in %s', (label, text, hex) => {
  test.each([`text/plain; charset=${label}`, `Text/HTML;charset="${label.toUpperCase()}"`, `text/html; a=b; charset = '${label}'; c=d`])(
    'by the header %s',
    (header) => {
      expect(decodedPage(bytesOf(hex), header)).toEqual({ text });
    },
  );

  const ways = [
    `<meta charset="${label}">`,
    `<META Charset=${label}>`,
    `<meta http-equiv="Content-Type" content="text/html; charset=${label}">`,
    `<?xml version="1.0" encoding="${label}"?>`,
  ];
  // Words in ASCII cannot be in UTF-16.
  test.each(isWide(label) ? [] : ways)('by what it says: %s', (said) => {
    expect(decodedPage(bytesOf(hex, `${said}<p>`), 'text/html').text).toBe(`${said}<p>${text}`);
    // A name that no one knows is as none.
    expect(decodedPage(bytesOf(hex, `${said}<p>`), 'text/html; charset=klingon').text).toBe(`${said}<p>${text}`);
  });

  test('cut within a character', () => {
    const { text: cut, unread } = decodedPage(bytesOf(hex).subarray(0, -1), `text/plain; charset=${label}`);
    expect(unread).toBeUndefined();
    expect(text.startsWith(cut.replace(/\uFFFD$/, ''))).toBe(true);
  });
});

const japanese = SAMPLES[0]?.[2] ?? '';

test('a mark goes before the header, and the header before the page', () => {
  const utf8 = Buffer.from('\uFEFFgrün');
  expect(decodedPage(utf8, 'text/plain; charset=shift_jis').text).toBe('grün');
  expect(decodedPage(bytesOf(japanese, '<meta charset="koi8-r">'), 'text/html; charset=shift_jis').text).toContain('日本語');
});

test('comments, scripts, and prose name no encoding', () => {
  for (const said of [
    '<!-- <meta charset="shift_jis"> -->',
    '<script charset="shift_jis"></script>',
    'Set charset=shift_jis',
    '<a title="charset=shift_jis">',
  ]) {
    expect(decodedPage(Buffer.from(`${said} grün`), 'text/html').text).toBe(`${said} grün`);
    expect(decodedPage(bytesOf(japanese, said), 'text/html').unread).toEqual({ encoding: undefined });
  }
});

test.each(SAMPLES.filter(([label]) => /^(?:shift_jis|euc-jp|gbk|gb18030|big5|euc-kr|windows-125[1356]|koi8-r|windows-874)$/.test(label)))(
  'a page in %s that names none is not shown as another',
  (_label, _text, hex) => {
    const { text, unread } = decodedPage(bytesOf(hex, '<h1>API</h1> get(', ')'), 'text/html');
    expect(unread).toEqual({ encoding: undefined });
    expect(text).toMatch(/^<h1>API<\/h1> get\(\uFFFD[ -~\uFFFD]*\)$/);
  },
);

test.each([
  ['ja', 'shift_jis'],
  ['ja-JP', 'euc-jp'],
  ['zh-CN', 'gbk'],
  ['zh-TW', 'big5'],
  ['zh-Hant-HK', 'big5'],
  ['ko', 'euc-kr'],
  ['ru', 'windows-1251'],
  ['el', 'windows-1253'],
  ['he', 'windows-1255'],
  ['th', 'windows-874'],
])('a page in the language %s that names none is in %s', (language, label) => {
  const [, text = '', hex = ''] = SAMPLES.find(([name]) => name === label) ?? [];
  expect(decodedPage(bytesOf(hex, `<html lang="${language}">`), 'text/html')).toEqual({ text: `<html lang="${language}">${text}` });
});

test.each(['hz-gb-2312', 'iso-2022-kr', 'iso-2022-cn', 'utf-7'])('a page in %s, which looks like ASCII, is not taken for it', (label) => {
  expect(decodedPage(bytesOf('', '~{VPND~}'), `text/plain; charset=${label}`).unread).toEqual({ encoding: label });
});

test('a page that names no encoding that there is, is UTF-8 or Western where it looks so, and told of where it does not', () => {
  expect(decodedPage(Buffer.from('grün 中'), 'text/plain; charset=klingon')).toEqual({ text: 'grün 中' });
  expect(decodedPage(Buffer.from('Das ist gr\xfcn, \x93so\x94.', 'latin1'), 'text/plain; charset=klingon')).toEqual({ text: 'Das ist grün, “so”.' });
  expect(decodedPage(bytesOf(japanese), 'text/plain; charset=klingon').unread).toEqual({ encoding: 'klingon' });
});

test('a page that is in UTF-8, whatever it says, is shown as such where it cannot be what it says', () => {
  expect(decodedPage(Buffer.from('日本語テキスト、测试'), 'text/html; charset=euc-jp').text).toBe('日本語テキスト、测试');
});
