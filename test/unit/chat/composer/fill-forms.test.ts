import { describe, expect, test } from 'vitest';
import { McpError } from '../../../../src/domain/mcp/connection.js';
import type { McpPrompt } from '../../../../src/domain/mcp/feature.js';
import type { PromptCommand } from '../../../../src/mcp/prompts/prompt-commands.js';
import { FillForms, type Filled } from '../../../../src/chat/composer/fill-forms.js';
import { FakeServers, type FakeWork } from '../../../support/mcp/fake-servers.js';

const review: McpPrompt = {
  name: 'review',
  title: 'Review\u202E code',
  description: 'Looks\nat it.',
  arguments: [
    { name: 'file', description: 'Which file', required: true },
    { name: 'focus', required: false },
  ],
};
const summary: McpPrompt = { name: 'summary', arguments: [] };

interface Asked {
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
}

function setUp(work: FakeWork = {}): { readonly forms: FillForms; readonly servers: FakeServers; readonly asked: Asked[] } {
  const asked: Asked[] = [];
  const servers = new FakeServers().set(
    'github',
    { prompts: [review, summary], templates: [{ uriTemplate: 'repo://{owner}/{name}{?page}', name: 'Repository' }] },
    {
      getPrompt: (name, args) =>
        Promise.resolve((asked.push({ name, args }), [{ role: 'user', content: { type: 'text', text: `${name} ${JSON.stringify(args)}` } }])),
      ...work,
    },
  );
  return { forms: new FillForms(servers), servers, asked };
}

const options = () => ({ signal: new AbortController().signal, progress: () => undefined });

function commandOf(forms: FillForms, name: string): PromptCommand {
  const command = forms.commands.find((each) => each.name === name);
  if (command === undefined) throw new Error(`There is no command ${name}.`);
  return command;
}

const run = (forms: FillForms, name: string, typed = ''): Promise<Filled> => forms.run(commandOf(forms, name), typed, options());

async function formOf(forms: FillForms, name: string, typed = '') {
  const filled = await run(forms, name, typed);
  if (filled.type !== 'form') throw new Error('There is no form.');
  return filled.form;
}

describe('prompts', () => {
  test('are offered with title and description on one line, and what they take', () => {
    expect(setUp().forms.offers).toEqual([
      { name: '/github:review', hint: '<file> [focus]', description: String.raw`Review\u{202e} code · Looks at it.`, prompt: true },
      { name: '/github:summary', hint: '', description: '', prompt: true },
    ]);
  });

  test('one without arguments is got at once', async () => {
    const { forms, asked } = setUp();
    expect(await run(forms, '/github:summary')).toEqual({ type: 'prompt', server: 'github', draft: { text: 'summary {}', attached: [], problems: [] } });
    expect(asked).toEqual([{ name: 'summary', args: {} }]);
  });

  test('one that is written in full is got at once, too', async () => {
    const { forms, asked } = setUp();
    expect(await run(forms, '/github:review', 'a.ts "its speed"')).toMatchObject({ type: 'prompt' });
    expect(asked).toEqual([{ name: 'review', args: { file: 'a.ts', focus: 'its speed' } }]);
  });

  test('what is missing is asked for, with what is there', async () => {
    const { forms, asked } = setUp();
    expect(await formOf(forms, '/github:review')).toMatchObject({
      server: 'github',
      makes: 'prompt',
      title: String.raw`Review\u{202e} code`,
      description: 'Looks at it.',
      suggests: true,
      fields: [
        { name: 'file', description: 'Which file', required: true, value: '' },
        { name: 'focus', required: false, value: '' },
      ],
    });
    expect((await formOf(forms, '/github:review', '"" speed')).fields.map(({ value }) => value)).toEqual(['', 'speed']);
    expect(asked).toEqual([]);
  });

  test('what was filled in is sent; what is empty is left out', async () => {
    const { forms, asked } = setUp();
    const { id } = await formOf(forms, '/github:review');
    await expect(forms.submit({ form: id, values: [' ', 'x'] }, () => undefined)).rejects.toThrow('Fill in: file');
    expect(await forms.submit({ form: id, values: ['a.ts', '  '] }, () => undefined)).toMatchObject({ type: 'prompt' });
    expect(asked).toEqual([{ name: 'review', args: { file: 'a.ts' } }]);
    await expect(forms.submit({ form: id, values: ['a.ts', ''] }, () => undefined)).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('a form stays when the server refuses, and is gone when it was closed', async () => {
    let fails = true;
    const { forms } = setUp({
      getPrompt: () =>
        fails ? Promise.reject(new McpError('answered', 'No such file.')) : Promise.resolve([{ role: 'user', content: { type: 'text', text: 'ok' } }]),
    });
    const { id } = await formOf(forms, '/github:review');
    await expect(forms.submit({ form: id, values: ['a.ts', ''] }, () => undefined)).rejects.toThrow('No such file.');
    fails = false;
    expect(await forms.submit({ form: id, values: ['a.ts', ''] }, () => undefined)).toMatchObject({ draft: { text: 'ok' } });
    const other = await formOf(forms, '/github:review');
    forms.close(other.id);
    await expect(forms.submit({ form: other.id, values: ['a.ts', ''] }, () => undefined)).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('closing a form stops what it waits for', async () => {
    let stopped: AbortSignal | undefined;
    const { forms } = setUp({
      getPrompt: (_name, _args, { signal }) => {
        stopped = signal;
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
      },
    });
    const { id } = await formOf(forms, '/github:review');
    const waiting = forms.submit({ form: id, values: ['a.ts', ''] }, () => undefined);
    forms.close(id);
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    expect(stopped?.aborted).toBe(true);
  });

  test('it is asked for with limits of time and progress', async () => {
    const told: string[] = [];
    const { forms } = setUp({
      getPrompt: (_name, _args, { idleMs, hardMs, progress }) => {
        progress?.({ progress: 1, total: 2, message: 'half' });
        return Promise.reject(new McpError('timeout', `${idleMs} ${hardMs}`));
      },
    });
    await expect(
      forms.run(commandOf(forms, '/github:summary'), '', { signal: new AbortController().signal, progress: (text) => told.push(text) }),
    ).rejects.toThrow('60000 600000');
    expect(told).toEqual(['Reading /github:summary…', 'Reading /github:summary… 50% half']);
  });
});

describe('suggestions', () => {
  test('are asked for with the other values as context; a later question replaces an earlier one', async () => {
    const asked: unknown[] = [];
    const answers: ((values: readonly string[]) => void)[] = [];
    const { forms } = setUp({ complete: (ref, blank, others) => new Promise((resolve) => void (asked.push({ ref, blank, others }), answers.push(resolve))) });
    const { id } = await formOf(forms, '/github:review');
    const first = forms.suggestions(id, 1, ['a.ts', 's']);
    const second = forms.suggestions(id, 1, ['a.ts', 'sp']);
    answers[0]?.(['old']);
    answers[1]?.(Array.from({ length: 100 }, (_, index) => `speed ${index}`));
    expect(await first).toBeUndefined();
    expect(await second).toHaveLength(50);
    expect(asked).toEqual(['s', 'sp'].map((value) => ({ ref: { type: 'prompt', name: 'review' }, blank: { name: 'focus', value }, others: { file: 'a.ts' } })));
  });

  test('a server that fails suggests nothing; a field that is not there, and a form that is closed, neither', async () => {
    const { forms } = setUp({ complete: () => Promise.reject(new McpError('answered', 'No.')) });
    const { id } = await formOf(forms, '/github:review');
    expect(await forms.suggestions(id, 0, ['', ''])).toEqual([]);
    expect(await forms.suggestions(id, 7, [])).toBeUndefined();
    forms.close();
    expect(await forms.suggestions(id, 0, ['', ''])).toBeUndefined();
  });
});

describe('addresses with blanks', () => {
  test('become a mention', async () => {
    const { forms } = setUp();
    const form = forms.template('github', 'repo://{owner}/{name}{?page}');
    expect(form).toMatchObject({
      makes: 'resource',
      title: 'Repository',
      description: 'repo://{owner}/{name}{?page}',
      fields: [
        { name: 'owner', required: true },
        { name: 'name', required: true },
        { name: 'page', required: false },
      ],
    });
    await expect(forms.submit({ form: form.id, values: ['ada', '', ''] }, () => undefined)).rejects.toThrow('Fill in: name');
    expect(await forms.submit({ form: form.id, values: ['ada', 'my repo', '2'] }, () => undefined)).toEqual({
      type: 'mention',
      text: '@github:repo://ada/my%20repo?page=2',
    });
  });

  test('are suggested for by their template', async () => {
    const asked: unknown[] = [];
    const { forms } = setUp({ complete: (ref, blank) => Promise.resolve((asked.push(ref, blank), ['ada'])) });
    const { id } = forms.template('github', 'repo://{owner}/{name}{?page}');
    expect(await forms.suggestions(id, 0, ['a', '', ''])).toEqual(['ada']);
    expect(asked).toEqual([
      { type: 'template', uriTemplate: 'repo://{owner}/{name}{?page}' },
      { name: 'owner', value: 'a' },
    ]);
  });

  test('are only those that the server offers', () => {
    expect(() => setUp().forms.template('github', 'file:///{path}')).toThrow('The MCP server “github” does not offer this resource any more.');
    expect(() => setUp().forms.template('gone', 'x')).toThrow('gone');
  });
});
