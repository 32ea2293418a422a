import { t } from '../domain/l10n.js';
import { canonicalName } from './canonical-name.js';

/** Files and folders that grant power beyond their text, and in words why. Names are canonical: lower case, ASCII. */
interface ProtectedGroup {
  /** Says of a name that it is protected, and why. */
  readonly why: (name: string) => string;
  /** Names that protect wherever they stand in a path, and all below them. */
  readonly folders?: readonly string[];
  /** Names of two or more levels, likewise. */
  readonly places?: readonly string[];
  /** File names, in any folder. `*` stands for anything. */
  readonly files?: readonly string[];
}

/** The table of protected paths (conf-05, conf-06, conf-07, path-16). */
const PROTECTED: readonly ProtectedGroup[] = [
  {
    why: (name) => t('{0} is protected: it sets up VS Code and can run code.', name),
    folders: ['.vscode', '.vscode-server', '.idea', '.zed'],
    files: ['*.code-workspace'],
  },
  { why: (name) => t('{0} is protected: it is part of Git, whose settings and hooks can run code.', name), folders: ['.git'], files: ['.gitconfig', '.gitmodules'] },
  {
    why: (name) => t('{0} is protected: it can run code when something is committed, built or installed.', name),
    folders: ['.husky', '.devcontainer', '.circleci', '.buildkite', '.yarn'],
    places: ['.github/workflows', '.github/actions', 'node_modules/.bin', '.cargo/config.toml', '.cargo/config'],
    files: [
      '.devcontainer.json',
      '.gitlab-ci.yml',
      '.pre-commit-config.yaml',
      '.travis.yml',
      'azure-pipelines.yml',
      'jenkinsfile',
      'lefthook.y*ml',
      '.lefthook.y*ml',
      'package.json',
      '.pnpmfile.cjs',
    ],
  },
  {
    why: (name) => t('{0} is protected: it changes where programs come from or how they start.', name),
    places: ['venv/bin', 'venv/scripts', '.venv/bin', '.venv/scripts'],
    files: ['.envrc', '.npmrc', '.yarnrc', '.yarnrc.y*ml', '.pypirc', 'pip.conf', 'mise.toml', '.mise.toml', '.tool-versions', 'pyvenv.cfg'],
  },
  {
    why: (name) => t('{0} is protected: it is read by programs when they start.', name),
    places: ['.config/fish', '.config/autostart', '.config/systemd', '.config/git', 'library/launchagents'],
    files: [
      '.bashrc',
      '.bash_*',
      '.profile',
      '.zshrc',
      '.zshenv',
      '.zprofile',
      '.zlogin',
      '.zlogout',
      '.kshrc',
      '.cshrc',
      '.tcshrc',
      '.login',
      '.inputrc',
      'config.fish',
      '*profile.ps1',
      '.gdbinit',
      '.lldbinit',
      '.vimrc',
      '.exrc',
      '.nvimrc',
      '.nvim.lua',
      '.xinitrc',
      '.xprofile',
    ],
  },
  { why: (name) => t('{0} is protected: it holds keys or access rights.', name), folders: ['.ssh', '.gnupg', '.aws'], files: ['.netrc', '.pgpass'] },
  {
    why: (name) => t('{0} is protected: it steers Gnomon or another agent.', name),
    folders: ['.gnomon', '.claude', '.cursor', '.gemini', '.codex', '.windsurf', '.roo', '.continue', '.agents', '.clinerules'],
    places: ['.github/instructions', '.github/prompts', '.github/agents', '.github/chatmodes'],
    files: [
      '.mcp.json',
      'mcp.json',
      'claude.md',
      'claude.local.md',
      'agents.md',
      'agents.override.md',
      'agent.md',
      'gemini.md',
      'copilot-instructions.md',
      '.cursorrules',
      '.windsurfrules',
      '.roorules',
      '.aider.conf.yml',
    ],
  },
];

/**
 * Why a path may only be written after asking; `undefined` when it is an ordinary one. Names are compared as loosely
 * as any file system does (path-09, path-10, path-11).
 * @param path relative to its workspace folder, or absolute when it lies in none.
 * @param name of the file in the sentence.
 */
export function protectedReason(path: string, name = path): string | undefined {
  const names = path.split(/[\\/]/).filter((name) => name !== '' && name !== '.').map(canonicalName);
  return PROTECTED.find((group) => isProtected(names, group))?.why(name);
}

function isProtected(names: readonly string[], group: ProtectedGroup): boolean {
  const joined = `/${names.join('/')}/`;
  const file = names.at(-1) ?? '';
  return (
    names.some((name) => group.folders?.includes(name)) ||
    (group.places ?? []).some((place) => joined.includes(`/${place}/`)) ||
    (group.files ?? []).some((pattern) => matches(pattern, file))
  );
}

/** At most one `*` in a pattern. */
function matches(pattern: string, name: string): boolean {
  const [start = '', end] = pattern.split('*');
  if (end === undefined) return name === pattern;
  return name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
}
