import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Agents } from '../../../src/customization/agents.js';
import { CommandFiles } from '../../../src/customization/commands.js';
import { Layers } from '../../../src/customization/layers.js';
import { ConfigPlaces } from '../../../src/customization/places.js';
import { Skills } from '../../../src/customization/skills.js';
import { OutputStyles } from '../../../src/customization/styles.js';
import type { Disposable } from '../../../src/domain/host/disposable.js';
import type { Memory } from '../../../src/domain/host/memory.js';
import { NAMED_SECRETS } from '../../support/named-secrets.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { errorLog, watchingRig } from '../../support/watching-rig.js';

/** The places of a workspace folder in a home folder, with ports that a test moves. */
function setUp({ trusted = true } = {}) {
  const home = temporaryFolder();
  const folder = join(home, 'project');
  vi.stubEnv('HOME', home);
  vi.stubEnv('USERPROFILE', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const rig = watchingRig({ trusted });
  const { errors, log } = errorLog();
  const never = (): (() => void) => () => undefined;
  const folders = { all: () => [], local: () => [{ path: folder, name: 'project' }], paths: () => [folder], onDidChange: never };
  const ports = { ...rig.ports, folders, watchEverywhere: () => ({ dispose: () => undefined }) };
  const search = { glob: () => Promise.resolve({ paths: [], truncated: false }) };
  const kept = <T extends Disposable>(made: T): T => {
    onTestFinished(() => void made.dispose());
    return made;
  };
  const places = kept(new ConfigPlaces({ ports, guards: () => NAMED_SECRETS, onDidChangeGuards: never, search, log }));
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  };
  const remove = (path: string): Promise<void> => rm(join(home, path), { recursive: true });
  return { ...rig, errors, deps: { ports, places, log }, kept, write, remove };
}

const agent = (name: string, more = ''): string => `---\nname: ${name}\ndescription: d\n${more}---\nText.`;
const skill = (name: string): string => `---\nname: ${name}\ndescription: d\n---\nText.`;

/** What was pinned, in memory. */
function memory(): Memory {
  const values = new Map<string, unknown>();
  return { get: (key) => values.get(key), update: (key, value) => Promise.resolve(void values.set(key, value)) };
}

describe('the agents of files', () => {
  it('are read when somebody first asks, and again when a file changes', async () => {
    const { deps, kept, write, change, watches } = setUp();
    await write('.gnomon/agents/mine.md', agent('mine'));
    const agents = kept(new Agents(deps));
    expect([agents.agents, watches()]).toEqual([[], 0]);
    expect((await agents.named('mine'))?.name).toBe('mine');
    await write('project/.claude/agents/theirs.md', agent('theirs'));
    change();
    await vi.waitFor(() => expect(agents.agents.map(({ name }) => name)).toEqual(['mine', 'theirs']));
  });

  it('of a workspace wait until that is trusted, and count at once then, without being read again', async () => {
    // Nor are they on their own, as files are once more when their folders are first known.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { deps, kept, write, remove, grant } = setUp({ trusted: false });
    await write('project/.claude/agents/theirs.md', agent('theirs'));
    const agents = kept(new Agents(deps));
    await agents.ready();
    expect([agents.agents, agents.waiting.map(({ name }) => name)]).toEqual([[], ['theirs']]);
    await remove('project/.claude/agents');
    const seen: string[][] = [];
    agents.onDidChange(() => void seen.push(agents.agents.map(({ name }) => name)));
    grant();
    expect([seen, agents.waiting]).toEqual([[['theirs']], []]);
  });
});

describe('the commands of files', () => {
  it('begin to be read in a moment, once, however often somebody may want them', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { deps, kept, write, watches } = setUp();
    await write('project/.claude/commands/a.md', 'Text');
    const commands = kept(new CommandFiles(deps));
    const told = vi.fn();
    commands.onDidChange(told);
    commands.start();
    commands.start();
    vi.advanceTimersByTime(499);
    expect(watches()).toBe(0);
    vi.advanceTimersByTime(1);
    expect(watches()).toBe(1);
    await commands.ready();
    expect([commands.commands.map(({ name }) => name), told.mock.calls.length]).toEqual([['a'], 1]);
  });

  it('are not read at all when the window closes before', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { deps, watches } = setUp();
    const commands = new CommandFiles(deps);
    commands.start();
    commands.dispose();
    vi.advanceTimersByTime(10_000);
    expect(watches()).toBe(0);
  });

  it('of a workspace cannot be used until that is trusted, and can at once then', async () => {
    const { deps, kept, write, grant } = setUp({ trusted: false });
    await write('project/.claude/commands/a.md', 'Text');
    const commands = kept(new CommandFiles(deps));
    await commands.read();
    expect([commands.commands, commands.unusable]).toEqual([[], [{ name: 'a', display: '.claude/commands/a.md' }]]);
    const seen: number[] = [];
    commands.onDidChange(() => void seen.push(commands.commands.length));
    grant();
    expect([seen, commands.unusable]).toEqual([[1], []]);
  });
});

describe('the skills of files', () => {
  it('are looked for each time, and told of only when they are others', async () => {
    const { deps, kept, write } = setUp();
    await write('.agents/skills/one/SKILL.md', skill('one'));
    const skills = kept(new Skills({ ...deps, memory: memory() }));
    const told = vi.fn();
    skills.onDidChange(told);
    await skills.ready();
    await skills.ready();
    expect([skills.found.choice.skills.map(({ name }) => name), told.mock.calls.length]).toEqual([['one'], 1]);
    await write('.agents/skills/two/SKILL.md', skill('two'));
    await skills.ready();
    expect([skills.found.choice.skills.map(({ name }) => name), told.mock.calls.length]).toEqual([['one', 'two'], 2]);
  });

  it('of a workspace are read once that is trusted; a change of those that wait is told before', async () => {
    const { deps, kept, write, change, grant } = setUp({ trusted: false });
    await write('project/.agents/skills/theirs/SKILL.md', skill('theirs'));
    const skills = kept(new Skills({ ...deps, memory: memory() }));
    await skills.ready();
    expect([skills.found.choice.skills, (await skills.waiting()).length]).toEqual([[], 1]);
    const told = vi.fn();
    skills.onDidChange(told);
    change();
    expect(told).toHaveBeenCalledTimes(1);
    grant();
    await vi.waitFor(() => expect(skills.found.choice.skills.map(({ name }) => name)).toEqual(['theirs']));
    expect(await skills.waiting()).toEqual([]);
  });

  it('are told of to models anew when one is pinned', async () => {
    const { deps, kept, write } = setUp();
    await write('.agents/skills/one/SKILL.md', skill('one'));
    const skills = kept(new Skills({ ...deps, memory: memory() }));
    await skills.ready();
    const [plan, told] = [skills.found.plan, vi.fn()];
    expect(skills.found.plan).toBe(plan);
    skills.onDidChange(told);
    const [chosen] = skills.found.choice.skills;
    if (chosen === undefined) throw new Error('The skill is not there.');
    await skills.pin(chosen, true);
    expect([told.mock.calls.length, skills.found.plan === plan, [...skills.pinned]]).toEqual([1, false, ['user:one']]);
  });
});

describe('the output styles of files', () => {
  it('are those of a trusted workspace before those of the user, read when one is wanted', async () => {
    const { deps, kept, write, watches, grant } = setUp({ trusted: false });
    await write('.claude/output-styles/brief.md', skill('Brief'));
    await write('project/.claude/output-styles/brief.md', skill('Brief'));
    const wanted: { name: string }[] = [];
    const styles = kept(new OutputStyles({ ...deps, wanted: () => wanted }));
    expect([await styles.chosen(), watches()]).toEqual([undefined, 0]);
    wanted.push({ name: 'brief' });
    expect((await styles.chosen())?.origin.layer).toBe('user');
    expect(styles.waiting).toHaveLength(1);
    grant();
    expect([(await styles.chosen())?.origin.layer, styles.waiting]).toEqual(['project', []]);
  });
});

describe('the files of the layers', () => {
  it('are watched from the beginning, and are as they are whenever something is to be decided, also where nothing tells of changes', async () => {
    const { deps, kept, write, watches } = setUp();
    const layers = kept(new Layers(deps.ports, deps.log));
    expect(watches()).toBe(1);
    await layers.ready();
    expect(layers.files).toEqual([]);
    const told = vi.fn();
    layers.onDidChange(told);
    await layers.ready();
    expect(told).not.toHaveBeenCalled();
    await write('project/.gnomon/settings.json', '{}');
    await layers.ready();
    expect([layers.files.map(({ origin }) => origin.display), told.mock.calls.length]).toEqual([['.gnomon/settings.json'], 1]);
  });
});
