import { describe, expect, it } from 'vitest';
import type { AgentFile } from '../../../../src/domain/config/agent.js';
import { ProviderError } from '../../../../src/domain/errors.js';
import { skillText } from '../../../../src/domain/session/skills.js';
import type { Plan, Tool } from '../../../../src/domain/tool/tool.js';
import type { TurnGrant } from '../../../../src/domain/tool/turn-grant.js';
import { createSkillTool } from '../../../../src/tool/skill.js';
import { createMemoryWorkspace } from '../../../support/memory-workspace/index.js';
import { answers, calls, type Script, ScriptedProvider, stops, TEST_MODEL } from '../../../support/scripted-provider/index.js';
import { gateOn, runs } from '../../permission/rig.js';
import { type Rig, ok, rig, testTool } from '../rig.js';

const FILE = '/ws/.agents/skills/notes/SKILL.md';
const GRANT: TurnGrant = { kind: 'skill', name: 'notes', origin: { layer: 'project', file: FILE, display: 'notes' }, rules: ['Bash(npm test:*)'], digest: 'a' };
const said = (words: string) => [{ type: 'text' as const, text: words }];
const runsTests = (id: string): Script => [...calls(0, id, { name: 'bash', args: { command: 'npm test' } }), ...stops('tool_use')];
const loads = (id: string): Script => [...calls(0, id, { name: 'skill', args: { skill: 'notes' } }), ...stops('tool_use')];
const AGENT: AgentFile = {
  name: 'writer',
  description: '',
  systemPrompt: 'Only write.',
  allowedTools: ['bash', 'read'],
  disallowedTools: [],
  skills: [],
  hooks: [],
  userInvocable: true,
  fields: [],
  origin: { layer: 'project', file: '/ws/a.md', display: 'a.md' },
};

/** A session in which each question is denied, and counted. */
function setUp(scripts: readonly Script[], { approved = () => true }: { readonly approved?: (grant: TurnGrant) => boolean } = {}) {
  const ran: string[] = [];
  const asked: string[] = [];
  const state = { grant: GRANT };
  const bash: Tool = {
    ...testTool('bash'),
    plan: (args): Promise<Plan> => Promise.resolve(Object.freeze({ ...runs((args as { command: string }).command), args })),
    execute: ({ subject }) => (ran.push(subject), Promise.resolve({ ...ok('ran'), printed: { text: 'ran', exitCode: 0 } })),
  };
  const text = skillText({ name: 'notes', folder: '/ws/.agents/skills/notes', body: 'x', files: [], hasMore: false });
  const texts = { find: () => Promise.resolve(FILE), load: () => Promise.resolve({ text, grant: state.grant }) };
  const tool = createSkillTool({ ...createMemoryWorkspace({ files: { [FILE]: 'x' } }), skills: texts });
  const all: Rig = rig({
    scripts,
    tools: [bash],
    realGate: gateOn({ approved, files: { [FILE]: 'x' } }),
    skills: { source: { catalog: () => Promise.resolve({ entries: [{ name: 'notes', description: 'x' }], unlisted: 0 }) }, texts, tool },
  });
  all.session.onEvent((event) => {
    if (event.type !== 'tool_call' || event.state.status !== 'awaiting_approval') return;
    asked.push(event.callId);
    queueMicrotask(() => all.session.answer(event.callId, { type: 'deny' }));
  });
  return { ...all, ran, asked, state };
}

describe('what a turn has that its session has not', () => {
  it('S-34: what a message names runs without a question in its turn, and asks again in the next', async () => {
    const { session, ran, asked } = setUp([runsTests('c1'), answers('Done.'), runsTests('c2'), answers('Done.')]);
    const { turn } = session.send(said('/notes'), { grants: [GRANT] });
    expect(session.grants).toEqual([GRANT]);
    await turn;
    expect([ran.length, asked]).toEqual([1, []]);
    expect(session.grants).toEqual([]);
    await session.send(said('Again')).turn;
    expect([ran.length, asked]).toEqual([1, ['c2']]);
  });

  it('S-34: what a skill names that the model loads counts from then on, until the end of the turn', async () => {
    const { session, ran, asked } = setUp([answers('Hi.'), runsTests('c1'), loads('c2'), runsTests('c3'), answers('Done.'), runsTests('c4'), answers('Done.')]);
    await session.send(said('Hello')).turn;
    await session.send(said('Test it')).turn;
    expect([ran.length, asked]).toEqual([1, ['c1']]);
    await session.send(said('Again')).turn;
    expect([ran.length, asked]).toEqual([1, ['c1', 'c4']]);
  });

  it('S-34: a file that was changed since it was approved allows nothing', async () => {
    const { session, state, ran, asked } = setUp([answers('Hi.'), loads('c1'), runsTests('c2'), answers('Done.')], {
      approved: ({ digest }) => digest === 'a',
    });
    await session.send(said('Hello')).turn;
    state.grant = { ...GRANT, digest: 'changed' };
    await session.send(said('Test it')).turn;
    expect([ran.length, asked]).toEqual([0, ['c2']]);
  });

  it('S-34: commands in the text of a command may run as well, and a turn that did not begin leaves nothing behind', async () => {
    const { session, ran, asked } = setUp([answers('Done.'), runsTests('c1'), answers('Done.')]);
    await session.send([], { script: [{ type: 'command', command: 'npm test' }], grants: [GRANT] }).turn;
    expect([ran.length, asked]).toEqual([1, []]);
    expect((await session.send([], { script: [{ type: 'command', command: 'make' }], grants: [GRANT] }).turn).end).toBe('blocked');
    await session.send(said('Again')).turn;
    expect([ran.length, asked.length]).toEqual([1, 2]);
  });

  it('S-23: an agent that has no such tool keeps it', async () => {
    const { session, ran, asked } = setUp([runsTests('c1'), answers('Done.')]);
    session.setAgent({ ...AGENT, allowedTools: ['read'] });
    await session.send(said('/notes'), { grants: [GRANT] }).turn;
    expect([ran, asked]).toEqual([[], []]);
  });

  it('S-40: the model, the agent and the effort of a command last for its turn, visibly', async () => {
    const { session, provider, recorder, events } = setUp([answers('One.'), answers('Two.')]);
    const other = { ...TEST_MODEL, id: 'other' };
    const theirs = new ScriptedProvider([answers('Theirs.')]);
    const { turn } = session.send(said('/write'), { model: { provider: theirs, model: other }, agent: AGENT, effort: 'high' });
    expect([session.model.id, session.agent]).toEqual(['other', undefined]);
    await turn;
    expect([theirs.requests.length, provider.requests.length]).toEqual([1, 0]);
    expect(theirs.requests[0]).toMatchObject({ effort: 'high', systemPrompt: expect.stringContaining('Only write.') as string });
    expect(recorder.meta).toMatchObject({ model: `${TEST_MODEL.provider}/${TEST_MODEL.id}`, agent: undefined });
    await session.send(said('Hello')).turn;
    expect(provider.requests.length).toBe(1);
    expect(JSON.stringify(provider.requests[0])).not.toContain('Only write.');
    const shown = events.flatMap((event) => (event.type === 'settings_changed' ? [`${event.model} ${event.agent ?? '-'}`] : []));
    expect(shown).toEqual([`${TEST_MODEL.provider}/other writer`, `${TEST_MODEL.provider}/${TEST_MODEL.id} -`]);
  });

  it('S-40: a model that the user chooses during the turn stays', async () => {
    const { session, provider } = setUp([answers('One.')]);
    const theirs = new ScriptedProvider([runsTests('c1')]);
    const chosen = { ...TEST_MODEL, id: 'chosen' };
    session.onEvent((event) => event.type === 'answer' && session.model.id === 'other' && session.setModel(provider, chosen));
    await session.send(said('/write'), { model: { provider: theirs, model: { ...TEST_MODEL, id: 'other' } } }).turn;
    expect([theirs.requests.length, provider.requests.length, session.model.id]).toEqual([1, 1, 'chosen']);
  });

  it('S-24: the agent of a command cannot widen what the agent of the chat may do', async () => {
    const { session, ran, asked, events } = setUp([runsTests('c1'), answers('Done.')]);
    session.setAgent({ ...AGENT, name: 'reader', allowedTools: ['read'], permissionMode: 'plan' });
    const { turn } = session.send(said('/write'), { agent: { ...AGENT, permissionMode: 'acceptEdits' }, grants: [GRANT] });
    expect(session.effectiveMode).toBe('plan');
    await turn;
    expect([ran, asked]).toEqual([[], []]);
    expect(events.findLast(({ type }) => type === 'settings_changed')).toMatchObject({ agent: 'reader', mode: 'default', effectiveMode: 'plan' });
  });
});

describe('a turn that is tried again', () => {
  const broken: Script = [new ProviderError('interrupted', 'The connection broke.')];

  it('S-34: has what its command and the skills that were loaded in it name, judged again, and the next one has nothing of it', async () => {
    const { session, ran, asked, state } = setUp(
      [loads('c1'), broken, runsTests('c2'), broken, runsTests('c3'), answers('Done.'), runsTests('c4'), answers('Done.')],
      { approved: ({ digest }) => digest === state.grant.digest },
    );
    await session.send(said('/notes'), { grants: [GRANT] }).turn;
    await session.retry().turn;
    expect([ran.length, asked]).toEqual([1, []]);
    state.grant = { ...GRANT, digest: 'changed' };
    await session.retry().turn;
    expect([ran.length, asked]).toEqual([1, ['c3']]);
    await session.send(said('Again')).turn;
    expect([ran.length, asked]).toEqual([1, ['c3', 'c4']]);
  });

  it('S-34: has nothing of a turn before, nor does a message that a hook blocked take anything from it', async () => {
    const { session, ran, asked } = setUp([broken, runsTests('c1'), answers('Done.'), broken, broken, runsTests('c2'), answers('Done.')]);
    await session.send(said('/notes'), { grants: [GRANT] }).turn;
    expect((await session.send([], { script: [{ type: 'command', command: 'make' }] }).turn).end).toBe('blocked');
    await session.retry().turn;
    expect(ran).toHaveLength(1);
    await session.send(said('/notes'), { grants: [GRANT] }).turn;
    await session.send(said('Something else')).turn;
    await session.retry().turn;
    expect([ran.length, asked.at(-1)]).toEqual([1, 'c2']);
  });

  it('S-40: has the model, agent, and effort of its command; once the user has chosen a model, that one', async () => {
    const { session, provider } = setUp([answers('Mine.')]);
    const theirs = new ScriptedProvider([broken, broken]);
    await session.send(said('/write'), { model: { provider: theirs, model: { ...TEST_MODEL, id: 'other' } }, agent: AGENT, effort: 'high' }).turn;
    await session.retry().turn;
    for (const request of theirs.requests) expect(request).toMatchObject({ effort: 'high', systemPrompt: expect.stringContaining('Only write.') as string });
    expect([theirs.requests.length, session.model.id]).toEqual([2, TEST_MODEL.id]);
    session.setModel(provider, { ...TEST_MODEL, id: 'chosen' });
    await session.retry().turn;
    expect([theirs.requests.length, provider.requests.length]).toEqual([2, 1]);
    expect(provider.requests[0]).toMatchObject({ effort: 'high', systemPrompt: expect.stringContaining('Only write.') as string });
  });
});
