import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { AcpEntry } from '../../support/entries/acp.js';
import { commandLine } from '../../support/entries/command-line.js';
import type { Entry, Place } from '../../support/entries/entry.js';
import { library } from '../../support/entries/library.js';
import { panel } from '../../support/entries/panel.js';
import { stubEnvironment } from '../../support/entries/program-here.js';
import { ownStorage } from '../../support/headless-sessions.js';
import { lastToolResults, type ModelServer, reply, resultText, startModelServer } from '../../support/model-server/index.js';
import { someNth } from '../../support/runs.js';
import { type Job, JOBS, SETTINGS } from './same-effects-jobs.js';

/** The ways beside the panel, with which each is compared. */
const OTHERS: Readonly<Record<string, Entry>> = { 'command line': commandLine, library, ACP: new AcpEntry() };

let server: ModelServer;
/** Has the home folder, and the folders of all jobs. */
let root: string;
let home: string;
let environment: Place['environment'];

beforeAll(async () => {
  server = await startModelServer();
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gnomon-test-')));
  home = join(root, 'home');
  write(home, { '.gnomon/settings.json': JSON.stringify(SETTINGS) });
  environment = stubEnvironment(home, server.url);
});
afterAll(async () => {
  for (const entry of [panel, ...Object.values(OTHERS)]) await entry.close();
  vi.unstubAllEnvs();
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** What came of a job, without what tells one run of it from another. */
interface Effects {
  readonly asked: number;
  /** What the model was told of its calls, by the requests. */
  readonly told: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** The stored conversation, and what is stored beside it: denials, outcomes of calls, hooks that ran. */
  readonly transcript: unknown;
  readonly beside: unknown;
}

async function effectsOf({ files = {}, answers, mode, answer, stops, then }: Job, entry: Entry): Promise<Effects> {
  const folder = join(mkdtempSync(join(root, 'run-')), 'project');
  mkdirSync(folder);
  write(folder, files);
  const before = server.requests.length;
  server.setScript(() => answers[server.requests.length - before - 1] ?? reply().text('There is nothing else.'));
  const place: Place = { folder, environment, ...(mode === undefined ? {} : { mode }), ...(answer === undefined ? {} : { answer }) };
  const work = await entry.begin(place);
  const saying = work.say('Do it');
  if (stops === true) {
    await expect.poll(() => existsSync(join(folder, 'begun'))).toBe(true);
    work.stop();
  }
  await saying;
  const { id } = work;
  await work.close();
  let { asked } = work;
  if (then !== undefined) {
    const again = await entry.begin({ ...place, resumes: id });
    await again.say(then);
    await again.close();
    asked += again.asked;
  }
  const same = sameIn(folder, id);
  const stored = (name: string): unknown => JSON.parse(same(readFileSync(join(ownStorage(folder, home), 'sessions', `${id}${name}`), 'utf8')));
  return {
    asked,
    told: server.requests.slice(before).map(({ body }) => same(lastToolResults(body).map(resultText).join('\n'))),
    files: filesIn(folder),
    transcript: stored('.json'),
    beside: stored('.meta.json'),
  };
}

/** Makes texts of runs equal: without their folders, ids, and times. */
function sameIn(folder: string, session: string): (text: string) => string {
  const calls: string[] = [];
  return (text) =>
    text
      .replaceAll(dirname(folder), '<root>')
      .replaceAll(session, '<session>')
      .replaceAll(/toolu_\w+/g, (id) => `<call ${(calls.includes(id) ? calls : [...calls.splice(0), ...calls, id]).indexOf(id)}>`)
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(/("durationMs": ?)\d+/g, '$1"<ms>"')
      // The model is named by some ways to start, and by the settings for others.
      .replaceAll(/("modelChoice": ?)"[^"]*"/g, '$1"<choice>"')
      .replaceAll(/after \d+\.\d s/g, 'after <s>');
}

function filesIn(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(entries.map((entry) => join(entry.parentPath, entry.name)).map((path) => [relative(folder, path), readFileSync(path, 'utf8')]));
}

// Each job by the panel and by one of the other ways in turn, and by all of them in the soak.
it.each(Object.entries(JOBS).map(([name, job], number) => [name, job, number] as const))('By every way, the model %s (K-23)', async (_name, job, number) => {
  const expected = await effectsOf(job, panel);
  expect(expected.asked).toBe(job.asked);
  expect(expected.files).toEqual(job.after ?? job.files ?? {});
  expect(expected.told.join('\n').trim()).toMatch(job.told);
  const ways = Object.entries(OTHERS);
  for (const [name, entry] of someNth(ways, ways.length, number)) expect({ name, ...(await effectsOf(job, entry)) }).toEqual({ name, ...expected });
});
