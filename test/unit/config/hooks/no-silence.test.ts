import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { FieldReport } from '../../../../src/domain/config/problem.js';
import { HOOK_EVENTS } from '../../../../src/domain/hook/event.js';
import { keyPath } from '../../../../src/text/key-path.js';
import { readHookFile } from '../../../../src/config/hooks/read-hook-file.js';
import { type Form, corpusText } from './rig.js';

const FORMS = { claude: 'settings', cursor: 'cursor', copilot: 'copilot' } as const;

function fieldsOf(form: Form, text: string): readonly FieldReport[] {
  const file = '/ws/hooks.json';
  return readHookFile(text, FORMS[form], { origin: { layer: 'project', file, display: 'hooks.json', folder: '/ws' }, platform: 'linux' }).fields;
}

/** The places of all values that are no objects or lists, and of empty ones. */
function leaves(value: unknown, path: readonly (string | number)[] = []): readonly string[] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [keyPath(path)];
  const inside: readonly (readonly [string | number, unknown])[] = Array.isArray(value) ? value.map((each, index) => [index, each]) : Object.entries(value);
  return inside.flatMap(([key, each]) => leaves(each, [...path, key]));
}

/** The places of a file of which nothing is said: neither of them nor of something that they are in. That a hook is a command or a request, it shows itself. */
function silent(form: Form, text: string): readonly string[] {
  const fields = fieldsOf(form, text);
  const all: unknown = JSON.parse(text);
  const about = form === 'claude' ? leaves((all as { hooks: unknown }).hooks, ['hooks']) : leaves(all);
  return about
    .filter((place) => !place.endsWith('.type') || !/"type":"(?:command|http)"/.test(text.replace(/\s/g, '')))
    .filter((place) => !fields.some(({ field }) => place === field || place.startsWith(`${field}.`) || place.startsWith(`${field}[`)));
}

/** What is said of a field, where it is not just used. */
const saidOf = (form: Form, text: string, field: string): string => fieldsOf(form, text).find((each) => each.field === field)?.note ?? '';

const files = (
  await Promise.all(
    (['claude', 'cursor', 'copilot'] as const).map(async (form) =>
      (await readdir(`test/fixtures/config-corpus/hooks/${form}`)).filter((name) => name.endsWith('.json')).map((name) => [form, `${form}/${name}`] as const),
    ),
  )
).flat();

describe('no field of a hook file is ignored in silence', () => {
  it.each(files)('%s: %s', async (form, name) => {
    expect(silent(form, await corpusText(name))).toEqual([]);
  });

  /** Fields that hooks have anywhere, in the documentation or in public files, and such as nobody has. */
  const VALUES: Readonly<Record<string, unknown>> = {
    type: 'command',
    command: './a.sh',
    args: ['a'],
    shell: 'bash',
    cwd: 'tools',
    env: { A: '1' },
    url: 'https://a.example',
    headers: { A: '1' },
    allowedEnvVars: ['A'],
    if: 'Bash(ls)',
    timeout: 5,
    timeoutSec: 5,
    onFailure: 'block',
    once: true,
    statusMessage: 'x',
    async: true,
    asyncRewake: true,
    rewakeMessage: 'x',
    rewakeSummary: 'x',
    rewakeWhatever: 1,
    id: 'a',
    name: 'a',
    description: 'a',
    event: 'x',
    comment: 'a',
    $comment: 'a',
    _comment: 'a',
    matcher: 'Bash',
    failClosed: true,
    loop_limit: 5,
    bash: './a.sh',
    powershell: './a.ps1',
    windows: 'a',
    linux: 'b',
    osx: 'c',
    enabled: false,
    disabled: true,
    priority: 3,
    sequential: true,
    server: 's',
    tool: 't',
    input: {},
    prompt: 'p',
    model: 'm',
    zzz: 1,
    nested: { a: [1, { b: null }] },
    list: [],
    nothing: null,
    'a.b': 1,
    '': 1,
  };
  const TYPES = ['command', 'http', 'prompt', 'agent', 'mcp_tool', 'other'];
  const EVENTS: Readonly<Record<Form, readonly string[]>> = {
    claude: [...HOOK_EVENTS, 'WorktreeCreate', 'FileChanged', 'NewerThanThis', 'Pretooluse'],
    cursor: ['preToolUse', 'beforeShellExecution', 'beforeReadFile', 'stop', 'afterAgentResponse', 'beforeTabFileRead', 'newerThanThis'],
    copilot: ['preToolUse', 'PreToolUse', 'agentStop', 'errorOccurred', 'newerThanThis'],
  };

  it.each(['claude', 'cursor', 'copilot'] as const)('of %s, at any event and of any type', (form) => {
    for (const [index, event] of EVENTS[form].entries()) {
      // What a type has does not depend on the event.
      for (const type of index === 0 ? TYPES : TYPES.slice(0, 1)) {
        const hook = { ...VALUES, type };
        const group = (hooks: readonly object[]): object => ({ matcher: 'Bash', hooks, id: 'g', description: 'd', zzz: 1 });
        const alone = Object.entries(VALUES).map(([key, value]) => ({ type, [key]: value }));
        // What is said of one file is limited.
        for (const list of [
          [group([hook])],
          [group(alone.slice(0, 25))],
          [group(alone.slice(25))],
          [hook, ...alone.slice(0, 20)],
          alone.slice(20),
          hook,
          'x',
          [[hook]],
          [null],
        ]) {
          const text = JSON.stringify({ version: 1, $schema: 'x', name: 'n', description: 'd', zzz: { a: 1 }, hooks: { [event]: list } });
          expect([event, type, silent(form, text)]).toEqual([event, type, []]);
        }
      }
    }
  });

  it('and each is said to be what it is', () => {
    const claude = (event: string, more: object): string =>
      JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: 'command', command: './a.sh', ...more }] }] } });
    expect(saidOf('claude', claude('Stop', { zzz: 1 }), 'hooks.Stop[0].hooks[0].zzz')).toBe('Gnomon does not know the key “zzz” and ignores it.');
    expect(saidOf('claude', claude('Stop', { id: 'x' }), 'hooks.Stop[0].hooks[0].id')).toBe('It is for people and editors. Gnomon does nothing with it.');
    expect(saidOf('claude', claude('FileChanged', {}), 'hooks.FileChanged')).toBe('Gnomon does not have the event “FileChanged”.');
    expect(saidOf('cursor', '{"version":1,"hooks":{"stop":[{"command":"a","loop_limit":3}]}}', 'hooks.stop[0].loop_limit')).toContain('limit of its own');
    expect(saidOf('copilot', '{"version":1,"hooks":{"errorOccurred":[{"type":"command","bash":"a"}]}}', 'hooks.errorOccurred')).toBe(
      'Gnomon does not have the event “errorOccurred”.',
    );
  });

  it('first of all not that a guard with “async” guards nothing when it fails', () => {
    for (const event of ['PreToolUse', 'PreSkillShellCommand', 'UserPromptSubmit'] as const) {
      const text = JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: 'command', command: './a.sh', async: true }] }] } });
      const { problems, definitions } = readHookFile(text, 'settings', { origin: { layer: 'project', file: '/f', display: 'f' }, platform: 'linux' });
      expect(problems).toEqual([
        {
          file: '/f',
          key: `hooks.${event}[0].hooks[0].async`,
          line: 1,
          message: 'With “async”, this hook does not guard: if it fails or takes too long, the call goes on. Delete “async” to have it block then.',
        },
      ]);
      expect(definitions).toMatchObject([{ onFailure: 'continue' }]);
    }
    expect(
      readHookFile('{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a","async":true}]}]}}', 'settings', {
        origin: { layer: 'project', file: '/f', display: 'f' },
        platform: 'linux',
      }).problems,
    ).toEqual([]);
  });
});
