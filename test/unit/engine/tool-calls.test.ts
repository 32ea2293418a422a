import { describe, expect, test, vi } from 'vitest';
import { ToolInputError } from '../../../src/domain/errors.js';
import type { Tool } from '../../../src/domain/tool/tool.js';
import { type Script, answers, calls, Latch, stops } from '../../support/scripted-provider/index.js';
import { STOP_GRACE_MS } from '../../../src/engine/tool-call/abort.js';
import { asked, ok, outline, rig, statesOf, subjectOf, testTool } from './rig.js';
import { eventually } from '../../support/eventually.js';
import { says } from '../../support/wording.js';

const go = [{ type: 'text' as const, text: 'go' }];

/** An answer that calls tools: `name subject`, ids a, b, c … */
function callsOf(...wanted: readonly string[]): Script {
  const parts = wanted.flatMap((call, index) => {
    const [name = '', on = ''] = call.split(' ');
    return calls(index, 'abcdefgh'.charAt(index), { name, args: { on } });
  });
  return [...parts, ...stops('tool_use')];
}

/** Results of the last turn but its last answer. */
function results(messages: Parameters<typeof outline>[0]): readonly string[] {
  return outline(messages).filter((line) => line.startsWith('result#'));
}

describe('order', () => {
  test('calls that only read run side by side; results keep the call order', async () => {
    const first = new Latch();
    const second = new Latch();
    const read = testTool('read', {
      execute: async (args) => {
        await (subjectOf(args) === 'one' ? first : second).pass();
        return ok(subjectOf(args));
      },
    });
    const { session, events } = rig({ tools: [read], scripts: [callsOf('read one', 'read two'), answers('Done.')] });

    const turn = session.send(go).turn;
    await Promise.all([first.reached, second.reached]);
    second.open();
    await eventually(() => expect(statesOf(events, 'b')).toContain('done'));
    first.open();
    await turn;

    expect(results(session.messages)).toEqual(['result#a: one', 'result#b: two']);
    expect(statesOf(events, 'a')).toEqual(['pending', 'running', 'done']);
  });

  test('tool-16: writing calls are planned, judged and run one by one, reads before them are waited for', async () => {
    const log: string[] = [];
    const tool = (name: string, kind: 'read' | 'write') =>
      testTool(name, {
        kind,
        plan: (args) => void log.push(`plan ${name} ${subjectOf(args)}`),
        execute: async (args) => {
          await Promise.resolve();
          log.push(`run ${name} ${subjectOf(args)}`);
          return ok('');
        },
      });
    const { session, gate } = rig({
      tools: [tool('read', 'read'), tool('edit', 'write')],
      scripts: [callsOf('read a', 'edit a', 'edit b', 'read a'), answers('Done.')],
    });
    gate.judgment = () => ({ type: 'allow', reason: 'Test.' });

    await session.send(go).turn;

    const runs = log.filter((line) => line.startsWith('run'));
    expect(runs).toEqual(['run read a', 'run edit a', 'run edit b', 'run read a']);
    expect(log.lastIndexOf('plan edit a')).toBeGreaterThan(log.indexOf('run read a'));
    expect(log.indexOf('plan edit b')).toBeGreaterThan(log.indexOf('run edit a'));
    expect(log.lastIndexOf('plan read a')).toBeGreaterThan(log.indexOf('run edit b'));
  });

  test('a call that failed to plan while reads were under way is planned again after them', async () => {
    let known = false;
    const read = testTool('read', { execute: () => ((known = true), ok('read')) });
    const edit = testTool('edit', {
      kind: 'write',
      plan: () => {
        if (!known) throw new ToolInputError('Read it first.');
      },
    });
    const slow = testTool('slow', { plan: async () => new Promise((resolve) => setTimeout(resolve, 0)) });
    const { session, gate } = rig({ tools: [slow, read, edit], scripts: [callsOf('read a', 'edit a'), answers('Done.')] });
    gate.judgment = () => ({ type: 'allow', reason: 'Test.' });

    await session.send(go).turn;

    expect(results(session.messages)).toEqual(['result#a: read', 'result#b: edit a']);
  });

  test.each([
    ['a command that only reads, in the sandbox', 'execute' as const, { readsOnly: true, confined: { readable: [] } }, true],
    ['a command that only reads, without the sandbox', 'execute' as const, { readsOnly: true }, false],
    ['a command that was allowed, in the sandbox for work', 'execute' as const, { readsOnly: true, confined: { readable: [], work: { hosts: [] } } }, false],
    ['a command in the sandbox that is not known to read', 'execute' as const, { confined: { readable: [] } }, false],
    ['a question', 'interact' as const, { readsOnly: true, confined: { readable: [] } }, false],
  ])('%s: whether two of them run side by side', async (_, kind, judged, aside) => {
    const latch = new Latch();
    const started: string[] = [];
    const tool = testTool('bash', {
      kind,
      execute: async (args) => {
        started.push(subjectOf(args));
        if (subjectOf(args) === 'one') await latch.pass();
        return ok(subjectOf(args));
      },
    });
    const { session, gate, events } = rig({ tools: [tool], scripts: [callsOf('bash one', 'bash two'), answers('Done.')] });
    gate.judgment = () => ({ type: 'allow', reason: 'Test.', ...judged });

    const turn = session.send(go).turn;
    await latch.reached;
    if (aside) await eventually(() => expect(statesOf(events, 'b')).toContain('done'));
    expect(started).toEqual(aside ? ['one', 'two'] : ['one']);
    latch.open();
    await turn;

    expect(results(session.messages)).toEqual(['result#a: one', 'result#b: two']);
  });

  test('a call gets the name of the tool that it means, in events and in the stored answer; one that means none keeps its own', async () => {
    const read: Tool = { ...testTool('read'), otherNames: ['readfile'] };
    const { session, events } = rig({ tools: [read], scripts: [callsOf('Read a', 'read_file b', 'functions.read c', 'reed d'), answers('Done.')] });
    await session.send(go).turn;
    const names = ['read', 'read', 'read', 'reed'];
    expect(
      session.messages
        .flatMap((message) => (message.role === 'assistant' ? message.content : []))
        .flatMap((block) => (block.type === 'tool_call' ? [block.name] : [])),
    ).toEqual(names);
    expect(events.flatMap((event) => (event.type === 'stream' && event.event.type === 'tool_call_begin' ? [event.event.name] : []))).toEqual(names);
    expect(results(session.messages).slice(0, 3)).toEqual(['result#a: read a', 'result#b: read b', 'result#c: read c']);
    expect(results(session.messages)[3]).toMatch(/no tool named “reed”/);
  });

  test('sess-10: a result is recorded as soon as all before it are, not at the end of the batch', async () => {
    const latch = new Latch();
    const bash = testTool('bash', { kind: 'execute', execute: async () => (await latch.pass(), ok('ran')) });
    const { session, gate, recorder } = rig({ tools: [testTool('edit', { kind: 'write' }), bash], scripts: [callsOf('edit a', 'bash b'), answers('Ok.')] });
    gate.judgment = () => ({ type: 'allow', reason: 'Test.' });

    const turn = session.send(go).turn;
    await latch.reached;
    expect(results(recorder.appended)).toEqual(['result#a: edit a']);
    latch.open();
    await turn;
  });
});

describe('calls that cannot run', () => {
  test.each([
    ['{', /not valid JSON/],
    ['{}{}', /not valid JSON/],
    ['{} trailing', /not valid JSON/],
    ['[1]', /must be a JSON object/],
    ['null', /must be a JSON object/],
    [`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, /nested deeper/],
    [`{"a":"${'x'.repeat(5 * 1024 * 1024)}"}`, /characters long/],
  ])('stream-16: arguments that cannot be read are an error that the model can act on (%#)', async (raw, words) => {
    const plan = vi.fn();
    const { session, provider, events } = rig({
      tools: [testTool('read', { plan })],
      scripts: [[...calls(0, 'a', { name: 'read', args: raw }), ...stops('tool_use')], answers('Sorry.')],
    });

    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
    expect(results(session.messages)[0]).toMatch(/^result#a!: The arguments of read cannot be read: /);
    expect(results(session.messages)[0]).toMatch(words);
    expect(statesOf(events, 'a')).toEqual(['pending', 'failed']);
    expect(provider.broken).toEqual([]);
    expect(plan).not.toHaveBeenCalled();
  });

  test('stream-18: an unknown tool is answered with the tools there are', async () => {
    const { session } = rig({ tools: [testTool('read'), testTool('edit')], scripts: [callsOf('fly away'), answers('Ok.')] });
    await session.send(go).turn;
    expect(results(session.messages)).toEqual(['result#a!: There is no tool named “fly”. The tools are: read, edit.']);
  });

  test.each(['read file!', 'x'.repeat(300)])('a tool name that no API takes back (%j) does not spoil the session', async (name) => {
    const { session, provider } = rig({ tools: [testTool('read')], scripts: [[...calls(0, 'a', { name, args: {} }), ...stops('tool_use')], answers('Ok.')] });
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
    expect(provider.broken).toEqual([]);
    expect(results(session.messages)[0]).toContain('There is no tool named');
  });

  test('stream-15: odd and repeated ids get usable ones, in events and messages alike', async () => {
    const wanted = ['é', 'x'.repeat(300), 'a b', 'twice'];
    const parts = wanted.flatMap((id, index) => calls(index, id, { name: 'read', args: { on: String(index) } }));
    const { session, provider, events } = rig({
      tools: [testTool('read')],
      scripts: [[...parts, ...stops('tool_use')], [...calls(0, 'twice', { name: 'read', args: { on: 'again' } }), ...stops('tool_use')], answers('Ok.')],
    });

    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn', rounds: 3 });
    expect(provider.broken).toEqual([]);
    expect(results(session.messages)).toHaveLength(5);
    const begun = events.flatMap((event) => (event.type === 'stream' && event.event.type === 'tool_call_begin' ? [event.event.id] : []));
    const answered = events.flatMap((event) => (event.type === 'tool_result' ? [event.message.toolCallId] : []));
    expect(begun).toEqual(answered);
    expect(new Set(begun).size).toBe(5);
    expect(begun[3]).toBe('twice');
  });

  test.each(['a', ''])('stream-15: a call with the id %j behind one with the id "a" is a protocol error, and the session goes on', async (id) => {
    const twice = [...calls(0, 'a', { name: 'read', args: {} }), ...calls(1, id, { name: 'read', args: {} }), ...stops('tool_use')];
    const { session, provider } = rig({ tools: [testTool('read')], scripts: [twice, answers('Ok.')] });
    expect(await session.send(go).turn).toMatchObject({ end: 'error', error: { kind: 'protocol' } });
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
    expect(provider.broken).toEqual([]);
  });

  test('a plan that is refused, and a tool that breaks, are results; the break is logged (P38)', async () => {
    const refuse = testTool('edit', {
      plan: () => {
        throw new ToolInputError('There is no such file.');
      },
    });
    const breaks = testTool('read', { execute: () => Promise.reject(new Error('EIO')) });
    const { session, log } = rig({ tools: [refuse, breaks], scripts: [callsOf('edit a', 'read b'), answers('Ok.')] });

    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
    expect(results(session.messages)).toEqual(['result#a!: There is no such file.', 'result#b!: The tool read failed: EIO']);
    expect(log.lines).toEqual(['The tool read failed: Error: EIO']);
  });

  test('a result without content, or with content that no session can hold, becomes one that it can', async () => {
    const empty = testTool('read', { execute: () => ({ content: [], isError: false }) });
    const image = testTool('look', { execute: () => ({ content: [{ type: 'image', data: new Uint8Array(0), mimeType: 'image/png' }], isError: false }) });
    const { session, provider } = rig({ tools: [empty, image], scripts: [callsOf('read a', 'look b'), answers('Ok.')] });

    await session.send(go).turn;

    expect(results(session.messages)[0]).toBe('result#a: (no output)');
    expect(results(session.messages)[1]).toMatch(/^result#b!: The tool returned something that cannot be used/);
    expect(provider.broken).toEqual([]);
  });

  test('a judgment that cannot be made runs nothing', async () => {
    const execute = vi.fn(() => ok(''));
    const { session, gate } = rig({ tools: [testTool('read', { execute })], scripts: [callsOf('read a'), answers('Ok.')] });
    gate.judgment = () => {
      throw new Error('no idea');
    };
    await session.send(go).turn;
    expect(execute).not.toHaveBeenCalled();
    expect(results(session.messages)[0]).toMatch(/^result#a!/);
  });
});

describe('permission', () => {
  const bash = (execute = vi.fn(() => ok('ran'))) => testTool('bash', { kind: 'execute', execute });

  test('Allow runs exactly the plan that was shown', async () => {
    let ran: unknown;
    const tool = testTool('bash', { kind: 'execute', execute: (args) => ((ran = args), ok('ran')) });
    const { session, events, gate } = rig({ tools: [tool], scripts: [callsOf('bash x'), answers('Ok.')] });

    const turn = session.send(go).turn;
    const event = await asked(session, 'a');
    expect(session.state).toBe('waiting');
    expect(event).toMatchObject({ state: { plan: { subject: 'x' }, judgment: { reasons: ['It changes something.'], proposal: ['this'] } } });
    expect(ran).toBeUndefined();
    expect(session.answer('zzz', { type: 'allow' })).toBe(false);
    expect(session.answer('a', { type: 'allow' })).toBe(true);
    expect(session.answer('a', { type: 'deny' })).toBe(false);
    await turn;

    expect(ran).toBe(gate.judged[0]?.plan.args);
    expect(statesOf(events, 'a')).toEqual(['pending', 'awaiting_approval', 'running', 'done']);
    expect(gate.remembered).toEqual([]);
    expect(events).toContainEqual(
      expect.objectContaining({ callId: 'a', state: expect.objectContaining({ status: 'running', why: 'You allowed it.' }) as unknown }),
    );
  });

  test('Deny does nothing, tells the model with the feedback, and is noted (C14)', async () => {
    const execute = vi.fn(() => ok('ran'));
    const { session, events, recorder } = rig({ tools: [bash(execute)], scripts: [callsOf('bash x', 'bash y'), answers('Ok.')] });

    const sent = session.send(go).turn;
    await asked(session, 'a');
    session.answer('a', { type: 'deny', feedback: 'use npm ci' });
    await asked(session, 'b');
    session.answer('b', { type: 'deny' });
    const turn = await sent;

    expect(execute).not.toHaveBeenCalled();
    expect(results(session.messages)).toEqual([
      'result#a!: The user denied this call; nothing was done. They said: use npm ci',
      'result#b!: The user denied this call; nothing was done.',
    ]);
    expect(turn.denials).toEqual([
      { toolName: 'bash', toolCallId: 'a', reason: 'use npm ci', toolInput: { on: 'x' } },
      { toolName: 'bash', toolCallId: 'b', reason: 'You denied it.', toolInput: { on: 'y' } },
    ]);
    expect(recorder.meta['denials']).toEqual(turn.denials.map(({ toolName, toolCallId, reason }) => ({ toolName, toolCallId, reason })));
    expect(statesOf(events, 'a')).toEqual(['pending', 'awaiting_approval', 'denied']);
  });

  test('a denial of the gate is told with its reason and nobody is asked', async () => {
    const { session, gate, events } = rig({ tools: [bash()], scripts: [callsOf('bash x'), answers('Ok.')] });
    gate.judgment = () => ({ type: 'deny', denial: { kind: 'plan_mode' } });

    const turn = await session.send(go).turn;

    expect(results(session.messages)).toEqual(['result#a!: Permission denied. Plan mode only reads; nothing may be changed or run. Nothing was done.']);
    expect(statesOf(events, 'a')).toEqual(['pending', 'denied']);
    expect(turn.denials).toMatchObject([{ reason: 'Plan mode only reads; nothing may be changed or run.' }]);
  });

  test('Always allow keeps the rules that the person chose, in the scope that they chose, once they were shown as those that would be kept', async () => {
    const { session, gate, events } = rig({ tools: [bash()], scripts: [callsOf('bash x'), answers('Ok.')] });

    const turn = session.send(go).turn;
    await asked(session, 'a');
    session.answer('a', { type: 'always', rules: ['Bash(x:*)'], scope: 'workspace' });
    const again = await eventually(() => {
      const found = events.flatMap((event) => (event.type === 'tool_call' && event.state.status === 'awaiting_approval' ? [event.state] : []))[1];
      if (found === undefined || session.state !== 'waiting') throw new Error('The rules are not shown again.');
      return found;
    });
    expect([again.judgment.proposal, again.problem, gate.remembered]).toEqual([['Bash(x:*)'], says('rulesChanged'), []]);
    session.answer('a', { type: 'always', rules: ['Bash(x:*)'], scope: 'workspace' });
    await turn;

    expect(gate.remembered).toEqual([{ subject: 'x', rules: ['Bash(x:*)'], scope: 'workspace' }]);
    const why = says('allowedAndAddedForWorkspace', 'Bash(x:*)');
    expect(events).toContainEqual(expect.objectContaining({ state: expect.objectContaining({ status: 'running', why }) as unknown }));
  });

  test('Always allow keeps the rules for the folder as well, which the prompt offers beside those for the file', async () => {
    const { session, gate } = rig({ tools: [bash()], scripts: [callsOf('bash x'), answers('Ok.')] });
    gate.judgment = () => ({ type: 'ask', reasons: ['It is outside the workspace.'], proposal: ['Read(//etc/a)'], wider: ['Read(//etc/**)'] });
    const turn = session.send(go).turn;
    await asked(session, 'a');
    session.answer('a', { type: 'always', rules: ['Read(//etc/**)'], scope: 'workspace' });
    await turn;
    expect(gate.remembered).toEqual([{ subject: 'x', rules: ['Read(//etc/**)'], scope: 'workspace' }]);
  });

  test('a rule that cannot be kept leaves the prompt open, with the reason, and nothing runs', async () => {
    const execute = vi.fn(() => ok('ran'));
    const { session, gate, events } = rig({ tools: [bash(execute)], scripts: [callsOf('bash x'), answers('Ok.')] });
    gate.refusal = new Error('The settings file cannot be written.');

    const turn = session.send(go).turn;
    await asked(session, 'a');
    session.answer('a', { type: 'always', rules: ['this'], scope: 'session' });
    await eventually(() =>
      expect(events).toContainEqual(
        expect.objectContaining({ state: expect.objectContaining({ problem: 'The settings file cannot be written.' }) as unknown }),
      ),
    );
    expect(execute).not.toHaveBeenCalled();
    await eventually(() => expect(session.answer('a', { type: 'deny' })).toBe(true));
    await turn;
    expect(execute).not.toHaveBeenCalled();
  });

  describe('a call that the person changed', () => {
    const changed = { type: 'allow' as const, amendment: { type: 'command' as const, command: 'y' } };
    const amendable = (execute: (args: unknown) => ReturnType<typeof ok>): Tool => {
      const tool = testTool('bash', { kind: 'execute', execute });
      return { ...tool, amend: (_plan, amendment, context) => tool.plan({ on: amendment.type === 'command' ? amendment.command : '' }, context) };
    };

    test('cmd-43: is judged again and shown as it was changed, runs once that is allowed, and the model is told', async () => {
      const ran: string[] = [];
      const tool = amendable((args) => (ran.push(subjectOf(args)), ok('ran')));
      const { session, gate, events } = rig({ tools: [tool], scripts: [callsOf('bash x'), answers('Ok.')] });

      const turn = session.send(go).turn;
      await asked(session, 'a');
      session.answer('a', changed);
      await eventually(() =>
        expect(events).toContainEqual(
          expect.objectContaining({
            state: expect.objectContaining({
              status: 'awaiting_approval',
              changed: true,
              plan: expect.objectContaining({ subject: 'y' }) as unknown,
            }) as unknown,
          }),
        ),
      );
      expect(ran).toEqual([]);
      await eventually(() => expect(session.answer('a', { type: 'allow' })).toBe(true));
      await turn;

      expect(ran).toEqual(['y']);
      // What was shown is judged again after it was allowed.
      expect(gate.judged.map(({ plan }) => plan.subject)).toEqual(['x', 'y', 'y']);
      expect(results(session.messages)[0]).toBe('result#a: The user changed this call before allowing it. What ran: y\n\nran');
    });

    test('runs at once where it needs no permission', async () => {
      const execute = vi.fn(() => ok('ran'));
      const { session, gate } = rig({ tools: [amendable(execute)], scripts: [callsOf('bash x'), answers('Ok.')] });
      const ask = gate.judgment;
      gate.judgment = (request) => (request.plan.subject === 'y' ? { type: 'allow', reason: 'It only reads.' } : ask(request));

      const turn = session.send(go).turn;
      await asked(session, 'a');
      session.answer('a', changed);
      await turn;
      expect(execute).toHaveBeenCalledOnce();
    });

    test('does not run when a rule denies the change', async () => {
      const execute = vi.fn(() => ok('ran'));
      const { session, gate } = rig({ tools: [amendable(execute)], scripts: [callsOf('bash x'), answers('Ok.')] });
      const ask = gate.judgment;
      gate.judgment = (request) =>
        request.plan.subject === 'y' ? { type: 'deny', denial: { kind: 'rule', rule: 'Bash(y)', scope: 'user', what: 'y' } } : ask(request);

      const turn = session.send(go).turn;
      await asked(session, 'a');
      session.answer('a', changed);

      expect(await turn).toMatchObject({ denials: [{ reason: 'The deny rule Bash(y) in the user settings forbids `y`.' }] });
      expect(execute).not.toHaveBeenCalled();
    });

    test('is asked about again where the change gives new reasons to', async () => {
      const execute = vi.fn(() => ok('ran'));
      const { session, gate, events } = rig({ tools: [amendable(execute)], scripts: [callsOf('bash x'), answers('Ok.')] });
      gate.judgment = ({ plan }) =>
        plan.subject === 'y' ? { type: 'ask', strict: true, reasons: ['It leaves the workspace.'] } : { type: 'ask', reasons: ['It runs x.'] };

      const turn = session.send(go).turn;
      await asked(session, 'a');
      session.answer('a', changed);
      await eventually(() => expect(statesOf(events, 'a')).toEqual(['pending', 'awaiting_approval', 'awaiting_approval']));
      expect(execute).not.toHaveBeenCalled();
      await eventually(() => expect(session.answer('a', { type: 'allow' })).toBe(true));
      await turn;
      expect(execute).toHaveBeenCalledOnce();
    });

    test('stays open with the reason when the tool cannot be changed', async () => {
      const execute = vi.fn(() => ok('ran'));
      const { session, events } = rig({ tools: [bash(execute)], scripts: [callsOf('bash x'), answers('Ok.')] });

      const turn = session.send(go).turn;
      await asked(session, 'a');
      session.answer('a', changed);
      await eventually(() =>
        expect(events).toContainEqual(expect.objectContaining({ state: expect.objectContaining({ problem: says('callNotEditable', 'bash') }) as unknown })),
      );
      await eventually(() => expect(session.answer('a', { type: 'deny' })).toBe(true));
      await turn;
      expect(execute).not.toHaveBeenCalled();
    });
  });

  test('a mode chosen while the prompt is open counts: plan mode denies what is then allowed', async () => {
    const execute = vi.fn(() => ok('ran'));
    const { session, gate } = rig({ tools: [bash(execute)], scripts: [callsOf('bash x'), answers('Ok.')] });
    const ask = gate.judgment;
    gate.judgment = (request) => (request.mode === 'plan' ? { type: 'deny', denial: { kind: 'plan_mode' } } : ask(request));

    const turn = session.send(go).turn;
    await asked(session, 'a');
    session.setMode('plan');
    session.answer('a', { type: 'always', rules: ['this'], scope: 'session' });

    expect(await turn).toMatchObject({ denials: [{ reason: 'Plan mode only reads; nothing may be changed or run.' }] });
    expect(execute).not.toHaveBeenCalled();
    expect(gate.remembered).toEqual([]);
  });

  test('cmd-43: prompts come one after another, and an answer reaches only its own call', async () => {
    const ran: string[] = [];
    const tool = testTool('bash', { kind: 'execute', execute: (args) => (ran.push(subjectOf(args)), ok('')) });
    const { session } = rig({ tools: [tool], scripts: [callsOf('bash 1', 'bash 2', 'bash 3'), answers('Ok.')] });

    const turn = session.send(go).turn;
    await asked(session, 'a');
    expect(session.answer('b', { type: 'allow' })).toBe(false);
    session.answer('a', { type: 'deny' });
    await asked(session, 'b');
    session.answer('b', { type: 'allow' });
    await asked(session, 'c');
    session.answer('c', { type: 'deny' });
    await turn;

    expect(ran).toEqual(['2']);
  });
});

test('live output is passed on while the call runs, and not afterwards', async () => {
  let late: (chunk: string) => void = () => undefined;
  const tool = testTool('read', {
    execute: (_args, context) => {
      late = (chunk) => context.output(chunk);
      context.output('one');
      return ok('all');
    },
  });
  const { session, events } = rig({ tools: [tool], scripts: [callsOf('read a'), answers('Ok.')] });

  await session.send(go).turn;
  late('two');

  expect(events.filter((event) => event.type === 'tool_output')).toEqual([{ type: 'tool_output', callId: 'a', chunk: 'one', who: session.identity }]);
});

test('tool-21: the same failing call eight times in a row ends the turn', async () => {
  const fails = testTool('read', { execute: () => ({ ...ok('no'), isError: true }) });
  const scripts = Array.from({ length: 10 }, (_, index): Script => [...calls(0, `c${index}`, { name: 'read', args: { on: 'x' } }), ...stops('tool_use')]);
  const { session } = rig({ tools: [fails], scripts });

  const turn = await session.send(go).turn;

  expect(turn).toMatchObject({ end: 'loop', rounds: 8, error: { message: expect.stringContaining('same failing read call 8 times') as string } });
  expect(results(session.messages)).toHaveLength(8);
});

test('tool-21: other arguments, or a success in between, are no loop', async () => {
  let count = 0;
  const sometimes = testTool('read', { execute: () => ({ ...ok('no'), isError: (count += 1) % 5 !== 0 }) });
  const same = Array.from({ length: 10 }, (_, index): Script => [...calls(0, `c${index}`, { name: 'read', args: { on: 'x' } }), ...stops('tool_use')]);
  const other = Array.from({ length: 6 }, (_, index): Script => [...calls(0, `d${index}`, { name: 'fly', args: { on: index } }), ...stops('tool_use')]);
  const { session } = rig({ tools: [sometimes], scripts: [...same, ...other, answers('Ok.')] });

  expect(await session.send(go).turn).toMatchObject({ end: 'end_turn', rounds: 17 });
});

describe('Stop during a tool', () => {
  test('Stop right behind Allow: nothing runs', async () => {
    const execute = vi.fn(() => ok('ran'));
    const { session } = rig({ tools: [testTool('bash', { kind: 'execute', execute })], scripts: [callsOf('bash a')] });

    const turn = session.send(go).turn;
    await asked(session, 'a');
    session.answer('a', { type: 'allow' });
    session.cancel();

    expect(await turn).toMatchObject({ end: 'aborted' });
    expect(execute).not.toHaveBeenCalled();
    expect(results(session.messages)).toEqual(['result#a!: Cancelled by the user.']);
  });

  test('while what records changes hangs: nothing runs, and what begins late is ended', async () => {
    const execute = vi.fn(() => ok('ran'));
    const ended = vi.fn(() => Promise.resolve());
    let begin: (record: { end: () => Promise<void> }) => void = () => undefined;
    const changes = { begin: () => new Promise<{ end: () => Promise<void> }>((resolve) => (begin = resolve)) };
    const { session, events } = rig({ tools: [testTool('bash', { kind: 'execute', execute })], scripts: [callsOf('bash a')], changes });

    const turn = session.send(go).turn;
    await asked(session, 'a');
    session.answer('a', { type: 'allow' });
    await eventually(() => expect(statesOf(events, 'a')).toContain('running'));
    session.cancel();

    expect(await turn).toMatchObject({ end: 'aborted' });
    begin({ end: ended });
    // What is in its files by then is of others.
    await eventually(() => expect(ended).toHaveBeenCalledExactlyOnceWith({ failed: true }));
    expect(execute).not.toHaveBeenCalled();
  });

  test('what the tool had done is kept: a change that was made counts as made', async () => {
    const latch = new Latch();
    const edit = testTool('edit', { execute: async () => (await latch.pass(), ok('Edited.')) });
    const { session, events } = rig({ tools: [edit], scripts: [callsOf('edit a')] });

    const turn = session.send(go).turn;
    await latch.reached;
    session.cancel();
    latch.open();

    expect(await turn).toMatchObject({ end: 'aborted' });
    expect(results(session.messages)).toEqual(['result#a: Edited.']);
    expect(statesOf(events, 'a').at(-1)).toBe('done');
  });

  test('the output of a command that was killed is kept behind the words that say so', async () => {
    const bash = testTool('bash', {
      execute: (_args, context) =>
        new Promise((resolve) => {
          context.signal.addEventListener('abort', () => resolve({ ...ok('[half of the output]'), isError: true }));
          queueMicrotask(() => session.cancel());
        }),
    });
    const { session, events } = rig({ tools: [bash], scripts: [callsOf('bash a')] });

    await session.send(go).turn;

    expect(results(session.messages)).toEqual(['result#a!: Cancelled by the user.[half of the output]']);
    expect(statesOf(events, 'a').at(-1)).toBe('cancelled');
  });

  test('a tool that does not stop is left behind after a while', async () => {
    vi.useFakeTimers();
    try {
      const latch = new Latch();
      const { session } = rig({ tools: [testTool('read', { execute: async () => (await latch.pass(), ok('')) })], scripts: [callsOf('read a')] });
      const turn = session.send(go).turn;
      await latch.reached;
      session.cancel();
      await vi.advanceTimersByTimeAsync(STOP_GRACE_MS);
      expect(await turn).toMatchObject({ end: 'aborted' });
      expect(results(session.messages)).toEqual(['result#a!: Cancelled by the user. It did not stop in time and may still be running.']);
    } finally {
      vi.useRealTimers();
    }
  });
});
