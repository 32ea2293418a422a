import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentPaths } from '../../../../src/node/config/agent-files.js';
import { commandPaths } from '../../../../src/node/config/command-files.js';
import { layerPaths } from '../../../../src/node/config/layer-files.js';
import { skillPaths } from '../../../../src/node/config/skill-files.js';
import { stylePaths } from '../../../../src/node/config/style-files.js';
import { configPaths } from '../../../../src/node/mcp/config-files.js';
import { powerOf } from '../../../../src/permission/files/sensitive-paths.js';

const [folder, home] = ['/ws', '/home/me'];
/** What `src/node/instructions/sources.ts` names. */
const INSTRUCTIONS = [
  ...['AGENTS.md', 'CLAUDE.md', 'AGENTS.local.md', 'CLAUDE.local.md', '.claude/CLAUDE.md', '.cursorrules', '.roorules', '.github/copilot-instructions.md'],
  ...[
    '.claude/rules/a.md',
    '.cline/rules/a.md',
    '.clinerules/a.md',
    '.cursor/rules/a.mdc',
    '.github/instructions/a.instructions.md',
    '.roo/rules/a.txt',
    '.roo/rules-code/a.md',
  ],
];

describe('files that Gnomon reads as a part of its own configuration', () => {
  it('are protected from edits that are accepted, at the top and in folders below', () => {
    const places = { folders: [folder], home };
    const watched = [agentPaths(places), commandPaths(places), skillPaths(places), stylePaths(places), layerPaths({ ...places, platform: 'linux' })];
    const all = watched.flatMap(({ files, folders }) => [...files, ...folders.map((each) => join(each.folder, 'a.md'))]);
    const names = [...all, ...configPaths({ folders: [folder], home })]
      .filter((path) => !path.startsWith('/etc/'))
      .map((path) => relative(path.startsWith(home) ? home : folder, path));
    const paths = [...names, ...INSTRUCTIONS].flatMap((name) => [name, `packages/web/${name}`]);
    expect(paths.length).toBeGreaterThan(100);
    expect(paths.filter((path) => powerOf(path) === undefined)).toEqual([]);
  });
});
