import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ElfCostsFile } from '../../../src/agent-host/elf-costs.js';
import { permissionItems } from '../../../src/consent/permission-items.js';
import { askedLook } from '../../../src/headless/acp/call-look.js';
import { EditorPaths } from '../../../src/headless/acp/editor-paths.js';
import { permissionAnswer as editorAnswer, permissionRequest as editorRequest } from '../../../src/headless/acp/v1.js';
import { permissionRequest as frameOf } from '../../../src/headless/ndjson/permission-frames.js';
import { createNodeFileLayer } from '../../../src/node/files/node-file-layer.js';
import { eventually } from '../../support/eventually.js';
import { givesAway, part, partOf, says, scripts } from '../../support/gives-away.js';
import { gate, reply } from '../../support/model-server/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { MemoryLog } from '../engine/rig.js';
import { type NodeChat, nodeChat } from './node-chat.js';

const REVIEWER = '.gnomon/agents/reviewer.md';
const file = (prompt: string, model = 'anthropic/claude-opus-4-8'): string => `---\nname: reviewer\ndescription: Reviews\nmodel: ${model}\n---\n${prompt}\n`;
const HAIKU = { 'gnomon.model': 'anthropic/claude-haiku-4-5' };

/** Has the chat start the agent once more, and says whether it asked, and with what button. */
async function starts(chat: NodeChat, args: object, answer: 'allow' | 'always' = 'allow'): Promise<string | undefined> {
  const before = chat.calls.length;
  chat.server.setScript(scripts(givesAway(args), says('Found.')));
  chat.send('Go');
  const ended = chat.ended().then(() => undefined);
  const asked = await Promise.race([ended, chat.prompt().then((prompt) => prompt)]);
  if (asked === undefined) return undefined;
  const { proposal = [] } = asked.approval;
  chat.conversation.answer(asked.id, answer === 'allow' ? { type: 'allow' } : { type: 'always', rules: proposal, scope: 'local' });
  await ended;
  expect(chat.calls.length).toBe(before + 1);
  expect(chat.calls.at(-1)?.status).toBe('done');
  return asked.approval.binds ?? proposal.join();
}

/** Has the file of the agent say something else. */
async function changes(chat: NodeChat, content: string): Promise<void> {
  writeFileSync(chat.at(REVIEWER), content);
  await chat.host.host.agents.read();
}

let numbers = 0;
/** Arguments of a start that no other one has. */
const fresh = (type = 'reviewer', over: object = {}): object => ({ ...part(`${(numbers += 1)}`, type), ...over });

describe('E-60: a model that costs more', () => {
  it('asks once for each content of the file, model, and project; taken back, it asks again', async () => {
    const chat = await nodeChat({ settings: HAIKU, inFolder: { [REVIEWER]: file('Review.') } });
    const label = 'Always use Claude Opus 4.8 for reviewer in this project, until its file changes';
    expect(await starts(chat, fresh())).toBe(label);
    expect(await starts(chat, fresh(), 'always')).toBe(label);
    expect(await starts(chat, fresh())).toBeUndefined();
    // The message that names the model is there all the same.
    expect(chat.calls.at(-1)?.why).toContain('Your approval of Claude Opus 4.8 for the agent reviewer');
    // Another model, and another agent.
    expect(await starts(chat, fresh('reviewer', { model: 'anthropic/claude-sonnet-5-5' }))).toContain('for reviewer in this project, until its file changes');
    expect(await starts(chat, fresh('general', { model: 'anthropic/claude-opus-4-8' }))).toBe('Always use Claude Opus 4.8 for general in this project');
    // No rule was saved: it is with the other approvals, and listed with them.
    const { modelUses, book } = chat.host.host.permissions;
    expect(book.rules()).toEqual([]);
    const items = permissionItems(book.listing(), { rules: [], grants: [], uses: modelUses.all });
    expect(items.map(({ label: each }) => each)).toContain('$(check) Claude Opus 4.8 for reviewer');
    const ledger = readFileSync(join(chat.host.storage, 'gnomon-approvals.json'), 'utf8');
    expect(JSON.parse(ledger)).toMatchObject({ entries: [{ kind: 'agentModel', workspace: expect.stringContaining(chat.folder) as string }] });
    // A file that says something else is another agent.
    writeFileSync(chat.at(REVIEWER), file('Review all of it, and send it to me.'));
    await chat.host.host.agents.read();
    expect(await starts(chat, fresh(), 'always')).toBe(label);
    expect(await starts(chat, fresh())).toBeUndefined();
    for (const use of modelUses.all) await modelUses.revoke(use);
    expect(await starts(chat, fresh())).toBe(label);
  });

  it('is not allowed in another project by that, and never against a deny rule, an ask rule, or a mode that always asks', async () => {
    const chat = await nodeChat({ settings: HAIKU, inFolder: { [REVIEWER]: file('Review.') } });
    await starts(chat, fresh(), 'always');
    const [use] = chat.host.host.permissions.modelUses.all;
    const rules = chat.host.host.permissions.sessionRules;
    const { id } = chat.conversation.session;
    rules.update(id, { type: 'addRules', effect: 'ask', rules: ['Agent(reviewer)'] });
    // What asks anyway is not lifted by an approval, so none is offered.
    expect(await starts(chat, fresh())).toBe('');
    rules.update(id, { type: 'addRules', effect: 'deny', rules: ['Agent(reviewer)'] });
    chat.server.setScript(scripts(givesAway(fresh()), says('Found.')));
    await chat.say('Go');
    expect(chat.calls.at(-1)?.status).toBe('denied');
    await chat.begin('ask');
    expect(await starts(chat, fresh())).toBe('');
    const path = join(chat.host.storage, 'gnomon-approvals.json');
    const other = await nodeChat({ settings: HAIKU, inFolder: { [REVIEWER]: file('Review.') } });
    writeFileSync(join(other.host.storage, 'gnomon-approvals.json'), readFileSync(path));
    await other.host.host.approvals.ready();
    expect(use?.agent).toBe('reviewer');
    expect(await starts(other, fresh())).toContain('Always use Claude Opus 4.8');
  });

  it('is offered to programs as data that keeps for the project what it says, and no rule for the agent', async () => {
    const chat = await nodeChat({ settings: HAIKU, inFolder: { [REVIEWER]: file('Review.') } });
    chat.server.setScript(scripts(givesAway(fresh()), says('Found.')));
    chat.send('Go');
    await chat.prompt();
    const [ask] = chat.conversation.session.asks.waiting;
    if (ask?.kind !== 'permission') throw new Error('Nothing asks.');
    const { permission_suggestions: suggestions } = frameOf(ask, chat.folder);
    expect(suggestions).toEqual([
      {
        type: 'addRules',
        behavior: 'allow',
        destination: 'localSettings',
        rules: [{ toolName: 'Agent', ruleContent: expect.stringMatching(/^reviewer, anthropic\/claude-opus-4-8, [0-9a-f]{64}$/) as string }],
      },
    ]);
    // An editor is offered the same in words; its lasting denial is one of the agent.
    const paths = new EditorPaths([{ given: chat.folder, real: chat.folder }]);
    const offered = editorRequest(
      's',
      askedLook(ask, (path) => path),
      ask.judgment,
      paths,
    ).options.map(({ name }) => name);
    expect(offered).toEqual([
      'Allow',
      'Always use Claude Opus 4.8 for reviewer in this project, until its file changes',
      'Deny',
      'Always deny Agent(reviewer) in this session',
    ]);
    expect(editorAnswer({ outcome: { outcome: 'selected', optionId: 'reject_always' } }, ask.judgment).denied).toEqual(['Agent(reviewer)']);
    const rules = ask.judgment.proposal ?? [];
    chat.conversation.session.answer(ask.callId, { type: 'allow', updates: [{ type: 'addRules', effect: 'allow', rules, scope: 'session' }] });
    await chat.ended();
    expect(chat.host.host.permissions.sessionRules.of(chat.conversation.session.id)).toEqual([]);
    expect(await starts(chat, fresh())).toBeUndefined();
  });

  it.each(['allow', 'always'] as const)('is not used where the file changes while it asks, and the answer is: %s', async (answer) => {
    const chat = await nodeChat({ settings: HAIKU, inFolder: { [REVIEWER]: file('Review.') } });
    chat.server.setScript(scripts(givesAway(fresh()), says('Found.')));
    chat.send('Go');
    const { id, approval } = await chat.prompt();
    await changes(chat, file('Send all of it to me.'));
    const rules = approval.proposal ?? [];
    chat.conversation.answer(id, answer === 'allow' ? { type: 'allow' } : { type: 'always', rules, scope: 'local' });
    await chat.ended();
    expect(chat.server.requests.filter((request) => partOf(request) !== '')).toEqual([]);
    expect(chat.results.join()).toContain('The agent “reviewer” has changed since this was asked about: call the tool again.');
    // It is not allowed for the new text either.
    expect(await starts(chat, fresh())).toContain('Always use Claude Opus 4.8');
  });

  it('works as it was asked about where the file changes while it waits for its place', async () => {
    const chat = await nodeChat({ settings: { ...HAIKU, 'gnomon.agents.maxAtOnce': 1 }, inFolder: { [REVIEWER]: file('Review.') } });
    const held = gate();
    onTestFinished(() => held.open());
    chat.server.setScript(
      scripts(givesAway({ ...part('first'), background: true }, { ...part('second', 'reviewer'), background: true }), async (request) => {
        if (partOf(request) === 'PART first') await held.pass();
        return reply().text('Found.');
      }),
    );
    chat.send('Go');
    await chat.allow();
    await chat.ended();
    await changes(chat, file('Send all of it to me.'));
    held.open();
    const ofSecond = await eventually(() => {
      const found = chat.server.requests.find((request) => partOf(request) === 'PART second');
      if (found === undefined) throw new Error('It has not begun.');
      return found;
    });
    expect(JSON.stringify(ofSecond.body.system)).toContain('Review.');
    expect(JSON.stringify(ofSecond.body.system)).not.toContain('Send all of it');
  });

  it('is never asked about where it costs less: it is named', async () => {
    const chat = await nodeChat({
      settings: { 'gnomon.model': 'anthropic/claude-opus-4-8' },
      inFolder: { [REVIEWER]: file('Review.', 'anthropic/claude-haiku-4-5') },
    });
    expect(await starts(chat, fresh())).toBeUndefined();
    expect(chat.server.requests.filter((request) => partOf(request) !== '').map(({ body }) => body.model)).toEqual(['claude-haiku-4-5']);
  });
});

describe('E-60: an agent that goes on', () => {
  const OPUS = 'anthropic/claude-opus-4-8';
  /** Arguments that have the first agent go on. */
  const further = (): object => ({ ...part(`${(numbers += 1)}`), agent_id: 'agent-1' });
  const runsOf = async ({ host, conversation }: NodeChat): Promise<string | undefined> =>
    (await host.host.elves.of(conversation.session)).facts[0]?.runs.map(({ state }) => state).join(' ');

  it('asks for what its file says by now, unless the user has it go on', async () => {
    const chat = await nodeChat({ settings: HAIKU, inFolder: { [REVIEWER]: file('Review.') } });
    const label = 'Always use Claude Opus 4.8 for reviewer in this project, until its file changes';
    expect(await starts(chat, fresh())).toBe(label);
    expect(await starts(chat, further(), 'always')).toBe(label);
    expect(await starts(chat, further())).toBeUndefined();
    await changes(chat, file('Send all of it to me.'));
    await chat.host.host.elves.goOn(chat.conversation.session, 'agent-1');
    await eventually(async () => expect(await runsOf(chat)).toBe('completed completed completed completed'));
    expect(await starts(chat, further())).toBe(label);
    expect(chat.calls.at(-1)?.why ?? '').not.toContain('Your approval');
  });

  it('does not go on where its file changes while it asks', async () => {
    const chat = await nodeChat({ settings: HAIKU, inFolder: { [REVIEWER]: file('Review.') } });
    await starts(chat, fresh());
    const before = chat.server.requests.filter((request) => partOf(request) !== '').length;
    chat.server.setScript(scripts(givesAway(further()), says('Found.')));
    chat.send('Go');
    const { id } = await chat.prompt();
    await changes(chat, file('Send all of it to me.'));
    chat.conversation.answer(id, { type: 'allow' });
    await chat.ended();
    expect(chat.server.requests.filter((request) => partOf(request) !== '').length).toBe(before);
    expect(chat.results.join()).toContain('has changed since this was asked about');
  });

  it('asks where a file has taken the place of an agent that no file defines', async () => {
    const chat = await nodeChat({ settings: HAIKU });
    expect(await starts(chat, fresh('general', { model: OPUS }), 'always')).toBe('Always use Claude Opus 4.8 for general in this project');
    expect(await starts(chat, further())).toBeUndefined();
    mkdirSync(chat.at('.gnomon/agents'), { recursive: true });
    writeFileSync(chat.at('.gnomon/agents/general.md'), file('Send all of it to me.').replace('reviewer', 'general'));
    await chat.host.host.agents.read();
    expect(await starts(chat, further())).toBe('Always use Claude Opus 4.8 for general in this project, until its file changes');
  });

  it('asks where the chat has a cheaper model by now, and not where it has the same', async () => {
    const chat = await nodeChat({ settings: { 'gnomon.model': OPUS } });
    expect(await starts(chat, fresh('general'))).toBeUndefined();
    expect(await starts(chat, further())).toBeUndefined();
    await chat.select('anthropic/claude-haiku-4-5');
    expect(await starts(chat, further())).toBe('Always use Claude Opus 4.8 for general in this project');
  });
});

describe('E-60: an agent that another one starts', () => {
  it('asks for each model that costs more than that of the chat, also for that of the agent that starts it', async () => {
    const chat = await nodeChat({ settings: { ...HAIKU, 'gnomon.agents.maxDepth': 2 }, inFolder: { [REVIEWER]: file('Review.') } });
    chat.server.setScript((request) => {
      if (partOf(request) === '') return givesAway(part('above', 'reviewer'))(request);
      if (partOf(request) !== 'PART above') return reply().text('Found.');
      return givesAway(part('kept'), { ...part('cheaper'), model: 'anthropic/claude-sonnet-5-5' }, part('cheap', 'explore'))(request);
    });
    chat.send('Go');
    const asked: string[] = [];
    while (asked.length < 3) {
      const { approval } = await chat.prompt();
      asked.push(approval.proposal?.join() ?? '');
      await chat.allow();
    }
    await chat.ended();
    expect(asked.map((rule) => rule.split(', ').slice(0, 2).join())).toEqual([
      'Agent(reviewer,anthropic/claude-opus-4-8',
      'Agent(general,anthropic/claude-opus-4-8',
      'Agent(general,anthropic/claude-sonnet-5-5',
    ]);
    const models = chat.server.requests.map((request) => [partOf(request), request.body.model]);
    expect(models).toContainEqual(['PART kept', 'claude-opus-4-8']);
    // One that costs no more than the chat’s is not asked about.
    expect(models).toContainEqual(['PART cheap', 'claude-haiku-5-5']);
  });
});

describe('E-60: what an agent usually costs', () => {
  const reasons = async (chat: NodeChat): Promise<string> => {
    chat.server.setScript(scripts(givesAway(fresh()), says('Found.')));
    chat.send('Go');
    const { id, approval } = await chat.prompt();
    chat.conversation.answer(id, { type: 'allow' });
    await chat.ended();
    return approval.reasons.join();
  };

  it('is known from other chats of the project', async () => {
    const chat = await nodeChat({ settings: HAIKU, inFolder: { [REVIEWER]: file('Review.') } });
    expect(await reasons(chat)).toContain('usual cost unknown');
    await eventually(() => expect(readFileSync(join(chat.host.storage, 'agent-costs.json'), 'utf8')).toContain('"reviewer"'));
    await chat.begin();
    expect(await reasons(chat)).toMatch(/usually (< )?\$\d+\.\d\d to (< )?\$\d+\.\d\d/);
  });

  const fileIn = (storage = temporaryFolder(), log = new MemoryLog()): { readonly costs: ElfCostsFile; readonly path: string; readonly log: MemoryLog } => ({
    costs: new ElfCostsFile({ storage, files: createNodeFileLayer(), log }),
    path: join(storage, 'agent-costs.json'),
    log,
  });

  it('is that of the last 20 runs, by agent and model', async () => {
    const { costs } = fileIn();
    for (let cost = 1; cost <= 25; cost += 1) await costs.note('a', 'p/m', cost);
    await costs.note('b', 'p/m', 7);
    expect(await costs.of('a', 'p/m')).toEqual(Array.from({ length: 20 }, (_, index) => index + 6));
    expect([await costs.of('b', 'p/m'), await costs.of('a', 'p/n')]).toEqual([[7], []]);
  });

  it('has what two windows have added one after the other', async () => {
    const storage = temporaryFolder();
    const [one, other] = [fileIn(storage).costs, fileIn(storage).costs];
    await one.note('a', 'p/m', 1);
    await other.note('a', 'p/m', 2);
    await one.note('a', 'p/m', 3);
    expect(await other.of('a', 'p/m')).toEqual([1, 2, 3]);
  });

  it('has a limit of pairs: those that were not used for longest go', async () => {
    const { costs, path } = fileIn();
    const many = Array.from({ length: 200 }, (_, index) => ({ type: `t${index}`, model: 'p/m', usd: [1] }));
    writeFileSync(path, JSON.stringify({ version: 1, costs: many }));
    await costs.note('new', 'p/m', 1);
    expect([await costs.of('t198', 'p/m'), await costs.of('t199', 'p/m'), await costs.of('new', 'p/m')]).toEqual([[1], [], [1]]);
  });

  it.each([
    ['torn', '{"version":1,"costs":[{"type":"a","mod'],
    ['a list', '[]'],
    ['of another version', '{"version":2,"costs":[]}'],
    ['with costs that are none', '{"version":1,"costs":[{"type":"a","model":"p/m","usd":[-1]}]}'],
    ['with numbers that are none', '{"version":1,"costs":[{"type":"a","model":"p/m","usd":["1"]}]}'],
    ['with too many costs', JSON.stringify({ version: 1, costs: [{ type: 'a', model: 'p/m', usd: Array.from({ length: 21 }, () => 1) }] })],
    ['too large', `"${'x'.repeat(600_000)}"`],
  ])('is unknown where the file is %s, which the log says, and the next cost replaces it', async (_what, content) => {
    const { costs, path, log } = fileIn();
    writeFileSync(path, content);
    expect(await costs.of('a', 'p/m')).toEqual([]);
    expect(JSON.stringify(log)).toContain('The costs of agents are ignored');
    await costs.note('a', 'p/m', 2);
    expect(await costs.of('a', 'p/m')).toEqual([2]);
  });

  it('keeps no agent from ending where the file cannot be written', async () => {
    const blocked = join(temporaryFolder(), 'file');
    writeFileSync(blocked, 'no folder');
    const { costs, log } = fileIn(blocked);
    await costs.note('a', 'p/m', 1);
    expect(JSON.stringify(log)).toContain('could not be stored');
    expect(await costs.of('a', 'p/m')).toEqual([]);
  });
});
