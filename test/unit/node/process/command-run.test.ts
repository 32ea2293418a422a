import { describe, expect, it } from 'vitest';
import { commandEnvironment } from '../../../../src/node/process/command-run.js';

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

  it.each([
    'PATH',
    'HOME',
    'PWD',
    'SSH_AUTH_SOCK',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'KUBECONFIG',
    'CI',
    'JAVA_HOME',
    'PYTHONPATH',
    'GIT_AUTHOR_NAME',
    'KEYBOARD',
    'TOKENIZERS_PARALLELISM',
    'MONKEY',
  ])('the user’s %s is kept', (name) => {
    expect(commandEnvironment({ [name]: '/kept' })[name]).toBe('/kept');
  });

  it.each([
    'GITHUB_TOKEN',
    'GH_TOKEN',
    'NPM_TOKEN',
    'NODE_AUTH_TOKEN',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AZURE_CLIENT_SECRET',
    'PGPASSWORD',
    'DATABASE_URL',
    'MY_KEY',
    'SENTRY_DSN',
    'DOCKER_PASSWORD',
    'CARGO_REGISTRY_TOKEN',
    'TWINE_PASSWORD',
  ])('tool-19: %s, a key of a cloud, a registry or something else, is handed on only where the user says so', (name) => {
    expect(commandEnvironment({ [name]: 'canary' })).not.toHaveProperty(name);
    expect(commandEnvironment({ [name]: 'canary' }, [`${name.slice(0, 3)}*`])[name]).toBe('canary');
  });

  it.each([
    'NODE_OPTIONS',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'LESSOPEN',
    'GIT_DIR',
    'GIT_EXTERNAL_DIFF',
    'GIT_CONFIG_COUNT',
    'GIT_SSH_COMMAND',
    'RIPGREP_CONFIG_PATH',
    'PERL5OPT',
    'RUBYOPT',
    'PYTHONSTARTUP',
    'JAVA_TOOL_OPTIONS',
  ])('%s, by which a program starts otherwise, is handed on only where the user says so', (name) => {
    expect(commandEnvironment({ [name]: 'canary' })).not.toHaveProperty(name);
    expect(commandEnvironment({ [name]: 'canary' }, [name])[name]).toBe('canary');
  });

  it('tool-19: the key of a model service is not handed on, whatever the user says', () => {
    expect(commandEnvironment({ OPENAI_API_KEY: 'canary' }, ['OPENAI_API_KEY', 'O*'])).not.toHaveProperty('OPENAI_API_KEY');
  });

  it('tool-04, tool-05: no pager, no color, no prompt; CI is not claimed', () => {
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
