import type { Facts } from './facts.js';
import type { KnownFile } from './numbered-lines.js';
import type { Step } from './step.js';
import * as words from './words.js';

const MANIFEST = 'package.json';
const TEST_FILES = '**/*{.,-,_}test.{js,mjs,cjs}';

/** The command that runs the tests, or the step that helps to find it. */
export function testCommand(facts: Facts): { readonly command: string } | { readonly step: Step } {
  const manifest = facts.files.get(MANIFEST);
  if (manifest === undefined) return { step: readManifest() };
  const script = manifest === 'missing' ? undefined : testScript(manifest);
  const known = script === undefined ? [] : ['npm test', script].filter((command) => !facts.unknownCommands.has(command));
  const [first] = known;
  if (first !== undefined) return { command: first };
  if (facts.testFiles === undefined) return { step: searchTests() };
  if (facts.testFiles.length === 0) return { step: { text: words.giveUp('I found no tests in this workspace, so there is nothing I can fix.') } };
  if (facts.unknownCommands.has('node --test')) {
    return { step: { text: words.giveUp('Neither npm nor Node.js can be started from here, so I cannot run the tests.') } };
  }
  return { command: 'node --test' };
}

function readManifest(): Step {
  const text = `I look into ${words.code(MANIFEST)} for the command that runs the tests.`;
  return { thinking: 'Scripted step: find out how this project runs its tests.', text, call: { name: 'read', args: { file_path: MANIFEST } } };
}

function searchTests(): Step {
  return { text: 'There is no test script that I can run, so I look for test files.', call: { name: 'glob', args: { pattern: TEST_FILES } } };
}

/** The test script of a manifest; npm's placeholder for "none" counts as none. */
function testScript(manifest: KnownFile): string | undefined {
  try {
    const { scripts } = JSON.parse(manifest.lines.join('\n')) as { scripts?: { test?: unknown } };
    const script = scripts?.test;
    return typeof script === 'string' && script !== '' && !script.includes('no test specified') ? script : undefined;
  } catch {
    // A manifest that is not JSON names no script; test files may be there all the same.
    return undefined;
  }
}
