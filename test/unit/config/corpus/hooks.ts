import type { Group } from './corpus-case.js';

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
const claude = (event: string, handler: unknown, matcher?: string): string =>
  json({ hooks: { [event]: [{ ...(matcher === undefined ? {} : { matcher }), hooks: [handler] }] } });
const run = { type: 'command', command: './check.sh' };
const cursor = (event: string, hook: unknown): string => json({ version: 1, hooks: { [event]: [hook] } });
const copilot = cursor;

export const HOOKS: readonly Group[] = [
  {
    program: 'Claude Code',
    kind: 'hooks',
    source: 'code.claude.com/docs/en/hooks',
    path: '.claude/settings.json',
    rows: [
      ['a matcher that is a name', claude('PreToolUse', run, 'Bash'), { hooks: ['PreToolUse Bash: ./check.sh'] }],
      ['a matcher of several names', claude('PostToolUse', run, 'Edit|Write'), { hooks: ['PostToolUse Edit|Write: ./check.sh'] }],
      ['a matcher of a server', claude('PreToolUse', run, 'mcp__memory__.*'), { hooks: ['PreToolUse mcp__memory__.*: ./check.sh'] }],
      ['a matcher that is a star', claude('PreToolUse', run, '*'), { hooks: ['PreToolUse *: ./check.sh'] }],
      ['an empty matcher', claude('PreToolUse', run, ''), { hooks: ['PreToolUse : ./check.sh'] }],
      ['no matcher', claude('UserPromptSubmit', run), { hooks: ['UserPromptSubmit: ./check.sh'] }],
      ['SessionStart by its source', claude('SessionStart', run, 'startup|resume'), { hooks: ['SessionStart startup|resume: ./check.sh'] }],
      ['PreCompact by its trigger', claude('PreCompact', run, 'manual'), { hooks: ['PreCompact manual: ./check.sh'] }],
      ['Stop', claude('Stop', run), { hooks: ['Stop: ./check.sh'] }],
      ['SessionEnd', claude('SessionEnd', run), { hooks: ['SessionEnd: ./check.sh'] }],
      ['Notification', claude('Notification', run, 'permission_prompt'), { hooks: ['Notification permission_prompt: ./check.sh'] }],
      ['PermissionRequest', claude('PermissionRequest', run, 'Bash'), { hooks: ['PermissionRequest Bash: ./check.sh'] }],
      ['PostToolUseFailure', claude('PostToolUseFailure', run, 'Bash'), { hooks: ['PostToolUseFailure Bash: ./check.sh'] }],
      ['timeout in seconds', claude('PreToolUse', { ...run, timeout: 5 }, 'Bash'), { hooks: ['PreToolUse Bash: ./check.sh'] }],
      [
        'a command with args',
        claude('PreToolUse', { type: 'command', command: 'node', args: ['check.js'] }, 'Bash'),
        { hooks: ['PreToolUse Bash: node check.js'] },
      ],
      ['http', claude('PostToolUse', { type: 'http', url: 'https://hooks.example.com/a' }), { hooks: ['PostToolUse: https://hooks.example.com/a'] }],
      ['a prompt', claude('Stop', { type: 'prompt', prompt: 'Done?' }), { hooks: [], problems: /type “prompt”/ }],
      ['an agent', claude('Stop', { type: 'agent', prompt: 'Verify' }), { hooks: [], problems: /type “agent”/ }],
      [
        '$CLAUDE_PROJECT_DIR in the command',
        claude('PreToolUse', { type: 'command', command: '"$CLAUDE_PROJECT_DIR"/.claude/check.sh' }, 'Bash'),
        { hooks: ['PreToolUse Bash: "$CLAUDE_PROJECT_DIR"/.claude/check.sh'] },
      ],
      [
        'two hooks of one matcher',
        json({ hooks: { PostToolUse: [{ matcher: 'Write', hooks: [run, { type: 'command', command: './b.sh' }] }] } }),
        { hooks: ['PostToolUse Write: ./check.sh', 'PostToolUse Write: ./b.sh'] },
      ],
      ['an event that Gnomon does not have', claude('WorktreeCreate', run), { hooks: [], ignored: ['hooks.WorktreeCreate'] }],
      ['an event of nobody', claude('PreToolUsed', run), { hooks: [], problems: /Did you mean “PreToolUse”/ }],
      ['a guard without a command', claude('PreToolUse', { type: 'command' }, 'Bash'), { hooks: ['PreToolUse Bash: never answers '], problems: /command/ }],
      ['disableAllHooks of a project', json({ disableAllHooks: true }), { disablesAll: undefined, problems: /cannot switch off/ }],
      ['disableAllHooks of the user', json({ disableAllHooks: true }), { disablesAll: true }, '~/.claude/settings.json'],
      ['of the user', claude('Stop', run), { hooks: ['Stop: ./check.sh'] }, '~/.claude/settings.json'],
      ['local settings', claude('Stop', run), { hooks: ['Stop: ./check.sh'] }, '.claude/settings.local.json'],
      ['comments and a comma too many', `{\n  // guard\n  "hooks": { "Stop": [{ "hooks": [${JSON.stringify(run)}] }], },\n}`, { hooks: ['Stop: ./check.sh'] }],
    ],
  },
  {
    program: 'Cursor',
    kind: 'hooks',
    source: 'cursor.com/docs/agent/hooks',
    path: '.cursor/hooks.json',
    rows: [
      ['beforeShellExecution', cursor('beforeShellExecution', { command: './a.sh' }), { hooks: ['PreToolUse Bash: ./a.sh'] }],
      ['afterShellExecution', cursor('afterShellExecution', { command: './a.sh' }), { hooks: ['PostToolUse Bash: ./a.sh'] }],
      ['beforeMCPExecution', cursor('beforeMCPExecution', { command: './a.sh' }), { hooks: ['PreToolUse ^mcp__: ./a.sh'] }],
      ['beforeReadFile', cursor('beforeReadFile', { command: './a.sh' }), { hooks: ['PreToolUse Read: ./a.sh'] }],
      ['afterFileEdit', cursor('afterFileEdit', { command: './a.sh' }), { hooks: ['PostToolUse Edit|MultiEdit|Write: ./a.sh'] }],
      ['beforeSubmitPrompt', cursor('beforeSubmitPrompt', { command: './a.sh' }), { hooks: ['UserPromptSubmit: ./a.sh'] }],
      ['stop', cursor('stop', { command: './a.sh' }), { hooks: ['Stop: ./a.sh'] }],
      ['sessionStart', cursor('sessionStart', { command: './a.sh' }), { hooks: ['SessionStart: ./a.sh'] }],
      ['preToolUse with a matcher', cursor('preToolUse', { command: './a.sh', matcher: 'Shell' }), { hooks: ['PreToolUse Shell: ./a.sh'] }],
      ['preCompact', cursor('preCompact', { command: './a.sh' }), { hooks: ['PreCompact: ./a.sh'] }],
      ['failClosed', cursor('afterFileEdit', { command: './a.sh', failClosed: true }), { hooks: ['PostToolUse Edit|MultiEdit|Write: ./a.sh'] }],
      ['loop_limit', cursor('stop', { command: './a.sh', loop_limit: 5 }), { ignored: ['hooks.stop[0].loop_limit'] }],
      ['an event that Gnomon does not have', cursor('afterAgentThought', { command: './a.sh' }), { hooks: [], ignored: ['hooks.afterAgentThought'] }],
      ['of the user', cursor('stop', { command: './a.sh' }), { hooks: ['Stop: ./a.sh'] }, '~/.cursor/hooks.json'],
    ],
  },
  {
    program: 'Copilot CLI',
    kind: 'hooks',
    source: 'docs.github.com/en/copilot/reference/hooks-configuration',
    path: '.github/hooks/guard.json',
    rows: [
      ['preToolUse', copilot('preToolUse', { type: 'command', bash: './a.sh', powershell: './a.ps1' }), { hooks: ['PreToolUse: ./a.sh'] }],
      ['postToolUse', copilot('postToolUse', { type: 'command', bash: './a.sh' }), { hooks: ['PostToolUse: ./a.sh'] }],
      ['sessionStart', copilot('sessionStart', { type: 'command', bash: './a.sh', cwd: '.', timeoutSec: 10 }), { hooks: ['SessionStart: ./a.sh'] }],
      ['sessionEnd', copilot('sessionEnd', { type: 'command', bash: './a.sh' }), { hooks: ['SessionEnd: ./a.sh'] }],
      ['userPromptSubmitted', copilot('userPromptSubmitted', { type: 'command', bash: './a.sh' }), { hooks: ['UserPromptSubmit: ./a.sh'] }],
      ['agentStop', copilot('agentStop', { type: 'command', bash: './a.sh' }), { hooks: ['Stop: ./a.sh'] }],
      ['env', copilot('preToolUse', { type: 'command', bash: './a.sh', env: { LEVEL: '1' } }), { hooks: ['PreToolUse: ./a.sh'] }],
      ['errorOccurred', copilot('errorOccurred', { type: 'command', bash: './a.sh' }), { hooks: [], ignored: ['hooks.errorOccurred'] }],
      ['a command for Windows alone', copilot('preToolUse', { type: 'command', powershell: './a.ps1' }), { hooks: ['PreToolUse: ./a.ps1'] }],
      ['of the user', copilot('preToolUse', { type: 'command', bash: './a.sh' }), { hooks: ['PreToolUse: ./a.sh'] }, '~/.copilot/hooks/guard.json'],
    ],
  },
  {
    program: 'VS Code',
    kind: 'hooks',
    source: 'code.visualstudio.com/docs/copilot/customization/hooks',
    path: '.github/hooks/format.json',
    rows: [
      ['PostToolUse', json({ hooks: { PostToolUse: [run] } }), { hooks: ['PostToolUse: ./check.sh'] }],
      [
        'a command for each system',
        json({ hooks: { PreToolUse: [{ type: 'command', command: './a.sh', windows: 'a.ps1', linux: './l.sh', osx: './m.sh' }] } }),
        { hooks: ['PreToolUse: ./l.sh'] },
      ],
      ['the form of Claude Code', json({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [run] }] } }), { hooks: ['PreToolUse Bash: ./check.sh'] }],
      ['SessionStart', json({ hooks: { SessionStart: [run] } }), { hooks: ['SessionStart: ./check.sh'] }],
      ['cwd and env', json({ hooks: { Stop: [{ ...run, cwd: 'scripts', env: { A: 'b' }, timeout: 15 }] } }), { hooks: ['Stop: ./check.sh'] }],
    ],
  },
];
