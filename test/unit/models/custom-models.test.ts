import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { USUAL_EFFORTS } from '../../../src/domain/model/effort.js';
import { readCustomModels, withCustom } from '../../../src/models/custom-models.js';
import { demoModel } from '../../../src/provider/demo/provider.js';
import { says } from '../../support/wording.js';

const PROVIDERS = ['anthropic', 'ollama', 'mine'];
const good = { provider: 'ollama', id: 'qwen3' };

describe('gnomon.models (P29–P35)', () => {
  it('takes everything that a model can be described by', () => {
    const rest = {
      ...good,
      label: 'Qwen',
      contextWindow: 40_000,
      maxOutputTokens: 8_000,
      maxTokens: 1_000,
      temperature: 0.2,
      supportsTools: true,
      supportsImages: false,
    };
    expect(readCustomModels([{ ...rest, efforts: ['max', 'off', 'low'], price: { input: 1, output: 2, cacheRead: 0.1 } }, good], PROVIDERS)).toEqual({
      value: [{ ...rest, efforts: ['off', 'low', 'max'], pricing: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1 } }, good],
      problems: [],
    });
    expect(readCustomModels(undefined, PROVIDERS)).toEqual({ value: [], problems: [] });
  });

  it('takes whether a model thinks for the usual efforts, or for none, unless they are named', () => {
    const efforts = (entry: object): unknown => readCustomModels([{ ...good, ...entry }], PROVIDERS).value[0]?.efforts;
    expect(efforts({ supportsThinking: true })).toEqual(USUAL_EFFORTS);
    expect(efforts({ supportsThinking: true, efforts: ['high'] })).toEqual(['high']);
    expect(efforts({ supportsThinking: false, efforts: ['high'] })).toEqual([]);
    expect(efforts({})).toBeUndefined();
  });

  it.each([
    [{ ...good, temperature: 2.1 }, 'gnomon.models[1].temperature: The value must be at most 2.'],
    [{ ...good, temperature: -0.1 }, 'gnomon.models[1].temperature: The value must be at least 0.'],
    [{ ...good, maxTokens: 0 }, 'gnomon.models[1].maxTokens: The value must be at least 1.'],
    [{ ...good, maxTokens: 1.5 }, 'gnomon.models[1].maxTokens: The value must be a whole number.'],
    [{ ...good, efforts: ['most'] }, 'gnomon.models[1].efforts.0: The value must be one of: off, minimal, low, medium, high, xhigh, max.'],
    [{ ...good, supportsTools: 'yes' }, 'gnomon.models[1].supportsTools: The value must be true or false.'],
    [{ ...good, price: { input: 1 } }, 'gnomon.models[1].price.output: This value is required.'],
    [{ ...good, price: { input: -1, output: 1 } }, 'gnomon.models[1].price.input: The value must be at least 0.'],
    [{ provider: 'ollama' }, 'gnomon.models[1].id: This value is required.'],
    [{ ...good, id: '' }, 'gnomon.models[1].id: The value must not be empty.'],
    [{ ...good, contextWidow: 1 }, 'gnomon.models[1]: Unknown property: contextWidow.'],
    [{ ...good, provider: 'olama' }, says('unknownProvider', 'gnomon.models[1]', 'olama', 'anthropic, ollama, mine')],
    [{ ...good, contextWindow: 10, maxOutputTokens: 20 }, says('maxOutputAboveContext', 'gnomon.models[1]')],
    ['qwen3', says('mustBeObject', 'gnomon.models[1]: The value')],
    [null, says('mustBeObject', 'gnomon.models[1]: The value')],
  ])('conf-23: %j is named with its field, and the others count', (entry, problem) => {
    const read = readCustomModels([good, entry, { provider: 'mine', id: 'x' }], PROVIDERS);
    expect(read.problems).toEqual([problem]);
    expect(read.value).toEqual([good, { provider: 'mine', id: 'x' }]);
  });

  it('never throws, and keeps P33 and P34 for whatever it takes', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.jsonValue(), fc.array(fc.record({ provider: fc.constant('mine'), id: fc.string(), temperature: fc.double(), maxTokens: fc.double() }))),
        (value) => {
          for (const { temperature = 0, maxTokens = 1 } of readCustomModels(value, PROVIDERS).value) {
            expect(temperature >= 0 && temperature <= 2 && Number.isInteger(maxTokens) && maxTokens > 0).toBe(true);
          }
        },
      ),
    );
  });

  it('is laid over what is known of a model', () => {
    const custom = readCustomModels([{ provider: 'mine', id: demoModel.id, temperature: 1 }], PROVIDERS).value;
    expect(withCustom(demoModel, custom)).toBe(demoModel);
    expect(withCustom({ ...demoModel, provider: 'mine' }, custom)).toEqual({ ...demoModel, provider: 'mine', temperature: 1 });
  });
});
