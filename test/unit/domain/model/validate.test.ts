import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_IMAGE_BYTES } from '../../../../src/domain/model/content.js';
import { InvalidDataError } from '../../../../src/domain/errors.js';
import { NO_USAGE } from '../../../../src/domain/model/usage.js';
import { validateMessage } from '../../../../src/domain/model/validate.js';
import { messages } from '../../../support/arbitraries.js';

const AT = '2026-01-02T03:04:05Z';
const BLOCKS = {
  text: { type: 'text', text: 'hi' },
  thinking: { type: 'thinking', thinking: 'hm' },
  image: { type: 'image', data: new Uint8Array([1]), mimeType: 'image/png' },
  tool_call: { type: 'tool_call', id: 'c1', name: 'read', arguments: '{}' },
} as const;
const FIELDS = {
  user: {},
  assistant: { stopReason: 'end_turn', rawStopReason: '', usage: NO_USAGE },
  tool_result: { toolCallId: 'c1', toolName: 'read', isError: false },
} as const;
const LEGAL: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image'],
  assistant: ['text', 'thinking', 'tool_call'],
  tool_result: ['text', 'image'],
};

type Role = keyof typeof FIELDS;

function message(role: Role, content: unknown = [BLOCKS.text], overrides: object = {}): Record<string, unknown> {
  return { role, content, timestamp: AT, ...FIELDS[role], ...overrides };
}

/** The error that a message is refused with. */
function problem(value: unknown, path?: string): InvalidDataError {
  try {
    validateMessage(value, path);
  } catch (error) {
    if (error instanceof InvalidDataError) return error;
    throw error;
  }
  throw new Error('The message was accepted.');
}

describe('which blocks a role may hold (P11, P12)', () => {
  const pairs = Object.keys(FIELDS).flatMap((role) => Object.keys(BLOCKS).map((type) => [role as Role, type as keyof typeof BLOCKS] as const));

  it.each(pairs)('%s with %s', (role, type) => {
    const value = message(role, [BLOCKS.text, BLOCKS[type]]);
    if (LEGAL[role]?.includes(type) === true) {
      expect(() => validateMessage(value)).not.toThrow();
    } else {
      expect(problem(value)).toMatchObject({ path: 'message.content[1]' });
      expect(problem(value).message).toContain(`a ${role} message cannot hold a block of type "${type}"`);
    }
  });

  it.each(['tool_use', 'tool-call', '', 7, undefined, null, '__proto__', 'toString'])('no role holds a block of type %s', (type) => {
    for (const role of ['user', 'assistant', 'tool_result'] as const) {
      expect(problem(message(role, [{ ...BLOCKS.text, type }])).path).toBe('message.content[0]');
    }
  });
});

describe('a message from outside names the place that is wrong', () => {
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'message'],
    ['null', null, 'message'],
    ['a list', [], 'message'],
    ['a text', 'hi', 'message'],
    ['an unknown role', { ...message('user'), role: 'system' }, 'message.role'],
    ['no role', { ...message('user'), role: undefined }, 'message.role'],
    ['no timestamp', { ...message('user'), timestamp: undefined }, 'message.timestamp'],
    ['a Date as the timestamp', { ...message('user'), timestamp: new Date() }, 'message.timestamp'],
    ['content that is text', message('user', 'hi'), 'message.content'],
    ['no content (G18)', message('user', []), 'message.content'],
    ['a block that is null', message('user', [null]), 'message.content[0]'],
    ['text that is a number', message('user', [{ type: 'text', text: 1 }]), 'message.content[0].text'],
    ['thinking without text', message('assistant', [{ type: 'thinking' }]), 'message.content[0].thinking'],
    ['a signature that is text', message('assistant', [{ ...BLOCKS.thinking, signature: 'x' }]), 'message.content[0].signature'],
    ['redacted that is not true', message('assistant', [{ ...BLOCKS.thinking, redacted: false }]), 'message.content[0].redacted'],
    ['a call without id', message('assistant', [{ ...BLOCKS.tool_call, id: '' }]), 'message.content[0].id'],
    ['a call without name', message('assistant', [{ ...BLOCKS.tool_call, name: undefined }]), 'message.content[0].name'],
    ['parsed arguments', message('assistant', [{ ...BLOCKS.tool_call, arguments: {} }]), 'message.content[0].arguments'],
    ['a call signature of numbers', message('assistant', [{ ...BLOCKS.tool_call, signature: [1] }]), 'message.content[0].signature'],
    ['an SVG', message('user', [{ ...BLOCKS.image, mimeType: 'image/svg+xml' }]), 'message.content[0].mimeType'],
    ['an empty image (stream-23)', message('user', [{ ...BLOCKS.image, data: new Uint8Array() }]), 'message.content[0].data'],
    ['base64 as image data', message('user', [{ ...BLOCKS.image, data: 'AAAA' }]), 'message.content[0].data'],
    ['an unknown stop reason', message('assistant', undefined, { stopReason: 'stop' }), 'message.stopReason'],
    ['no raw stop reason (P3)', message('assistant', undefined, { rawStopReason: undefined }), 'message.rawStopReason'],
    ['no usage', message('assistant', undefined, { usage: undefined }), 'message.usage'],
    ['negative usage', message('assistant', undefined, { usage: { ...NO_USAGE, outputTokens: -1 } }), 'message.usage.outputTokens'],
    ['broken usage', message('assistant', undefined, { usage: { ...NO_USAGE, inputTokens: 1.5 } }), 'message.usage.inputTokens'],
    ['usage without cache', message('assistant', undefined, { usage: { inputTokens: 1, outputTokens: 1 } }), 'message.usage.cacheReadTokens'],
    ['a result for no call', message('tool_result', undefined, { toolCallId: '' }), 'message.toolCallId'],
    ['a result of no tool', message('tool_result', undefined, { toolName: 3 }), 'message.toolName'],
    ['an error flag that is text', message('tool_result', undefined, { isError: 'no' }), 'message.isError'],
  ])('%s', (_name, value, path) => {
    expect(problem(value).path).toBe(path);
    expect(problem(value).message).toMatch(new RegExp(`^${path.replace(/[[\].]/g, '\\$&')}: `));
  });

  it('uses the path that it is given', () => {
    expect(problem(message('user', [{ type: 'text' }]), 'messages[3]').path).toBe('messages[3].content[0].text');
  });

  it('limits images to 5 MB, the last byte included (P47)', () => {
    const image = (size: number) => message('user', [{ ...BLOCKS.image, data: new Uint8Array(size) }]);
    expect(() => validateMessage(image(MAX_IMAGE_BYTES))).not.toThrow();
    expect(problem(image(MAX_IMAGE_BYTES + 1)).message).toContain(String(MAX_IMAGE_BYTES));
  });
});

describe('any message', () => {
  it('that is made by the rules passes', () => {
    fc.assert(
      fc.property(messages(), (value) => {
        validateMessage(value);
      }),
    );
  });

  it('with junk in any required field is refused, and the place named', () => {
    const optional = ['signature', 'redacted'];
    fc.assert(
      fc.property(messages(), fc.nat(), fc.anything(), (value, pick, junk) => {
        const places = placesIn(value).filter((place) => !optional.includes(String(place.at(-1))));
        const place = places[pick % places.length] ?? [];
        fc.pre(typeof junk !== 'string' && typeof junk !== 'number' && typeof junk !== 'boolean' && !(junk instanceof Uint8Array));
        const broken = replaced(value, place, junk);
        fc.pre(!isUsable(place, junk));
        const { path } = problem(broken);
        expect(pathOf(place).startsWith(path) || path.startsWith(pathOf(place))).toBe(true);
      }),
    );
  });

  it('is not changed by validating', () => {
    fc.assert(
      fc.property(messages(), (value) => {
        const before = structuredClone(value);
        validateMessage(value);
        expect(value).toEqual(before);
      }),
    );
  });

  it('that is junk is refused with nothing but InvalidDataError', () => {
    fc.assert(
      fc.property(fc.anything(), (junk) => {
        expect(problem(junk)).toBeInstanceOf(InvalidDataError);
      }),
    );
  });
});

type Place = readonly (string | number)[];

/** Every field of a message, as keys from the message down; bytes are one field. */
function placesIn(value: unknown, at: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [at];
  const inner = Object.entries(value).flatMap(([key, part]) => placesIn(part, [...at, Array.isArray(value) ? Number(key) : key]));
  return at.length === 0 ? inner : [at, ...inner];
}

/** A copy with one field replaced. */
function replaced(value: unknown, [key, ...rest]: Place, by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((part: unknown, index) => (index === key ? replaced(part, rest, by) : part));
  const record = value as Record<string, unknown>;
  return { ...record, [key]: replaced(record[key], rest, by) };
}

/** Whether junk in place of a list happens to be a list. */
function isUsable(place: Place, junk: unknown): boolean {
  return place.at(-1) === 'content' && Array.isArray(junk);
}

function pathOf(place: Place): string {
  return place.reduce<string>((path, key) => (typeof key === 'number' ? `${path}[${key}]` : `${path}.${key}`), 'message');
}
