import { describe, expect, test } from 'vitest';
import { PERMISSION_MODES } from '../../../../src/domain/tool/permission.js';
import { isSecret, protectedReason } from '../../../../src/permission/files/sensitive-paths.js';
import { edits, gateOn, judge, runs, short } from '../rig.js';
import { loadAnalyzer } from '../shell/rig.js';

const analyzer = await loadAnalyzer();

/** Where this program, and others, read which servers to start. */
const FILES = [
  '/ws/.mcp.json',
  '/ws/packages/a/.mcp.json',
  '/ws/.MCP.JSON',
  '/ws/.vscode/mcp.json',
  '/ws/.cursor/mcp.json',
  '/home/user/.claude.json',
  '/home/user/.cursor/mcp.json',
  '/home/user/.copilot/mcp-config.json',
  '/home/user/.codeium/windsurf/mcp_config.json',
  '/home/user/.codex/config.toml',
  '/home/user/.gemini/settings.json',
  '/home/user/.config/Claude/claude_desktop_config.json',
  '/home/user/.config/zed/settings.json',
  '/home/user/.config/opencode/opencode.json',
  '/home/user/.config/Code/User/mcp.json',
  '/home/user/.config/Code/User/settings.json',
  '/home/user/.config/Code/User/profiles/a/settings.json',
  '/home/user/Library/Application Support/Code - Insiders/User/settings.json',
  '/home/user/AppData/Roaming/Cursor/User/settings.json',
  '/ws/cline_mcp_settings.json',
] as const;
/** Rules that allow as much as rules can. */
const RULES = ['allow Edit', 'allow Edit(**)', 'allow Edit(//home/user/**)', 'allow Write', 'allow Bash', 'allow Read'];

/** What is said in each mode; nothing may be allowed. */
async function inModes(plan: ReturnType<typeof edits>): Promise<readonly string[]> {
  const gate = gateOn({ rules: RULES, analyzer });
  return Promise.all(PERMISSION_MODES.map(async (mode) => short(await judge(gate, mode, plan))));
}

describe('M-33: files that say which servers to start', () => {
  test.each(FILES)('%s is changed only after asking, in every mode and whatever the rules', async (file) => {
    expect(await inModes(edits(file))).toEqual(['ask', 'ask', 'deny', 'ask', 'ask']);
  });

  test.each(['/ws/.mcp.json', '/ws/.vscode/mcp.json', '/ws/.cursor/mcp.json', '/home/user/.claude.json', '/home/user/.copilot/mcp-config.json'])(
    '%s is protected from commands',
    async (file) => {
      const commands = [
        `echo '{}' > ${file}`,
        `echo x >> ${file}`,
        `cat a.json | tee ${file}`,
        `cp a.json ${file}`,
        `mv a.json ${file}`,
        `sed -i s/a/b/ ${file}`,
        `true && echo x >| ${file}`,
        `ln -sf /tmp/x ${file}`,
      ];
      for (const command of commands) expect([command, await inModes(runs(command))]).toEqual([command, ['ask', 'ask', 'deny', 'ask', 'ask']]);
    },
  );

  test.each(['.mcp.json', '.vscode/mcp.json', '~/.claude.json', '~/.cursor/mcp.json'])('also when a command names it as users do: %s', async (file) => {
    expect(await inModes(runs(`echo x > ${file}`))).toEqual(['ask', 'ask', 'deny', 'ask', 'ask']);
  });

  test('what contains keys of servers is read only after asking', () => {
    for (const file of ['.claude.json', '.cursor/mcp.json', '.copilot/mcp-config.json']) expect(isSecret(`/home/user/${file}`)).toBe(true);
  });

  test.each(['src/code/user/model.ts', 'docs/mcp.md', 'src/mcp/tools/server-tools.ts', 'claude.json', 'src/cursor/user.ts'])(
    '%s is an ordinary file',
    (file) => {
      expect(protectedReason(file)).toBeUndefined();
    },
  );
});
