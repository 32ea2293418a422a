import { canonicalName } from './canonical-name.js';

/** Folders that hold keys and access rights. */
const FOLDERS: ReadonlySet<string> = new Set(['.ssh', '.gnupg', '.aws', '.azure', '.kube']);

/** Folders of more than one level that do. */
const PLACES = ['.config/gcloud', '.config/gh', '.docker/config.json'];

/** Files that do. */
const FILES: ReadonlySet<string> = new Set(['.netrc', '_netrc', '.npmrc', '.pypirc', '.pgpass', '.git-credentials', '.htpasswd', '.dockercfg']);

/** Files of settings with secrets: `.env`, `.env.local`, `.envrc`, `prod.env`, but not what is made to be shown. */
const ENVIRONMENT = /^\.env(?:rc|[.\-_*].*)?$|\.env$/;
const SHOWN = /\.(?:example|sample|template)$/;

/** Private keys. */
const KEY = /\.(?:pem|key|p12|pfx|ppk|jks|keystore|kdbx)$|^id_(?:rsa|dsa|ecdsa|ed25519)(?!.*\.pub$)/;

/**
 * Whether a path leads to what commonly holds passwords or keys; names are compared as loosely as any file system does.
 * A pattern of a rule names such files when it does so itself: `.env*` and `~/.ssh/**` do, `**` does not.
 */
export function isSecret(path: string): boolean {
  const names = path.split(/[\\/]/).filter((name) => name !== '' && name !== '.').map(canonicalName);
  const file = names.at(-1) ?? '';
  const joined = `/${names.join('/')}/`;
  return (
    names.some((name) => FOLDERS.has(name)) ||
    PLACES.some((place) => joined.includes(`/${place}/`)) ||
    FILES.has(file) ||
    (ENVIRONMENT.test(file) && !SHOWN.test(file)) ||
    KEY.test(file)
  );
}
