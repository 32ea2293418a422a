import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDiskDocuments } from '../../../src/node/files/disk-documents.js';
import { readFileLines } from '../../../src/node/files/file-lines.js';
import { compileGlob } from '../../../src/node/search/glob-match.js';
import { type InstructionsDeps, createInstructions } from '../../../src/node/instructions/instructions.js';
import { createPlainSearch } from '../../../src/node/search/plain-search.js';
import { createWorkspace } from '../../../src/node/files/workspace.js';
import { ENDLESS, HARD_GLOBS } from '../../support/worst-inputs.js';
import { NO_LOG } from '../outer-host.js';
import { type WorstCase, workWithAll } from './worst-case.js';

const { signal } = new AbortController();
/** What instructions are found with, beside the workspace. */
const INSTRUCTIONS: Omit<InstructionsDeps, 'workspace'> = {
  home: '/home/nobody',
  trusted: () => true,
  choices: () => ({ own: true, otherTools: true }),
  consent: { allows: () => undefined, ask: () => undefined },
  guards: () => ({ ofRepository: () => true, ofUser: () => true }),
  log: NO_LOG,
};

/** Files, and searches through them. */
export const FILE_CASES: readonly WorstCase[] = [
  {
    name: 'first_lines_of_2gb_ms',
    goal: 1_000,
    prepare: async (folder) => {
      const path = join(folder, 'big.log');
      await writeFile(path, 'one\r\ntwo\nthree\n');
      await truncate(path, 2 * 1024 ** 3);
      return { 'lines 2 and 3': () => readFileLines(path, { first: 2, lines: 2, lineCharacters: 100, characters: 10_000 }, signal) };
    },
  },
  {
    name: 'refuse_devices_ms',
    goal: 1_000,
    prepare: (folder) => {
      const documents = createDiskDocuments();
      return workWithAll([folder, '/dev/zero'], (path) => refused(documents.read(path, signal)));
    },
  },
  {
    name: 'hostile_globs_ms',
    goal: 1_000,
    prepare: () => ({
      ...workWithAll(HARD_GLOBS, ({ pattern, fits, misses }) => {
        const glob = compileGlob(pattern);
        return [fits, misses].map((path) => glob.matches(path));
      }),
      '30 groups of braces': () => refused(Promise.resolve().then(() => compileGlob('{a,b}'.repeat(30)))),
    }),
  },
  {
    name: 'endless_search_stopped_ms',
    goal: 10_000,
    prepare: () => {
      const search = createPlainSearch({
        list: () => Promise.resolve(['/ws/a']),
        read: () => Promise.resolve(ENDLESS.line),
        modified: () => Promise.resolve(0),
      });
      const query = {
        pattern: ENDLESS.pattern,
        path: '/ws',
        globs: [],
        literal: false,
        ignoreCase: false,
        word: false,
        ignored: false,
        before: 0,
        after: 0,
        offset: 0,
        limit: 100,
      };
      return workWithAll([false, true], (multiline) => refused(search.grep({ ...query, multiline }, signal)));
    },
  },
  {
    name: 'instructions_ms',
    goal: 50,
    prepare: async (folder) => {
      for (const name of ['AGENTS.md', 'CLAUDE.md', 'AGENTS.local.md'])
        await writeFile(join(folder, name), `${name} says: ${'Follow the style of the code around.\n'.repeat(1_000)}`);
      const workspace = createWorkspace(() => [{ name: 'bench', path: folder }], '/home/nobody');
      return { 'three files of 36 kB': () => createInstructions({ ...INSTRUCTIONS, workspace }).ofWorkspace(signal) };
    },
  },
];

/** Waits for a refusal: that it comes is what is measured. */
async function refused(work: Promise<unknown>): Promise<void> {
  const taken = await work.then(
    () => true,
    () => false,
  );
  if (taken) throw new Error('What was to be refused was taken.');
}
