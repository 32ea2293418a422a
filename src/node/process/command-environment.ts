/** Model services whose keys no command needs. */
const SERVICES =
  'ANTHROPIC|OPENAI|AZURE_OPENAI|MISTRAL|CODESTRAL|GEMINI|GOOGLE|GOOGLE_GENAI|GROQ|OPENROUTER|DEEPSEEK|XAI|TOGETHER|TOGETHERAI|' +
  'FIREWORKS|COHERE|CO|PERPLEXITY|CEREBRAS|HF|HUGGINGFACE|HUGGING_FACE_HUB|HUGGINGFACEHUB|OLLAMA|VOYAGE|REPLICATE|NVIDIA|' +
  'SAMBANOVA|MOONSHOT|DASHSCOPE|ZHIPU|ZAI|AI_GATEWAY|LITELLM|CLAUDE_CODE|GROK|AI21|ANYSCALE|DEEPINFRA|NOVITA|HYPERBOLIC|JINA|' +
  'MINIMAX|QWEN|SILICONFLOW|NEBIUS|PORTKEY|HELICONE|WATSONX|LLAMA|LM_STUDIO|VLLM|GNOMON';

/** Variables that commands never get. */
const REMOVED: readonly RegExp[] = [
  new RegExp(`^(${SERVICES})_(.*_)?(API_?KEYS?|KEY|(AUTH_|OAUTH_|API_|ACCESS_)?TOKEN|CUSTOM_HEADERS)$`, 'i'),
  /^AWS_BEARER_TOKEN_BEDROCK$/i,
  // The editor's own: they would make `code` and Node's programs behave as parts of it.
  /^(VSCODE|ELECTRON)_/i,
  // Files and code that a shell would run at its start, and options that change what a command means.
  /^(BASH_ENV|ENV|PROMPT_COMMAND|PS4|SHELLOPTS|BASHOPTS|CDPATH|GLOBIGNORE|BASH_FUNC_.*)$/,
  // Programs that would ask for a password in a window, and forced colors.
  /^(GIT_ASKPASS|SSH_ASKPASS|SUDO_ASKPASS|FORCE_COLOR|CLICOLOR_FORCE)$/,
];

/** Matches names of variables whose values are passwords or keys, of clouds, registries and all else. */
const SECRET =
  /(?:^|_)(?:(?:API|ACCESS|SECRET|PRIVATE|SIGNING|ENCRYPTION|MASTER|ACCOUNT|LICENSE|DEPLOY|AUTH)?_?KEYS?|APIKEY|[A-Z]*TOKENS?|SECRETS?|[A-Z]*PASSWORD|PASSWD|PASS|PASSPHRASE|PWD|CREDENTIALS?|CREDS|AUTH|COOKIE|PAT|DSN|CONNECTION_?STRING|(?:DATABASE|DB|REDIS|MONGO(?:DB)?|POSTGRES(?:QL)?|MYSQL|AMQP|RABBITMQ)_UR[IL]|WEBHOOK(?:_URL)?)(?:_(?:ID|VALUE|B64|BASE64|JSON|\d+))?$/i;
/** Names that match too but are the working directory. */
const NO_SECRET = /^(?:PWD|OLDPWD)$/;

/** Variables by which other programs run code, load libraries or read settings when they start. */
const STEERING =
  /^(?:GIT_(?!(?:AUTHOR|COMMITTER)_)|NODE_OPTIONS$|NODE_REPL_EXTERNAL_MODULE$|LD_(?:PRELOAD|AUDIT)$|DYLD_INSERT_LIBRARIES$|LESS(?:OPEN|CLOSE|KEY)|PERL5(?:OPT|DB)$|RUBYOPT$|PYTHON(?:STARTUP|INSPECT|BREAKPOINT|WARNINGS)$|JAVA_TOOL_OPTIONS$|_JAVA_OPTIONS$|JDK_JAVA_OPTIONS$|RIPGREP_CONFIG_PATH$|GREP_OPTIONS$|TAR_OPTIONS$|RSYNC_RSH$|BASH_LOADABLES_PATH$|INPUTRC$|GCONV_PATH$|SSLKEYLOGFILE$)/;

/**
 * The editor of git: a message that is there already, as in `commit --amend` and `rebase --continue`, is taken as it is;
 * without one it fails and says how to give it. git runs this with the shell, and the file as an argument after it.
 */
const GIT_EDITOR =
  'edit() { grep -qsv -e "^#" -e "^[[:space:]]*$" "$1" && return; ' + 'echo "There is no editor here. Give the message with -m or -F." >&2; return 1; }; edit';

/**
 * Nothing waits for a user, opens a pager or editor, or writes colors. An editor fails, for what
 * did not happen must not look as if it had. `CI` is not set, for it changes what builds and tests do; neither is
 * `GIT_SSH_COMMAND`, for it would replace the user's: without a terminal ssh asks nothing and fails.
 */
const SET: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: '',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_EDITOR,
  // A rebase does what its plan says, as with --autosquash.
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  SSH_ASKPASS_REQUIRE: 'never',
  DEBIAN_FRONTEND: 'noninteractive',
  PYTHONUNBUFFERED: '1',
};

/**
 * The environment of commands: the given one without keys, start-up hooks and the editor's internals.
 * @param wanted names that the user wants handed on though they look like keys or steer programs; `*` at the end stands
 *   for any ending.
 */
export function commandEnvironment(base: Readonly<Record<string, string | undefined>>, wanted: readonly string[] = []): Record<string, string> {
  const kept = Object.entries(base).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    if (value === undefined || REMOVED.some((pattern) => pattern.test(name))) return false;
    return isWanted(name, wanted) || (!STEERING.test(name) && !isSecret(name, value));
  });
  return { ...Object.fromEntries(kept), ...SET };
}

function isWanted(name: string, wanted: readonly string[]): boolean {
  return wanted.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern));
}

/** A path says where a key is, not what it is. */
function isSecret(name: string, value: string): boolean {
  return SECRET.test(name) && !NO_SECRET.test(name) && !/^(?:[\\/~]|[A-Za-z]:[\\/])/.test(value);
}
