import { readFileSync } from 'node:fs';
import { encode as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { textTokens } from '../../../src/text/text-tokens.js';

const file = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
const numbered = (text: string): string =>
  text
    .split('\n')
    .map((line, index) => `${String(index + 1).padStart(6)}\t${line}`)
    .join('\n');

const CHINESE = '在软件开发中，我们经常需要处理大量的文本数据。请先阅读项目中的说明文件，然后再修改代码。如果测试失败，请找出原因并修复，而不是绕过测试。';
const JAPANESE = 'ソフトウェア開発では、テストを書くことがとても重要です。まず失敗するテストを見つけて、原因を調べてください。その後、コードを修正します。';
const KOREAN = '소프트웨어 개발에서는 테스트가 매우 중요합니다. 먼저 실패하는 테스트를 찾고 원인을 조사하세요. 그런 다음 코드를 수정합니다.';
const RUSSIAN = 'В разработке программного обеспечения очень важны тесты. Сначала найдите тест, который не проходит, и выясните причину.';

describe('the estimate against a tokenizer', () => {
  test.each([
    ['prose', file('docs/architecture.md')],
    ['Markdown', file('README.md')],
    ['a license', file('LICENSE')],
    ['code', file('src/engine/tool-call/tool-call.ts')],
    ['numbered code', numbered(file('src/engine/wire.ts'))],
    ['JSON', file('package.json')],
    ['JSON on one line', JSON.stringify(JSON.parse(file('package.json')))],
    ['JSON full of hashes', file('package-lock.json').slice(0, 30_000)],
    ['a log', '2026-01-01T12:34:56.789Z [info] GET /api/v1/users/123 200 15ms\n'.repeat(100)],
  ])('%s: 10 percent too low to 25 percent too high', (_kind, text) => {
    const tokens = o200k(text).length;
    expect(textTokens(text) / tokens).toBeGreaterThan(0.9);
    expect(textTokens(text) / tokens).toBeLessThan(1.25);
  });

  test.each([
    ['Chinese', CHINESE],
    ['Japanese', JAPANESE],
    ['Korean', KOREAN],
    ['Russian', RUSSIAN],
  ])('%s: between 10 percent below the dearer tokenizer and twice the cheaper one', (_language, text) => {
    expect(textTokens(text)).toBeGreaterThan(0.9 * cl100k(text).length);
    expect(textTokens(text)).toBeLessThan(2 * o200k(text).length);
  });

  test('long texts are measured in samples, as well as short ones', () => {
    const text = file('package-lock.json');
    expect(text.length).toBeGreaterThan(100_000);
    expect(textTokens(text) / o200k(text).length).toBeGreaterThan(0.85);
    expect(textTokens(text) / o200k(text).length).toBeLessThan(1.25);
  });
});

test('nothing is nothing; no other text is worth less than one token', () => {
  expect(textTokens('')).toBe(0);
  for (const text of ['a', ' a', '\n', '1', 'ä', '😀', '\ud83d', '\0']) expect(textTokens(text)).toBeGreaterThanOrEqual(1);
});

test('of 20 MB a token for each word', () => {
  const words = 4_000_000;
  expect(textTokens('word '.repeat(words)) / words).toBeGreaterThan(0.9);
  expect(textTokens('word '.repeat(words)) / words).toBeLessThan(1.25);
});
