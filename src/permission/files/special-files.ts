/** Names that matter, and where it is documented that they do. Names are canonical: lower case, ASCII. */
export interface SpecialNames {
  /** Names that count anywhere in a path, and all below them. */
  readonly folders?: readonly string[];
  /** Names of two or more levels, likewise. */
  readonly places?: readonly string[];
  /** File names, in any folder. `*` matches anything. */
  readonly files?: readonly string[];
  /** Folder names; with them, `files` count only somewhere below such a folder. `*` matches anything. */
  readonly within?: readonly string[];
  /** The manuals that say what reads or runs them. */
  readonly source: string;
}

/** What protected files have power over. */
export type Power = 'editor' | 'git' | 'build' | 'source' | 'start' | 'keys' | 'agent';

/** Files that commonly contain passwords or keys. */
export const SECRET_FILES: readonly SpecialNames[] = [
  { folders: ['.ssh'], files: ['id_rsa*', 'id_dsa*', 'id_ecdsa*', 'id_ed25519*', '*.ppk'], source: 'ssh(1); PuTTY manual, chapter 8' },
  { folders: ['.gnupg', '.password-store'], files: ['secring.*'], source: 'gpg(1); pass(1)' },
  { files: ['*.pem', '*.key', '*.p12', '*.pfx', '*.jks', '*.keystore', '*.bks', '*.kdbx', '*.kdb', '*.agekey', '*.ovpn', '*.mobileprovision', '*.p8'], source: 'openssl(1); keytool; KeePass; age(1); OpenVPN manual; Apple developer documentation' },
  { files: ['.netrc', '_netrc', '.git-credentials', '.htpasswd', '.pgpass', 'pgpass.conf', '.my.cnf', '.mylogin.cnf', '.s3cfg', '.boto', '.passwd-s3fs', '.msmtprc', '.fetchmailrc', '.muttrc'], source: 'curl(1); gitcredentials(7); htpasswd(1); libpq, the password file; MySQL option files; s3cmd; gsutil; s3fs(1); msmtp(1)' },
  { files: ['.npmrc', '.yarnrc.yml', '.pypirc', '.dockercfg', 'auth.json', '.terraformrc', 'terraform.rc'], source: 'npm, .npmrc; Yarn, npmAuthToken; Python packaging, .pypirc; docker login; Composer, auth.json; Terraform CLI configuration' },
  {
    places: ['.kaggle/kaggle.json', '.terraform.d/credentials.tfrc.json', '.vscode/sftp.json', '.vscode/ftp-sync.json', '.huggingface/token', '.cache/huggingface/token', '.dbt/profiles.yml', '.ivy2/.credentials', '.config/sops/age'],
    files: ['.sentryclirc', '.clasprc.json', '.databrickscfg', '.renviron', '.arcrc', '.authinfo', '.authinfo.gpg', '.smbcredentials', '.curlrc', '_curlrc', '.wgetrc', 'pip.conf', 'nuget.config', '.ftpconfig', 'rclone.conf', '.credentials', 'credentials.toml', 'credentials.tfrc.json'],
    source: 'Kaggle API; Terraform CLI, credentials storage; Hugging Face Hub, environment variables; dbt, profiles.yml; sbt, credentials; SOPS, age; Sentry CLI; clasp; Databricks CLI; R, Startup; Arcanist; Emacs auth-source; mount.cifs(8); curl(1), --config; wget(1), wgetrc; pip, authentication; NuGet, packageSourceCredentials; SFTP and ftp-sync for VS Code; Remote FTP; rclone',
  },
  { places: ['.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.m2/settings.xml', '.m2/settings-security.xml', '.gradle/gradle.properties', '.composer/auth.json', '.config/composer/auth.json', '.bundle/config'], source: 'Cargo Book, cargo login; RubyGems; Maven settings reference; Gradle build environment; Bundler' },
  { folders: ['.aws', '.azure', '.kube', '.oci', '.aliyun', '.bluemix', '.chef'], places: ['.config/gcloud', '.config/gh', '.config/hub', '.config/glab-cli', '.config/doctl', '.config/rclone', '.config/op', '.config/configstore', '.docker/config.json', '.local/share/keyrings', 'library/keychains', '.fly/config.yml', '.config/netlify', '.config/heroku'], source: 'the manuals of the AWS, Azure, Kubernetes, OCI, Alibaba, IBM, Google, GitHub, GitLab, DigitalOcean and rclone command lines; Docker; GNOME Keyring; macOS security(1)' },
  { files: ['kubeconfig', '*.kubeconfig', 'credentials', 'credentials.json', 'credentials.yml', 'credentials.yaml', 'service-account.json', 'service-account-*.json', 'service_account.json', 'client_secret*.json', 'application_default_credentials.json', 'gha-creds-*.json'], source: 'Kubernetes, organizing cluster access; Google Cloud, service account keys; google-github-actions/auth' },
  { files: ['*.tfstate', '*.tfstate.backup', '*.tfvars', '*.tfvars.json', '.vault-token', '.vault_pass', '.vault_pass.txt', 'vault.key', 'master.key', 'secrets.yml', 'secrets.yaml', 'secrets.json', 'secrets.toml', 'secret.yaml', 'secret.yml'], source: 'Terraform, sensitive data in state; Vault, token helper; Ansible Vault; Rails, custom credentials; Streamlit, secrets.toml; Kubernetes, Secrets' },
  { files: ['.env', '.envrc', '.env.*', '.env-*', '.env_*', '.env~', '.envrc.*', '*.env', '.dev.vars', '.dev.vars.*', 'local.settings.json', 'wp-config.php', '.secrets'], source: 'dotenv; direnv; Wrangler, .dev.vars; Azure Functions Core Tools; WordPress; act(1), .secrets' },
  { files: ['.bash_history', '.zsh_history', '.python_history', '.node_repl_history', '.psql_history', '.mysql_history', '.sqlite_history', '.rediscli_history', '.irb_history', 'fish_history', 'consolehost_history.txt'], source: 'the manuals of the shells and clients: what was typed, passwords included' },
  { within: ['*.git'], files: ['config*', '*credential*'], source: 'git-config(1): http.<url>.extraHeader, remote.<name>.url and credential.* hold passwords and tokens; gitrepository-layout(5), config, config.worktree, modules, worktrees; gitcredentials(7); a bare repository is named <name>.git by git-clone(1)' },
  { places: ['.git/annex/creds', '.git/git-crypt/keys', '.config/git/config', '.config/git/credentials'], files: ['.gitconfig', '_gitconfig'], source: 'git-annex, embedcreds; git-crypt, unlock; git-config(1), FILES' },
  { within: ['.hg'], files: ['hgrc*'], source: 'hgrc(5): [auth] and [paths] hold passwords; “hg help config”, share-safe, for hgrc-not-shared' },
  { files: ['.hgrc', 'mercurial.ini'], source: 'hgrc(5), Files' },
  { within: ['.jj'], files: ['config*'], source: 'Jujutsu, Settings, config files; the Git repository in .jj/repo/store/git' },
  { within: ['.bzr'], files: ['*.conf'], source: 'Breezy, configuration: locations with passwords in branch.conf' },
  {
    places: ['.subversion/auth', '.subversion/servers', 'subversion/auth', 'subversion/servers', '.bazaar/authentication.conf', '.config/breezy/authentication.conf', '.config/jj', 'cvs/root', '_darcs/prefs/defaultrepo', '_darcs/prefs/repos', '_darcs/prefs/sources'],
    files: ['.jjconfig.toml', '.cvspass', '.fossil', '*.fossil', '.p4tickets', 'p4tickets.txt', '.p4config', '.p4enviro'],
    source: 'Version Control with Subversion, client credentials; Breezy, authentication.conf; Jujutsu, settings; CVS, password authentication and Root; darcs, _darcs/prefs; Fossil, remote-url and the users of a repository; Helix Core, P4CONFIG, P4PASSWD and P4TICKETS',
  },
  {
    places: ['etc/shadow', 'etc/shadow-', 'etc/gshadow', 'etc/gshadow-', 'etc/master.passwd', 'etc/spwd.db', 'etc/security/opasswd', 'etc/sudoers', 'etc/sudoers.d', 'etc/ssl/private', 'etc/wireguard', 'etc/networkmanager/system-connections', 'etc/krb5.keytab', 'private/etc/master.passwd'],
    files: ['ssh_host_*_key'],
    source: 'shadow(5); gshadow(5); master.passwd(5); pam_unix(8), opasswd; sudoers(5); wg-quick(8); NetworkManager(8); sshd(8): what a workspace shows of the system that contains it',
  },
  {
    places: ['.idea/datasources.xml', '.idea/datasources.local.xml', '.idea/webservers.xml', '.idea/sshconfigs.xml', '.supabase/access-token', '.railway/config.json', '.snowsql/config', '.mc/config.json', '.vnc/passwd', '.weechat/sec.conf', '.wrangler/config', '.config/wrangler', '.config/stripe', '.config/scw', '.config/hcloud', '.config/linode-cli', '.config/ngrok', '.config/acli', '.config/.jira', '.config/tea', '.config/vercel', '.config/bitwarden cli', '.config/filezilla'],
    folders: ['.cloudflared'],
    files: ['datasources.xml', 'datasources.local.xml', 'http-client.private.env.json', 'rest-client.private.env.json', 'data-sources.json', 'credentials-config.json', 'sitemanager.xml', 'recentservers.xml', 'winscp.ini', '*.remmina', 'wpa_supplicant.conf', 'wg0.conf', 'wg1.conf', 'wg2.conf', 'ngrok.yml', 'ngrok.yaml', '.twurlrc', 'connections.toml', 'robomongo.json', 'robo3t.json', 'k3s.yaml', 'talosconfig', '*.talosconfig', 'keystore.properties', 'key.properties', 'signing.properties'],
    source: 'JetBrains, data sources, web servers, and the HTTP client; Supabase CLI; Railway; SnowSQL and Snowflake CLI; MinIO client; vncpasswd(1); WeeChat; Wrangler; Stripe, Scaleway, Hetzner, Linode, Vercel, and Bitwarden CLI; ngrok; Atlassian CLI; Tea; cloudflared; DBeaver; FileZilla; WinSCP; Remmina; wpa_supplicant.conf(5); wg(8); twurl; Robo 3T; K3s; Talos; Android and Flutter, signing',
  },
  {
    files: [
      ...['private_key', 'private-key', 'privatekey', 'secret_key', 'secret-key', 'api_key', 'api-key', 'apikey', 'access_key', 'access_token', 'access-token', 'auth_token', 'auth-token', 'deploy_key', 'ssh_key'].flatMap((name) => [name, `.${name}`, `*${name}.txt`, `*${name}.json`, `*${name}.asc`, `*${name}s.txt`, `*${name}s.json`]),
      ...['token', 'tokens', 'password', 'passwords', 'passwd', 'secret', 'secrets', 'credentials', 'creds', 'mnemonic', 'seed_phrase', 'recovery_codes', 'recovery-codes', 'cookies'].map((name) => `${name}.txt`),
      ...['.token', '.secret', '.password', '.passwd', '.credential', '.creds', 'creds.json', 'creds.yml', 'creds.yaml', 'secrets.properties', 'secrets.ini', 'secrets.xml', 'secret.json', 'secret.toml', 'token.json', 'token.pickle', 'key.json', 'keyfile.json', 'serviceaccountkey.json', '*firebase-adminsdk*.json', 'vault_password', 'vault_password.txt', 'vault-password', 'vault-password.txt', '.vault_password', '.vault-password', '.htdigest'],
      ...['*.key.txt', '*.pem.txt', '*.privkey', '*.pvk', '*.pkcs8', '*.pkcs12', '*.jceks', '*.keytab', 'krb5cc_*', '*.keychain', '*.keychain-db', '*.psafe3', '*.1pif', '*.1pux', '*.har', 'wallet.dat', 'logins.json', 'key3.db', 'key4.db', 'cookies.sqlite', 'login data'],
    ],
    source: 'names that manuals give to what they have one store: Google Cloud and Firebase, service account keys; Google Workspace, quickstarts (token.json); Ansible Vault; htdigest(1); openssl(1); keytool; ktutil(1); security(1); Password Safe; 1Password, export; HTTP Archive; curl(1), cookies; Bitcoin Core; Firefox and Chromium, profiles',
  },
  { places: ['.git/logs'], source: 'gitrepository-layout(5), logs: what each change was made with, among it addresses with passwords, as in git-pull(1)' },
  { within: ['proc'], files: ['environ', 'mem', 'kcore'], source: 'proc(5): the environment and the memory of every process' },
  { places: ['.claude/.credentials.json', '.codex/auth.json', '.gemini/oauth_creds.json', '.qwen/oauth_creds.json', '.config/github-copilot', '.local/share/opencode/auth.json', '.cursor/mcp.json', '.copilot/mcp-config.json'], files: ['.claude.json'], source: 'the manuals of the agents: the place of their sign-in, and of servers with the keys that these get' },
];

/** What is made to be shown, though its name looks like one of those: `.env.example`, `id_rsa.pub`. */
export const SHOWN_FILES: readonly string[] = ['*.example', '*.sample', '*.template', '*.dist', '*.tpl', '*.pub', '*.defaults'];

/** Files and folders that grant power beyond their text. */
export const PROTECTED_FILES: readonly (SpecialNames & { readonly power: Power })[] = [
  { power: 'editor', folders: ['.vscode', '.vscode-server', '.idea', '.zed', '.fleet', '.vs'], files: ['*.code-workspace', '.dir-locals.el', '.vimrc', '.exrc', '.nvimrc', '.nvim.lua', '.lvimrc', '.clangd'], source: 'VS Code, workspace trust; JetBrains run configurations; Zed tasks; Emacs, per-directory variables; Vim, exrc; clangd configuration' },
  {
    power: 'editor',
    places: ['code', 'code - insiders', 'vscodium', 'cursor', 'windsurf'].flatMap((product) => ['.config', 'library/application support', 'appdata/roaming'].map((place) => `${place}/${product}/user`)),
    source: 'VS Code, user settings: the permission rules and the servers of Gnomon are among them',
  },
  { power: 'git', folders: ['.git', '.hg', '.svn', '.jj', '.githooks'], files: ['.gitconfig', '.gitmodules', '.hgrc'], source: 'githooks(5); gitmodules(5); git-config(1), core.hooksPath; hgrc(5); Jujutsu configuration' },
  { power: 'build', folders: ['.husky', '.devcontainer', '.circleci', '.buildkite', '.yarn', '.mvn', '.teamcity'], places: ['.github/workflows', '.github/actions', '.gitea/workflows', '.forgejo/workflows', '.gitlab/ci', 'node_modules/.bin', '.cargo/config.toml', '.cargo/config', 'gradle/wrapper'], source: 'husky; Dev Containers; the manuals of the CI services; Cargo configuration; Maven, .mvn/extensions.xml and jvm.config; Gradle Wrapper' },
  {
    power: 'build',
    files: [
      ...['.devcontainer.json', '.gitlab-ci.yml', '.pre-commit-config.yaml', '.travis.yml', 'azure-pipelines.yml', 'azure-pipelines.yaml', 'jenkinsfile', 'bitbucket-pipelines.yml', '.drone.yml', '.woodpecker.yml', 'appveyor.yml', '.appveyor.yml', 'cloudbuild.yaml', 'buildspec.yml', '.cirrus.yml', '.cirrus.star', 'codemagic.yaml', '.gitpod.yml'],
      ...['lefthook.yml', 'lefthook.yaml', 'lefthook.toml', 'lefthook.json', '.lefthook.yml', '.lefthook.yaml', '.lefthook.toml', 'lefthook-local.*', '.lintstagedrc*', 'lint-staged.config.*', '.huskyrc*', '.overcommit.yml'],
      ...['package.json', '.pnpmfile.cjs', '.pnp.cjs', '.pnp.loader.mjs', 'bunfig.toml'],
      ...['conftest.py', 'sitecustomize.py', 'usercustomize.py', '*.pth', 'build.rs', 'cmakepresets.json', 'cmakeuserpresets.json'],
    ],
    source: 'the manuals of the CI services, hook managers and package managers; pytest, conftest.py; Python, site; Cargo, build scripts; CMake presets',
  },
  {
    power: 'build',
    files: ['eslint.config.*', '.eslintrc.js', '.eslintrc.cjs', '.eslintrc.mjs', '.eslintrc.ts', 'prettier.config.*', '.prettierrc.js', '.prettierrc.cjs', '.prettierrc.mjs', '.prettierrc.ts', 'stylelint.config.*', '.stylelintrc.js', '.stylelintrc.cjs', 'svelte.config.*', 'tailwind.config.*', 'postcss.config.*', 'babel.config.*', '.babelrc.js', '.rubocop.yml', '.solargraph.yml', 'phpstan.neon'],
    source: 'ESLint, Prettier, Stylelint, Svelte, Tailwind, PostCSS, Babel, RuboCop: settings that are code, which the extensions of the editor run as soon as they change',
  },
  {
    power: 'source',
    places: ['venv/bin', 'venv/scripts', '.venv/bin', '.venv/scripts', '.pip/pip.conf', '.config/pip/pip.conf', '.docker/config.json', '.kube/config', '.config/mise'],
    files: ['.envrc', '.npmrc', '.yarnrc', '.yarnrc.yml', '.yarnrc.yaml', '.pypirc', 'pip.conf', 'mise.toml', '.mise.toml', 'mise.local.toml', '.mise.local.toml', '.tool-versions', 'pyvenv.cfg', '.curlrc', '.wgetrc', 'nuget.config', '.condarc', '.gemrc', 'flake.nix', 'shell.nix', 'devbox.json'],
    source: 'direnv; npm; Yarn; pip; mise; asdf; venv; Docker, credential helpers; Kubernetes, exec credentials; curl(1); wget(1); NuGet; conda; RubyGems; Nix',
  },
  {
    power: 'start',
    places: ['.config/fish', '.config/autostart', '.config/systemd', '.config/git', '.config/nvim', '.config/environment.d', '.local/bin', '.config/nushell', 'library/launchagents', '.config/zsh'],
    files: [
      ...['.bashrc', '.bash_*', '.profile', '.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.kshrc', '.cshrc', '.tcshrc', '.login', '.logout', '.inputrc', 'config.fish', '*profile.ps1'],
      ...['.gdbinit', '.lldbinit', '.pythonrc', '.pythonrc.py', '.irbrc', '.pryrc', '.psqlrc', '.sqliterc', '.rprofile', '.xinitrc', '.xprofile', '.xsession', '.pam_environment', '.screenrc', '.tmux.conf', '.lessfilter', '.lesskey', '.mailcap', '.ackrc', '.ripgreprc'],
    ],
    source: 'bash(1), zsh(1), fish(1), csh(1) and PowerShell, start-up files; systemd.unit(5); launchd.plist(5); gdb(1); lldb(1); python(1); psql(1); sqlite3(1); R, Startup; less(1); ripgrep',
  },
  { power: 'keys', folders: ['.ssh', '.gnupg', '.aws', '.azure', '.kube'], files: ['.netrc', '.pgpass', '.my.cnf'], source: 'as above' },
  {
    power: 'agent',
    folders: ['.gnomon', '.claude', '.cursor', '.gemini', '.codex', '.windsurf', '.roo', '.continue', '.agents', '.cline', '.clinerules', '.kiro', '.qwen', '.opencode', '.amazonq', '.junie', '.trae', '.augment', '.goose', '.crush', '.factory', '.copilot', '.codeium'],
    places: ['.config/zed', '.config/opencode', '.config/goose', '.github/instructions', '.github/prompts', '.github/agents', '.github/chatmodes', '.github/hooks', '.github/skills'],
    files: ['.mcp.json', 'mcp.json', 'mcp-config.json', 'mcp_config.json', 'mcp_settings.json', 'cline_mcp_settings.json', 'claude_desktop_config.json', '.claude.json', 'claude.md', 'claude.local.md', 'agents.md', 'agents.local.md', 'agents.override.md', 'agent.md', 'gemini.md', 'qwen.md', 'copilot-instructions.md', '.cursorrules', '.windsurfrules', '.roorules', '.roomodes', '.goosehints', '.aider.conf.yml', 'opencode.json', 'opencode.jsonc'],
    source: 'the manuals of the agents: what they read as instructions, and what they start',
  },
];

/** Names that are looked for, made ready: most are compared as a whole. */
export class NameSet {
  private readonly folders: ReadonlySet<string>;
  private readonly places: readonly string[];
  private readonly files: ReadonlySet<string>;
  private readonly patterns: readonly Pattern[];
  private readonly inner: readonly { readonly within: readonly Pattern[]; readonly files: readonly Pattern[] }[];

  constructor(lists: readonly Omit<SpecialNames, 'source'>[]) {
    const files = lists.flatMap(({ within, files: names = [] }) => (within === undefined ? names : []));
    this.folders = new Set(lists.flatMap((list) => list.folders ?? []));
    this.places = lists.flatMap((list) => list.places ?? []).map((place) => `/${place}/`);
    this.files = new Set(files.filter((name) => !name.includes('*')));
    this.patterns = files.filter((name) => name.includes('*')).map(patternOf);
    this.inner = lists.flatMap(({ within, files: names = [] }) => (within === undefined ? [] : [{ within: within.map(patternOf), files: names.map(patternOf) }]));
  }

  /** Whether the names of a path, canonical, lie in one of its folders or places. */
  holdsFolder(names: readonly string[]): boolean {
    const joined = `/${names.join('/')}/`;
    return names.some((name) => this.folders.has(name)) || this.places.some((place) => joined.includes(place));
  }

  /** Whether the last of the names of a path, canonical, is one of its files that count only below some folder, and lies below that. */
  holdsBelow(names: readonly string[]): boolean {
    const [file = '', ...folders] = names.toReversed();
    return this.inner.some(({ within, files }) => files.some((pattern) => fitsName(pattern, file)) && folders.some((name) => within.some((pattern) => fitsName(pattern, name))));
  }

  /** Whether a file name, canonical, is one of its files. */
  holdsFile(name: string): boolean {
    return this.files.has(name) || this.patterns.some((pattern) => fitsPattern(pattern, name));
  }
}

/** A name with at most two `*`, split at these. */
interface Pattern {
  readonly start: string;
  readonly middle: string;
  readonly end: string;
  /** The name itself, where it has no `*`. */
  readonly exact?: string;
}

function patternOf(name: string): Pattern {
  const [start = '', ...rest] = name.split('*');
  return { start, middle: rest.length > 1 ? (rest[0] ?? '') : '', end: rest.at(-1) ?? '', ...(name.includes('*') ? {} : { exact: name }) };
}

function fitsName(pattern: Pattern, name: string): boolean {
  return pattern.exact === undefined ? fitsPattern(pattern, name) : pattern.exact === name;
}

function fitsPattern({ start, middle, end }: Pattern, name: string): boolean {
  if (name.length < start.length + middle.length + end.length || !name.startsWith(start) || !name.endsWith(end)) return false;
  return name.slice(start.length, name.length - end.length).includes(middle);
}
