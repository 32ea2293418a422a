import { describe, expect, it } from 'vitest';
import { askFim, fillsIn, fimTemplateOf } from '../../../src/completion/ask-fim.js';
import type { CompletionInput } from '../../../src/completion/completion-input.js';
import type { FillProvider, FillRequest, FillWay } from '../../../src/domain/model/fill.js';
import { at } from './places.js';

const FILES = [{ path: 'b.ts', text: 'export const b = 2;' }];
const never = (): AbortSignal => new AbortController().signal;

function input(change: Partial<CompletionInput> = {}): CompletionInput {
  return { place: at('const a = |;\n'), extent: 'line', snippets: FILES, edits: [], ...change };
}

class Filler implements FillProvider {
  readonly requests: FillRequest[] = [];
  constructor(private readonly answer: FillWay) {}
  way(): Promise<FillWay> {
    return Promise.resolve(this.answer);
  }
  fill(request: FillRequest): Promise<string> {
    this.requests.push(request);
    return Promise.resolve('b');
  }
}

describe('the template of a model', () => {
  it.each([
    ['qwen2.5-coder:7b', '<|file_sep|>b.ts\nB\n<|file_sep|>a.ts\n<|fim_prefix|>P<|fim_suffix|>S<|fim_middle|>'],
    ['deepseek-coder-v2:16b', '<｜fim▁begin｜>// Path: b.ts\n// B\n// Path: a.ts\nP<｜fim▁hole｜>S<｜fim▁end｜>'],
    ['starcoder2:3b', '<fim_prefix>// Path: b.ts\n// B\n// Path: a.ts\nP<fim_suffix>S<fim_middle>'],
    ['codegemma:2b', '<|file_separator|>b.ts\nB\n<|file_separator|>a.ts\n<|fim_prefix|>P<|fim_suffix|>S<|fim_middle|>'],
    ['codellama:7b-code', '<PRE> // Path: b.ts\n// B\n// Path: a.ts\nP <SUF>S <MID>'],
    ['codestral:22b', '[SUFFIX]S[PREFIX]// Path: b.ts\n// B\n// Path: a.ts\nP'],
  ])('%s', (model, expected) => {
    expect(fimTemplateOf(model)?.render({ path: 'a.ts', prefix: 'P', suffix: 'S', files: [{ path: 'b.ts', text: 'B' }] })).toBe(expected);
  });

  it('is none for a model that talks', () => {
    expect(fimTemplateOf('gpt-5.6-terra')).toBeUndefined();
    expect(fimTemplateOf('claude-sonnet-5-5')).toBeUndefined();
  });
});

describe('a model that fills in', () => {
  it('is one whose server can, and whose template is known where it needs one', async () => {
    expect(await fillsIn(new Filler('suffix'), 'any', never())).toBe(true);
    expect(await fillsIn(new Filler('prompt'), 'qwen2.5-coder', never())).toBe(true);
    expect(await fillsIn(new Filler('prompt'), 'any', never())).toBe(false);
    expect(await fillsIn(new Filler('none'), 'qwen2.5-coder', never())).toBe(false);
  });

  it('gets the texts before and behind apart, or in one prompt, with what ends a line', async () => {
    const apart = new Filler('suffix');
    await askFim(input(), apart, 'codestral-latest', never());
    expect(apart.requests).toEqual([
      { model: 'codestral-latest', prompt: '// Path: b.ts\n// export const b = 2;\n// Path: a.ts\nconst a = ', suffix: ';\n', maxTokens: 80, stops: ['\n'] },
    ]);
    const whole = new Filler('prompt');
    await askFim(input({ extent: 'block', snippets: [] }), whole, 'qwen2.5-coder', never());
    expect(whole.requests[0]).toMatchObject({ prompt: '<|fim_prefix|>const a = <|fim_suffix|>;\n<|fim_middle|>', maxTokens: 300 });
    expect(whole.requests[0]?.suffix).toBeUndefined();
    expect(whole.requests[0]?.stops).not.toContain('\n');
  });

  it('is told of edits of other files only', async () => {
    const filler = new Filler('suffix');
    await askFim(
      input({
        snippets: [],
        edits: [
          { path: 'a.ts', text: 'own' },
          { path: 'run.py', text: 'other' },
        ],
      }),
      filler,
      'm',
      never(),
    );
    expect(filler.requests[0]?.prompt).toBe('// Path: run.py\n// other\n// Path: a.ts\nconst a = ');
  });
});
