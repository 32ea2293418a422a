import { describe, expect, it } from 'vitest';
import { commandEnvironment } from '../../../src/node/command-environment.js';

describe('commandEnvironment', () => {
  it.each([
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_CUSTOM_HEADERS',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'OPENAI_API_KEY',
    'AZURE_OPENAI_API_KEY',
    'MISTRAL_API_KEY',
    'OPENROUTER_API_KEY',
    'DEEPSEEK_API_KEY',
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
    'GROQ_API_KEY',
    'XAI_API_KEY',
    'HF_TOKEN',
    'HUGGING_FACE_HUB_TOKEN',
    'AWS_BEARER_TOKEN_BEDROCK',
    'openai_api_key',
  ])('tool-19: %s is not handed on', (name) => {
    expect(Object.values(commandEnvironment({ [name]: 'canary' }))).not.toContain('canary');
  });

  it.each([
    'VSCODE_IPC_HOOK_CLI',
    'ELECTRON_RUN_AS_NODE',
    'BASH_ENV',
    'ENV',
    'PS4',
    'PROMPT_COMMAND',
    'SHELLOPTS',
    'BASHOPTS',
    'BASH_FUNC_ls%%',
    'GIT_ASKPASS',
    'SUDO_ASKPASS',
    'FORCE_COLOR',
  ])('%s, which changes what commands do, is not handed on', (name) => {
    expect(Object.values(commandEnvironment({ [name]: 'canary' }))).not.toContain('canary');
  });

  it.each(['PATH', 'HOME', 'LD_PRELOAD', 'GITHUB_TOKEN', 'SSH_AUTH_SOCK', 'GIT_SSH_COMMAND', 'NODE_OPTIONS', 'GOOGLE_APPLICATION_CREDENTIALS', 'CI', 'MY_KEY'])(
    'the person’s %s is kept',
    (name) => {
      expect(commandEnvironment({ [name]: 'kept' })[name]).toBe('kept');
    },
  );

  it('tool-04, tool-05: no pager, no colour, no prompt; CI is not claimed', () => {
    expect(commandEnvironment({ PAGER: 'less', TERM: 'xterm-256color' })).toMatchObject({
      PAGER: 'cat',
      GIT_PAGER: 'cat',
      NO_COLOR: '1',
      TERM: 'dumb',
      GIT_TERMINAL_PROMPT: '0',
    });
    expect(commandEnvironment({})).not.toHaveProperty('CI');
    expect(commandEnvironment({})).not.toHaveProperty('GIT_SSH_COMMAND');
  });
});
