import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readAgentFile } from '../../src/config/agents/read-agent.js';
import { readSkill } from '../../src/config/skills/read-skill.js';
import { readAgentFiles } from '../../src/node/config/agent-files.js';
import { findSkills, readSkillFile } from '../../src/node/config/skill-files.js';
import { loadCommands } from '../../src/customization/load-commands.js';
import { type Figure, median } from './figure.js';
import { NAMED_SECRETS } from '../support/named-secrets.js';

const RUNS = 15;
/** Files of each of the three kinds; 501 in all. */
const EACH = 167;
const SIGNAL = new AbortController().signal;

/** How long it takes to read the configuration of a repository that has very much of it. */
export async function measureConfiguration(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gnomon-bench-configuration-'));
  try {
    await writeAll(folder);
    const took: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const start = performance.now();
      const count = await readAll(folder);
      took.push(performance.now() - start);
      if (count !== 3 * EACH) throw new Error(`${count} of ${3 * EACH} were read.`);
    }
    const note = `${3 * EACH} agents, skills, and commands; ${took[0]?.toFixed(0) ?? ''} ms the first time, median of ${RUNS}`;
    return [{ name: 'configuration_500_files_ms', value: median(took), unit: 'ms', goal: 200, note }];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeAll(folder: string): Promise<void> {
  const text = (name: string): string =>
    `---\nname: ${name}\ndescription: Does what ${name} is for, and says when to use it in a sentence.\n---\n\n${'A paragraph of instructions. '.repeat(60)}\n`;
  for (let index = 0; index < EACH; index++) {
    for (const path of [`.claude/agents/agent-${index}.md`, `.claude/commands/group/command-${index}.md`, `.claude/skills/skill-${index}/SKILL.md`]) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text(path.includes('skills') ? `skill-${index}` : `agent-${index}`));
    }
  }
}

/** Reads everything side by side, as a window does. */
async function readAll(folder: string): Promise<number> {
  const places = { folders: [folder], home: join(folder, 'nobody'), guards: NAMED_SECRETS };
  const counts = await Promise.all([agents(places), skills(places.folders), loadCommands(places, new Map(), SIGNAL).then(({ commands }) => commands.length)]);
  return counts.reduce((sum, count) => sum + count, 0);
}

async function agents(places: Parameters<typeof readAgentFiles>[0]): Promise<number> {
  const files = await readAgentFiles(places, SIGNAL);
  const readings = files.map((file) =>
    readAgentFile('text' in file ? file.text : '', { origin: file.origin, dialect: 'claude', readServers: () => ({ entries: [], problems: [] }) }),
  );
  return readings.flatMap((reading) => reading.agents).length;
}

async function skills(folders: readonly string[]): Promise<number> {
  const { places } = await findSkills({ folders, guards: NAMED_SECRETS }, SIGNAL);
  const files = await Promise.all(places.map((place) => readSkillFile(place, SIGNAL)));
  return files.filter((file) => file !== undefined && 'text' in file && readSkill(file.text, { origin: file.origin, folder: file.folder }).skill !== undefined)
    .length;
}
