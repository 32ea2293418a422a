import type { RiskKind } from './kinds.js';
import type { Part } from './part.js';

/** Options of programs with subcommands that are followed by a value. */
const VALUED = /^(?:--(?:prefix|cwd|dir|filter|workspace|context|cluster|host|namespace|kubeconfig|chdir|profile|region|project|project-name|repo|registry|tag|access|otp|file|config|directory)|-[CwHnfRp])$/;
/** Options with which nothing happens. */
const IDLE = /^(?:--help|-h|--version|--dry-run(?:=(?:client|server|true))?)$/;

/** Subcommands, of one word or two, with what is known of them. */
type Verbs = Readonly<Record<string, RiskKind>>;

function verbs(kind: RiskKind, names: string): Verbs {
  return Object.fromEntries(names.split(', ').map((name) => [name, kind]));
}

const NPM: Verbs = { ...verbs('publishes', 'publish, unpublish, npm publish, stage publish'), ...verbs('runsPackage', 'dlx, create, init') };
const DOCKER: Verbs = {
  ...verbs('publishes', 'push, image push, compose push, manifest push'),
  ...verbs('deletesData', 'system prune, volume rm, volume prune, volume remove, image prune, container prune, builder prune'),
  ...verbs('changesInfrastructure', 'stack deploy, stack rm, service update, service rm, swarm leave'),
};
const TERRAFORM: Verbs = { destroy: 'destroysInfrastructure', apply: 'changesInfrastructure', ...verbs('changesInfrastructure', 'import, taint, state rm, state mv, state push, workspace delete') };
const DEPLOYER: Verbs = verbs('changesInfrastructure', 'deploy, up, apply, publish, release, rollback, scale, promote');

/** What subcommands of programs do beyond this machine, each from its manual. */
const BY_PROGRAM: Readonly<Record<string, Verbs>> = {
  ...{ npm: NPM, pnpm: NPM, yarn: NPM, bun: { ...NPM, x: 'runsPackage' }, lerna: NPM, changeset: verbs('publishes', 'publish'), vsce: verbs('publishes', 'publish, unpublish'), ovsx: verbs('publishes', 'publish') },
  ...{ cargo: verbs('publishes', 'publish, yank'), gem: verbs('publishes', 'push, yank'), twine: verbs('publishes', 'upload'), poetry: verbs('publishes', 'publish'), hatch: verbs('publishes', 'publish'), flit: verbs('publishes', 'publish') },
  ...{ uv: { ...verbs('publishes', 'publish'), 'tool run': 'runsPackage', 'tool install': 'installsOutside' }, pipx: { run: 'runsPackage', install: 'installsOutside' } },
  ...{ dotnet: { 'nuget push': 'publishes', 'nuget delete': 'publishes' }, nuget: verbs('publishes', 'push'), helm: { push: 'publishes', ...verbs('changesInfrastructure', 'install, upgrade, rollback'), ...verbs('destroysInfrastructure', 'uninstall, delete') } },
  ...{ mvn: verbs('publishes', 'deploy'), mvnw: verbs('publishes', 'deploy'), gradle: verbs('publishes', 'publish'), gradlew: verbs('publishes', 'publish') },
  ...{ docker: DOCKER, podman: DOCKER, nerdctl: DOCKER },
  gh: { ...verbs('publishesRelease', 'release create, release upload, release edit'), ...verbs('deletesRemote', 'release delete'), ...verbs('pushes', 'pr merge'), ...verbs('destroysInfrastructure', 'repo delete'), ...verbs('changesInfrastructure', 'workflow run, secret set, secret delete, variable set') },
  glab: { ...verbs('publishesRelease', 'release create'), ...verbs('pushes', 'mr merge'), ...verbs('destroysInfrastructure', 'repo delete') },
  ...{ terraform: TERRAFORM, tofu: TERRAFORM, terragrunt: TERRAFORM, cdk: { ...DEPLOYER, destroy: 'destroysInfrastructure' }, pulumi: { ...DEPLOYER, destroy: 'destroysInfrastructure' } },
  ...{ kubectl: { ...verbs('destroysInfrastructure', 'delete, drain'), ...verbs('changesInfrastructure', 'apply, create, replace, patch, scale, edit, set, rollout, run, label, annotate, cordon, taint, expose'), exec: 'runsElsewhere' } },
  ...{ oc: { delete: 'destroysInfrastructure', ...DEPLOYER }, kustomize: {}, argocd: verbs('changesInfrastructure', 'app sync, app delete'), flux: verbs('changesInfrastructure', 'reconcile, delete') },
  ...{ vercel: { ...DEPLOYER, remove: 'destroysInfrastructure', rm: 'destroysInfrastructure' }, netlify: DEPLOYER, firebase: DEPLOYER, fly: { ...DEPLOYER, destroy: 'destroysInfrastructure', 'apps destroy': 'destroysInfrastructure' }, flyctl: { ...DEPLOYER, 'apps destroy': 'destroysInfrastructure' } },
  ...{ wrangler: { ...DEPLOYER, delete: 'destroysInfrastructure' }, heroku: { 'apps:destroy': 'destroysInfrastructure', 'pg:reset': 'deletesData', ...DEPLOYER }, serverless: { ...DEPLOYER, remove: 'destroysInfrastructure' }, sls: { ...DEPLOYER, remove: 'destroysInfrastructure' }, eb: DEPLOYER, sam: { ...DEPLOYER, delete: 'destroysInfrastructure' } },
  ...{ prisma: { 'migrate reset': 'deletesData', 'db push': 'deletesData' }, rails: verbs('deletesData', 'db:drop, db:reset, db:purge'), rake: verbs('deletesData', 'db:drop, db:reset, db:purge'), supabase: verbs('deletesData', 'db reset') },
  aws: { ...verbs('deletesData', 's3 rm, s3 rb'), ...verbs('destroysInfrastructure', 'cloudformation delete-stack, ec2 terminate-instances, rds delete-db-instance') },
  ...{ systemctl: { ...verbs('stopsMachine', 'poweroff, reboot, halt, suspend, hibernate, kexec'), ...verbs('changesStartup', 'enable, edit, link'), ...verbs('changesServices', 'start, stop, restart, disable, mask, unmask, kill') }, launchctl: { ...verbs('changesStartup', 'load, bootstrap, enable'), ...verbs('changesServices', 'unload, bootout, disable, kickstart') } },
};

/** What the subcommand of a program does. */
export function verbRisks(part: Part): readonly RiskKind[] {
  const known = Object.hasOwn(BY_PROGRAM, part.name) ? BY_PROGRAM[part.name] : undefined;
  if (known === undefined || part.options.some((text) => IDLE.test(text))) return [];
  const [first = '', second = ''] = part.operands(VALUED);
  const kind = [`${first} ${second}`, first].map((verb) => (Object.hasOwn(known, verb) ? known[verb] : undefined)).find((one) => one !== undefined);
  // `npm init` alone writes a package.json; with a name it runs a package.
  if (kind === undefined || (kind === 'runsPackage' && second === '')) return [];
  return [kind];
}

/** What a package manager, or a program that runs packages, gets from the network. */
export function packageRisks(part: Part): readonly RiskKind[] {
  if (part.options.some((text) => IDLE.test(text))) return [];
  return [...runsPackage(part), ...installs(part)];
}

/** Programs whose only purpose is to run a package. */
const RUNNERS: ReadonlySet<string> = new Set(['npx', 'pnpx', 'bunx', 'uvx']);

function runsPackage(part: Part): readonly RiskKind[] {
  const { name, texts } = part;
  const [verb = '', target = ''] = part.operands(VALUED);
  if (name === 'npm' && (verb === 'exec' || verb === 'x')) return texts.some((text) => /^--(?:no|no-install|offline)$/.test(text)) ? [] : ['mayRunPackage'];
  if (name === 'go') return verb === 'run' && target.includes('@') ? ['runsPackage'] : [];
  // What follows the name is for the package.
  const own = texts.slice(0, texts.indexOf(verb));
  if (!RUNNERS.has(name) || verb === '' || own.some((text) => /^--(?:no|no-install|offline)$/.test(text))) return [];
  const fetches = name === 'pnpx' || name === 'uvx' || /.@|^https?:|^git\+/.test(verb) || own.some((text) => /^(?:-y|--yes|-p|--package(?:=.*)?)$/.test(text));
  return [fetches ? 'runsPackage' : 'mayRunPackage'];
}

const ADDRESS = /^(?:[\w.-]+\s*@\s*)?(?:(?:git\+)?(?:https?|ssh|git|ftp):\/\/|git@|github:|gitlab:|bitbucket:|gist:)/;
/** `user/repository`, which npm takes for a place on GitHub. */
const SHORT_ADDRESS = /^[\w][\w-]*\/[\w.-]+(?:#.*)?$/;
/** An option that names another registry. */
const OTHER_SOURCE = /^(?:-i|--index-url|--extra-index-url|--find-links|-f|--registry|--index|--default-index|--source)(?:=|$)/;

const JAVASCRIPT = /^(?:npm|pnpm|yarn|bun)$/;
const INSTALLS = /^(?:install|i|in|add|ci|update|upgrade)$/;
/** Package managers of the machine. */
const OF_SYSTEM: ReadonlySet<string> = new Set(['apt', 'apt-get', 'aptitude', 'dnf', 'yum', 'zypper', 'brew', 'port', 'snap', 'flatpak', 'choco', 'winget', 'scoop', 'nix-env']);
const ADDS = /^(?:install|reinstall|upgrade|full-upgrade|dist-upgrade|remove|purge|uninstall|autoremove|tap|rm|-i\w*|-e)$/;

function installs(part: Part): readonly RiskKind[] {
  const { name } = part;
  const operands = part.operands(VALUED);
  const [verb = ''] = operands;
  if (OF_SYSTEM.has(name)) return part.texts.some((text) => ADDS.test(text)) ? ['installsOutside'] : [];
  if (name === 'pacman') return part.texts.some((text) => /^-[SRU][a-z]*$/.test(text) && !/^-S[is]/.test(text)) ? ['installsOutside'] : [];
  if (name === 'apk') return ['add', 'del', 'upgrade'].includes(verb) ? ['installsOutside'] : [];
  const isPip = /^pip[\d.]*$/.test(name) || (name === 'uv' && (verb === 'pip' || verb === 'add'));
  if (!isPip && !JAVASCRIPT.test(name)) return otherInstalls(name, verb, part);
  if (!operands.slice(0, 2).some((text) => INSTALLS.test(text))) return [];
  const packages = operands.slice(1);
  const fromAddress = packages.some((text) => ADDRESS.test(text) || (JAVASCRIPT.test(name) && SHORT_ADDRESS.test(text))) || part.options.some((text) => OTHER_SOURCE.test(text) && (isPip || text.startsWith('--registry')));
  const isGlobal = JAVASCRIPT.test(name) && (part.options.some((text) => /^(?:-g|--global|--location=global)$/.test(text)) || verb === 'global');
  return [...(fromAddress ? ['installsFromNetwork' as const] : []), ...(isGlobal ? ['installsOutside' as const] : [])];
}

function otherInstalls(name: string, verb: string, part: Part): readonly RiskKind[] {
  if (name === 'cargo' && verb === 'install') return ['installsOutside'];
  if (name === 'go' && verb === 'install') return part.texts.some((text) => text.includes('@')) ? ['installsOutside'] : [];
  return name === 'gem' && verb === 'install' ? ['installsOutside'] : [];
}
