import { describe, expect, it } from 'vitest';
import { bindingOfHook, hookText } from '../../../src/hook/identity.js';
import { hookOf } from './rig.js';

const PLACE = { folder: '/ws', home: '/home/me', platform: 'linux' } as const;
const paths = (command: string, args?: readonly string[]): readonly string[] =>
  bindingOfHook(hookOf('PreToolUse', { handler: { type: 'command', command, ...(args === undefined ? {} : { args }) } }), PLACE)?.earlier.paths ?? [];

describe('what is approved of a hook', () => {
  it('H-41: is all that decides what it does, exactly and with nothing invisible', () => {
    const hook = hookOf('PreToolUse', {
      matcher: 'Bash',
      condition: 'Bash(git push:*)',
      handler: { type: 'command', command: 'echo "a"\n\u202Eb', cwd: 'x', env: { B: '2', A: '1' } },
      onFailure: 'block',
    });
    expect(hookText(hook, [{ path: 'z.sh' }, { path: 'a.sh', sha256: 'ff' }]).split('\n')).toEqual([
      'file: "/home/me/.claude/settings.json"',
      'event: PreToolUse',
      'matcher: "Bash"',
      'if: "Bash(git push:*)"',
      'command: "echo \\"a\\"\\n\\u{202e}b"',
      'runs in: the shell',
      'cwd: "x"',
      'env.A: "1"',
      'env.B: "2"',
      'timeout: 60000 ms',
      'onFailure: block',
      'dialect: claude',
      'script "a.sh": SHA-256 ff',
      'script "z.sh": (not readable)',
    ]);
  });

  it('H-41: changes with each part of it, and not with its line', () => {
    const base = hookOf('PreToolUse');
    const texts = [
      base,
      hookOf('PostToolUse'),
      hookOf('PreToolUse', { matcher: 'Bash' }),
      hookOf('PreToolUse', { condition: 'x' }),
      hookOf('PreToolUse', { timeoutMs: 1 }),
      hookOf('PreToolUse', { onFailure: 'continue' }),
      hookOf('PreToolUse', { dialect: 'cursor' }),
      hookOf('PreToolUse', { once: true }),
      hookOf('PreToolUse', { handler: { type: 'command', command: './check.sh', args: [] } }),
      hookOf('PreToolUse', { handler: { type: 'command', command: './check.sh', shell: 'bash' } }),
      hookOf('PreToolUse', { handler: { type: 'http', url: 'https://a.example', headers: { A: 'b' }, allowedEnvVars: ['T'] } }),
    ].map((hook) => hookText(hook));
    expect(new Set(texts).size).toBe(texts.length);
    const moved = { ...base, origin: { ...base.origin, line: 99 } };
    expect(hookText(moved)).toBe(hookText(base));
  });

  it.each<[string, readonly string[] | undefined, readonly string[]]>([
    ['./check.sh --strict', undefined, ['./check.sh']],
    ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh', undefined, ['./.claude/hooks/guard.sh']],
    ['python3 "${CLAUDE_PROJECT_DIR}/hooks/my guard.py"', undefined, ['./hooks/my guard.py']],
    ['%CLAUDE_PROJECT_DIR%\\hooks\\a.ps1', undefined, ['./hooks\\a.ps1']],
    ['jq -r .tool_input.command | node hooks/log', undefined, ['hooks/log.js']],
    ['npm run -s lint', undefined, ['package.json']],
    ['make guard && just check', undefined, ['Makefile', 'justfile']],
    ['python', ['-m', 'guard.main'], ['guard/main.py']],
    ['node', ['--import=./hook.mjs', 'my file.js'], ['./hook.mjs', 'my file.js']],
  ])('H-41: %s %j names %j', (command, args, expected) => {
    expect(paths(command, args)).toEqual(expect.arrayContaining([...expected]));
  });

  it('H-41: are not endless, and not for requests', () => {
    expect(paths('a.sh '.repeat(50_000)).length).toBeLessThan(5_000);
    expect(
      bindingOfHook(hookOf('PreToolUse', { handler: { type: 'http', url: 'https://a.example', headers: {}, allowedEnvVars: [] } }), PLACE),
    ).toBeUndefined();
  });
});
