import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { environmentValue, serverEnvironment } from '../../../src/domain/mcp/environment.js';

const KEYS = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'OPENROUTER_API_KEY',
  'GITHUB_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'NPM_TOKEN',
  'DATABASE_URL',
  'HTTPS_PROXY',
  'SSH_AUTH_SOCK',
  'NODE_OPTIONS',
  'LD_PRELOAD',
  'VSCODE_IPC_HOOK',
  'ELECTRON_RUN_AS_NODE',
];
const base = {
  ...Object.fromEntries(KEYS.map((name) => [name, `canary-${name}`])),
  PATH: process.env['PATH'] ?? '',
  HOME: '/home/me',
  USER: 'me',
  LANG: 'C.UTF-8',
  TMPDIR: '/tmp',
  UNSET: undefined,
};

describe('the environment of a server', () => {
  it('M-37: tool-19: has no keys but those that its entry names, as its process sees it', () => {
    const env = serverEnvironment(base, { DECLARED: 'yes', OPENAI_API_KEY: 'wanted' }, process.platform);
    const child = execFileSync(process.execPath, ['-e', 'process.stdout.write(JSON.stringify(process.env))'], { env, encoding: 'utf8' });
    expect(child).not.toContain('canary');
    expect(JSON.parse(child)).toMatchObject({ DECLARED: 'yes', OPENAI_API_KEY: 'wanted', PATH: base.PATH });
  });

  it('M-37: is a short list, and what is declared', () => {
    expect(serverEnvironment(base, { PATH: '/opt' }, 'linux')).toEqual({ HOME: '/home/me', USER: 'me', LANG: 'C.UTF-8', TMPDIR: '/tmp', PATH: '/opt' });
    expect(serverEnvironment({ path: 'x', home: 'y' }, {}, 'linux')).toEqual({});
  });

  it('M-37: on Windows, names have no case', () => {
    const windows = { Path: 'C:\\bin', SystemRoot: 'C:\\Windows', 'ProgramFiles(x86)': 'C:\\x86', Anthropic_Api_Key: 'canary' };
    expect(serverEnvironment(windows, {}, 'win32')).toEqual({ Path: 'C:\\bin', SystemRoot: 'C:\\Windows', 'ProgramFiles(x86)': 'C:\\x86' });
    expect(serverEnvironment(windows, { PATH: 'D:\\' }, 'win32')).toEqual({ SystemRoot: 'C:\\Windows', 'ProgramFiles(x86)': 'C:\\x86', PATH: 'D:\\' });
  });

  it('gets no functions of Bash', () => {
    expect(serverEnvironment({ TERM: '() { :; }; echo hacked' }, {}, 'linux')).toEqual({});
  });

  it('is looked up by own names only', () => {
    expect(environmentValue({ A: 'b' }, 'constructor', 'win32')).toBeUndefined();
    expect(environmentValue({ Path: 'b' }, 'PATH', 'win32')).toBe('b');
    expect(environmentValue({ Path: 'b' }, 'PATH', 'linux')).toBeUndefined();
  });
});
