import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readCommandFile } from '../../../../src/config/commands/read-command.js';
import { readSkill } from '../../../../src/config/skills/read-skill.js';
import type { HookDefinition } from '../../../../src/domain/hook/definition.js';
import type { Message } from '../../../../src/domain/model/message.js';
import { attachedBlock } from '../../../../src/domain/session/attached.js';
import { ranCommandText } from '../../../../src/domain/session/ran-command.js';
import { skillText } from '../../../../src/domain/session/skills.js';
import { createHooks } from '../../../../src/hook/run-hooks.js';
import { readCommandFiles } from '../../../../src/node/config/command-files.js';
import { findSkills, readSkillFile } from '../../../../src/node/config/skill-files.js';
import { createHookRunner } from '../../../../src/node/hook/hook-runner.js';
import { createSkillTool } from '../../../../src/tool/skill.js';
import { HOOK_APPROVALS } from '../../../../src/hook/approval.js';
import { MemoryApprovals } from '../../../support/memory-approvals.js';
import { HookApprovals } from '../../../../src/customization/hooks/hook-approvals.js';
import { createMemoryWorkspace } from '../../../support/memory-workspace/index.js';
import { answers, calls, type Script, stops } from '../../../support/scripted-provider/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { type Rig, ok, outline, rig, testTool } from '../rig.js';
import { NAMED_SECRETS } from '../../../support/named-secrets.js';

const live = new AbortController().signal;
const runner = createHookRunner();
afterAll(() => runner.dispose());

const said = (words: string) => [{ type: 'text' as const, text: words }];
const bash = (id: string): Script => [...calls(0, id, { name: 'bash', args: { command: 'ls', on: 'x' } }), ...stops('tool_use')];
const loads = (id: string): Script => [...calls(0, id, { name: 'skill', args: { skill: 'notes' } }), ...stops('tool_use')];
const GUARD = ['hooks:', '  PreToolUse:', '    - matcher: Bash', '      hooks:', '        - type: command', '          command: sh tools/guard.sh'];
const SKILL = ['---', 'name: notes', 'description: Writes notes.', ...GUARD, '---', 'Write them.'].join('\n');
const COMMAND = ['---', ...GUARD, '---', 'State: !`ls`'].join('\n');
/** Says in a file that it ran, and denies the call. */
const SCRIPT = 'echo ran >> canary\necho "not now" >&2\nexit 2\n';

/** A workspace and a home folder with one skill and one command, and all that decides whether their hooks run. */
async function setUp({ skill = 'ws/.claude/skills/notes/SKILL.md', more = [] }: { readonly skill?: string; readonly more?: readonly HookDefinition[] } = {}) {
  const root = temporaryFolder();
  const [home, ws] = [join(root, 'home'), join(root, 'ws')];
  const files = { [skill]: SKILL, 'ws/.claude/commands/state.md': COMMAND, 'ws/tools/guard.sh': SCRIPT };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const state = { trusted: true };
  const approvals = new HookApprovals({ trusted: () => state.trusted, folders: () => [ws], home, store: new MemoryApprovals().of(HOOK_APPROVALS) });
  const [place] = (await findSkills({ folders: [ws], home, guards: NAMED_SECRETS }, live)).places;
  const file = place && (await readSkillFile(place, live));
  const read = file !== undefined && 'text' in file ? readSkill(file.text, file).skill : undefined;
  if (read === undefined) throw new Error('The skill was not read.');
  const commands = (await readCommandFiles({ folders: [ws], home, guards: NAMED_SECRETS }, live)).flatMap((each) =>
    'text' in each ? (readCommandFile(each.text, each).command ?? []) : [],
  );
  const all = [...more, ...read.hooks, ...commands.flatMap(({ hooks }) => hooks)];
  const hooks = createHooks({
    definitionsFor: (event, scope) => {
      const used = [
        ...(scope.skills.includes(read.folder) ? read.hooks : []),
        ...commands.flatMap(({ origin, hooks: own }) => (scope.commands.includes(origin.display) ? own : [])),
      ];
      return approvals.runnable(
        [...more, ...used].filter((hook) => hook.event === event),
        all,
      );
    },
    runner,
    matchesRule: () => undefined,
  });
  const ran = (): number => (existsSync(join(ws, 'canary')) ? readFileSync(join(ws, 'canary'), 'utf8').split('\n').length - 1 : 0);
  const approveAll = async (): Promise<void> => {
    for (const listed of await approvals.list(all, all)) if (listed.needsApproval) await approvals.approve(listed);
  };
  return { root, ws, home, state, approvals, all, read, ran, approveAll, options: { hooks, transcriptPath: '/s.json', cwd: () => ws } };
}

type Setting = Awaited<ReturnType<typeof setUp>>;

/** A chat in which all that is asked is allowed. */
function chat({ options, read }: Setting, scripts: readonly Script[], messages: readonly Message[] = []): Rig & { readonly called: string[] } {
  const called: string[] = [];
  const text = skillText({ name: read.name, folder: read.folder, body: 'Write them.', files: [], hasMore: false });
  const texts = { find: () => Promise.resolve(read.origin.file), load: () => Promise.resolve({ text }) };
  const tool = createSkillTool({ ...createMemoryWorkspace({ files: { [read.origin.file]: 'x' } }), skills: texts });
  const shell = testTool('bash', { kind: 'execute', execute: () => (called.push('bash'), { ...ok('ran'), printed: { text: 'ran', exitCode: 0 } }) });
  const made = rig({
    scripts,
    messages,
    tools: [shell],
    hooks: options,
    skills: { source: { catalog: () => Promise.resolve({ entries: [{ name: 'notes', description: 'x' }], unlisted: 0 }) }, texts, tool },
  });
  made.gate.judgment = () => ({ type: 'allow', reason: 'Test.' });
  return { ...made, called };
}

const SKILL_CHAT: readonly Script[] = [answers('Hi.'), bash('c1'), loads('c2'), bash('c3'), answers('Done.'), bash('c4'), answers('Done.')];

async function useSkill(setting: Setting) {
  const all = chat(setting, SKILL_CHAT);
  await all.session.send(said('Hello')).turn;
  await all.session.send(said('Write notes')).turn;
  await all.session.send(said('Again')).turn;
  return all;
}

describe('hooks of a skill that a model loads', () => {
  it('S-34 H-40: start in no workspace that is not trusted, even where they were approved', async () => {
    const setting = await setUp();
    await setting.approveAll();
    setting.state.trusted = false;
    expect([(await useSkill(setting)).called.length, setting.ran()]).toEqual([3, 0]);
    await expect(setting.approveAll()).rejects.toThrow('trusted');
  });

  it('S-34 H-40: do not start before they were approved', async () => {
    const setting = await setUp();
    expect([(await useSkill(setting)).called.length, setting.ran()]).toEqual([3, 0]);
  });

  it('S-34: run from then on until the chat ends, and before not', async () => {
    const setting = await setUp();
    await setting.approveAll();
    const { called, session } = await useSkill(setting);
    expect([called.length, setting.ran()]).toEqual([1, 2]);
    expect(outline(session.messages).filter((line) => line.includes('not now'))).toEqual([
      expect.stringContaining('result#c3!'),
      expect.stringContaining('result#c4!'),
    ]);
    // Another chat has not used it; this one still has when it is opened again, and so does a branch of it.
    const other = chat(setting, [bash('d1'), answers('Done.')]);
    await other.session.send(said('List')).turn;
    const again = chat(setting, [bash('e1'), answers('Done.')], session.messages);
    await again.session.send(said('List')).turn;
    expect([other.called.length, again.called.length, setting.ran()]).toEqual([1, 0, 3]);
  });

  it('H-41: a script that has changed since does not run, and what it guards is blocked', async () => {
    const setting = await setUp();
    await setting.approveAll();
    await writeFile(join(setting.ws, 'tools', 'guard.sh'), 'echo ran >> canary\n');
    const { called, session } = await useSkill(setting);
    expect([called.length, setting.ran()]).toEqual([1, 0]);
    expect(outline(session.messages).filter((line) => line.includes('It has changed since you approved it.'))).toHaveLength(2);
  });

  it.each([
    ['home/.claude/skills/notes/SKILL.md', true],
    ['home/.agents/skills/notes/SKILL.md', true],
    ['home/.gnomon/skills/notes/SKILL.md', false],
  ])('S-34: in %s, they need an approval: %s', async (skill, waits) => {
    const setting = await setUp({ skill });
    const listed = await setting.approvals.list(setting.read.hooks, setting.all);
    expect(listed.map(({ needsApproval, standing }) => [needsApproval, standing.state])).toEqual([[waits, waits ? 'new' : 'approved']]);
    await useSkill(setting);
    expect(setting.ran()).toBe(waits ? 0 : 2);
    await setting.approveAll();
    await useSkill(setting);
    expect(setting.ran()).toBe(waits ? 2 : 4);
  });

  it('S-34: run beside all others, and lift nothing that another denies', async () => {
    const other: HookDefinition = {
      event: 'PreToolUse',
      matcher: 'Bash',
      handler: { type: 'command', command: 'echo other >> other; exit 2' },
      timeoutMs: 20_000,
      dialect: 'claude',
      origin: { layer: 'user', file: '/home/me/.gnomon/settings.json', display: '~/.gnomon/settings.json' },
    };
    const setting = await setUp({ more: [other] });
    await writeFile(
      join(setting.ws, 'tools', 'guard.sh'),
      `echo ran >> canary\necho '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'\n`,
    );
    await setting.approveAll();
    const { called } = await useSkill(setting);
    expect([called.length, setting.ran()]).toEqual([0, 2]);
    expect(readFileSync(join(setting.ws, 'other'), 'utf8')).toBe('other\nother\nother\n');
  });
});

describe('hooks of a command', () => {
  const block = attachedBlock({ name: '/state', text: ranCommandText({ name: '/state', file: '.claude/commands/state.md', argument: '' }) });
  const script = [
    { type: 'text' as const, text: 'State: ' },
    { type: 'command' as const, command: 'ls' },
  ];

  it('S-41 H-40: guard the commands in its own text once they are approved, and not before', async () => {
    const setting = await setUp();
    const before = chat(setting, [answers('Done.')]);
    expect((await before.session.send([block], { script }).turn).end).toBe('end_turn');
    expect([before.called.length, setting.ran()]).toEqual([1, 0]);
    await setting.approveAll();
    const after = chat(setting, []);
    expect((await after.session.send([block], { script }).turn).end).toBe('blocked');
    expect([after.called.length, setting.ran()]).toEqual([0, 1]);
  });

  it('S-34: run until the chat ends, also when it is opened again', async () => {
    const setting = await setUp();
    await setting.approveAll();
    const first = chat(setting, [answers('Done.'), bash('c1'), answers('Done.')]);
    await first.session.send([block, ...said('State: clean')]).turn;
    await first.session.send(said('List')).turn;
    const again = chat(setting, [bash('c2'), answers('Done.')], first.session.messages.slice(0, 2));
    await again.session.send(said('List')).turn;
    expect([first.called.length, again.called.length, setting.ran()]).toEqual([0, 0, 2]);
  });

  it('S-34: are not those of a chat that a user or a file only tells of the command', async () => {
    const setting = await setUp();
    await setting.approveAll();
    const { text } = block;
    const all = chat(setting, [answers('Hi.'), bash('c1'), answers('Done.')]);
    await all.session.send(said(text)).turn;
    await all.session.send([
      attachedBlock({ name: 'notes.md', text: ranCommandText({ name: '/state', file: '.claude/commands/state.md', argument: '' }) }),
      ...said('List'),
    ]).turn;
    expect([all.called.length, setting.ran()]).toEqual([1, 0]);
  });
});
