import { symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BoundPlaces } from '../../../../src/domain/workspace/binding.js';
import { PERMISSION_MODES } from '../../../../src/domain/tool/permission.js';
import { BoundHook } from '../../customization/hooks/bound-rig.js';
import { edits, gateOn, judge, reasonsOf, short } from '../rig.js';

/** What hooks with these lines run, as if their folder were `/ws`. */
async function boundBy(...lines: readonly string[]): Promise<BoundPlaces> {
  const all: BoundPlaces = { files: [], expected: [], folders: [] };
  for (const line of lines) {
    const hook = new BoundHook(line, { 'tools/check.sh': 'true\n', 'tools/lib.sh': 'true\n', 'check.sh': 'true\n', 'docs/a.md': 'a' });
    symlinkSync('../tools/check.sh', join(hook.folder, 'docs/link.sh'));
    const places = await hook.places();
    for (const key of ['files', 'expected', 'folders'] as const)
      Object.assign(all, { [key]: [...all[key], ...places[key].map((path) => join('/ws', relative(hook.folder, path)))] });
  }
  return all;
}

const FILES = ['/ws/tools/check.sh', '/ws/tools/lib.sh', '/ws/tools/new.sh', '/ws/src/a.ts', '/ws/docs/a.md', '/ws/other.sh', '/ws/package.lock'];

/** Which of these files an edit asks for in the mode that accepts edits. */
async function asked(bound: BoundPlaces): Promise<readonly string[]> {
  const gate = gateOn({ bound });
  const said = await Promise.all(FILES.map(async (path) => [path, short(await judge(gate, 'acceptEdits', edits(path)))] as const));
  return said.flatMap(([path, word]) => (word === 'allow' ? [] : [path]));
}

describe('what hooks and approved servers run', () => {
  it('is edited without a question where nothing is bound', async () => {
    expect(await asked({ files: [], expected: [], folders: [] })).toEqual([]);
  });

  it.each([
    ['cd tools && ./check.sh', ['/ws/tools/check.sh']],
    ['"$CLAUDE_PROJECT_DIR/tools/check.sh"', ['/ws/tools/check.sh']],
    ['bash docs/link.sh', ['/ws/tools/check.sh']],
    ['[ -x tools/new.sh ] && tools/new.sh', ['/ws/tools/new.sh']],
    ['cd tools && for f in *.sh; do bash "$f"; done', ['/ws/tools/check.sh', '/ws/tools/lib.sh', '/ws/tools/new.sh']],
    ['bash tools/*.sh', ['/ws/tools/check.sh', '/ws/tools/lib.sh', '/ws/tools/new.sh']],
    ['PATH=tools:$PATH check.sh', ['/ws/tools/check.sh', '/ws/tools/lib.sh', '/ws/tools/new.sh']],
    ['eslint --fix', []],
    ['echo "$CLAUDE_TOOL_INPUT" >> hooks.log', []],
  ])('asks before it is edited, and nothing else does: %s', async (line, files) => {
    expect(await asked(await boundBy(line))).toEqual(files);
  });

  it('asks in every mode, whatever rule allows edits, and says why', async () => {
    const gate = gateOn({ bound: await boundBy('cd tools && ./check.sh'), rules: ['allow Edit', 'allow Edit(**)', 'allow Edit(tools/**)'] });
    for (const mode of PERMISSION_MODES) {
      for (const path of ['/ws/tools/check.sh', '/ws/tools']) expect(short(await judge(gate, mode, edits(path)))).not.toBe('allow');
    }
    expect(reasonsOf(await judge(gate, 'acceptEdits', edits('/ws/tools/check.sh')))).toContain('a hook or an approved MCP server runs it');
  });
});
