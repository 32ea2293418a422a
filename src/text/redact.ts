/** Replacement for a credential. */
const REDACTED = '[redacted]';
/** The first and the last line of a private key. */
const KEY_EDGE = /-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** Body of a truncated private key: base64, with its line endings as such or escaped. */
const KEY_BODY = /[A-Za-z0-9+/=\s\\]*/y;
/** Characters from which on a known secret is one; shorter ones could be any word. */
const MIN_KNOWN = 8;

/**
 * A text with what looks like credentials replaced by `[redacted]`; every other character stays as it is. It takes time
 * in proportion to the text. For logs and exports; not for what the user decides on.
 * @param known secrets by their exact text, whatever they look like.
 */
export function redact(text: string, known: readonly string[] = []): string {
  const withoutKnown = known.filter(({ length }) => length >= MIN_KNOWN).reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
  return SECRET_PATTERNS.reduce(replacePattern, redactPrivateKeys(withoutKnown));
}

/** A text with the passwords and tokens in addresses and in headers replaced: what `git remote -v` and settings of Git show. */
export function redactAddresses(text: string): string {
  return ADDRESS_PATTERNS.reduce(replacePattern, text);
}

function replacePattern(text: string, { find, accept }: SecretPattern): string {
  return text.replace(find, (match: string, ...rest: unknown[]) => {
    const { before, after } = edgesOf(rest.at(-1));
    const secret = match.slice(before.length, match.length - after.length);
    return accept?.(secret) === false ? match : `${before}${REDACTED}${after}`;
  });
}

interface Edges {
  readonly before: string;
  readonly after: string;
}

/** The named groups are the last argument of a replacer, where the pattern has any. */
function edgesOf(groups: unknown): Edges {
  const { before = '', after = '' }: Partial<Edges> = typeof groups === 'object' && groups !== null ? groups : {};
  return { before, after };
}

/** Replaces the text between the first and the last line of each private key; without a last line, what could be part of it. */
function redactPrivateKeys(text: string): string {
  const edges = [...text.matchAll(KEY_EDGE)];
  let result = '';
  let copied = 0;
  edges.forEach((edge, index) => {
    const start = edge.index + edge[0].length;
    if (edge[1] !== 'BEGIN' || start < copied) return;
    const next = edges[index + 1];
    const end = next?.[1] === 'END' ? next.index : endOfBody(text, start);
    if (text.slice(start, end).trim() === '') return;
    result += `${text.slice(copied, start)}${REDACTED}`;
    copied = end;
  });
  return result + text.slice(copied);
}

function endOfBody(text: string, start: number): number {
  KEY_BODY.lastIndex = start;
  return start + (KEY_BODY.exec(text)?.[0].trimEnd().length ?? 0);
}

/** One way in which a credential looks. */
interface SecretPattern {
  /** Finds it; its groups `before` and `after`, where it has them, stay. Takes time in proportion to the text. */
  readonly find: RegExp;
  /** Says of the credential itself whether it is one, where the pattern alone says too little. */
  readonly accept?: (secret: string) => boolean;
}

/** Names that a credential is assigned to; what precedes them in a longer name does not matter. */
const NAMES =
  'passwords?|passwd|passphrase|pwd|secrets?|(?:access|auth|refresh|id|bearer|session)?[_-]?token|api[_-]?keys?|access[_-]?keys?|' +
  'secret[_-]?keys?|private[_-]?keys?|account[_-]?key|client[_-]?secret|credentials?|authorization';
/** Characters of a value without quotes: none that a shell, an address or a list gives a meaning. */
const BARE = String.raw`[^\s"'\`&;|<>()$,{}\[\]\\#]`;
/** The separator between a name, which may be quoted, and its value. */
const EQUALS = String.raw`["']?[ \t]{0,3}=[ \t]{0,3}`;
const COLON = String.raw`["']?[ \t]{0,3}:[ \t]{0,3}`;

const WITH_DIGIT = (secret: string): boolean => /\d/.test(secret);
/** Values that say nothing, and paths, which stay to be seen. */
const PLAIN_WORD = /^(?:true|false|null|undefined|none|nil|string|number|boolean|required|missing|invalid|bearer|basic)$/i;
const PATH = /^(?:\/|\.{1,2}\/|~|[A-Za-z]:$|file:)/;
const IS_VALUE = (secret: string): boolean => !PLAIN_WORD.test(secret) && !PATH.test(secret);
const IS_LONG_VALUE = (secret: string): boolean => secret.length >= 6 && IS_VALUE(secret);

/** Credentials in headers and in addresses. */
const ADDRESS_PATTERNS: readonly SecretPattern[] = [
  { find: new RegExp(String.raw`(?<before>\bauthorization["']?[ \t]{0,3}[:=][ \t]{0,3}["']?(?:bearer|basic|token|digest|negotiate)[ \t]{1,3})${BARE}+`, 'gi') },
  { find: /(?<before>\bbearer[ \t]{1,3})[A-Za-z0-9._~+/=-]{8,}/gi, accept: WITH_DIGIT },
  { find: /(?<before>:\/\/[^\s/:@"'<>]{0,100}:)[^\s/@"'<>[\]]{1,200}(?<after>@)/g },
  { find: /(?<before>:\/\/)[\w~%-]{20,200}(?<after>@)/g, accept: WITH_DIGIT },
];

/**
 * Patterns of credentials, the most certain first. None can begin in the middle of a word. A run that was looked at is not
 * looked at again from its middle, so that no text takes long.
 */
const SECRET_PATTERNS: readonly SecretPattern[] = [
  // Keys of services, recognized by their prefix.
  { find: /(?<![A-Za-z0-9])sk-[\w-]{16,}/g, accept: WITH_DIGIT },
  { find: /(?<![A-Za-z0-9])(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}/g },
  { find: /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{20,}/g },
  { find: /(?<![A-Za-z0-9])github_pat_\w{20,}/g },
  { find: /(?<![A-Za-z0-9])glpat-[\w-]{20,}/g, accept: WITH_DIGIT },
  { find: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g },
  { find: /(?<![A-Za-z0-9])(?:xox[abceoprs]|xapp)-[A-Za-z0-9-]{10,}/g, accept: WITH_DIGIT },
  { find: /(?<![A-Za-z0-9])AIza[\w-]{30,}/g },
  { find: /(?<![A-Za-z0-9])ya29\.[\w-]{20,}/g },
  { find: /(?<![A-Za-z0-9])(?:hf|gsk|npm|r8|dop_v1|lin_api)_[A-Za-z0-9]{20,}/g },
  { find: /(?<![A-Za-z0-9])(?:xai|pplx)-[A-Za-z0-9]{20,}/g },
  { find: /(?<![\w-])SG\.[\w-]{16,}\.[\w-]{16,}/g },
  { find: /(?<![A-Za-z0-9])pypi-[\w-]{16,}/g },
  // A signed token: two parts that begin as JSON does in base64, and the signature.
  { find: /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/g },
  ...ADDRESS_PATTERNS,
  { find: new RegExp(String.raw`(?<before>[?&](?:key|sig|signature|x-amz-signature|x-amz-credential|x-amz-security-token)=)${BARE}+`, 'gi') },
  // A line of .netrc.
  { find: /(?<before>\blogin[ \t]{1,3}\S{1,100}\s{1,3}password[ \t]{1,3})\S{1,200}/g },
  // Assignments, in quotes and without, and options of commands.
  { find: new RegExp(String.raw`(?<before>(?:${NAMES})(?:${EQUALS}|${COLON})")[^"\n\`$\\]{1,500}(?<after>")`, 'gi'), accept: IS_VALUE },
  { find: new RegExp(String.raw`(?<before>(?:${NAMES})(?:${EQUALS}|${COLON})')[^'\n\\]{1,500}(?<after>')`, 'gi'), accept: IS_VALUE },
  { find: new RegExp(`(?<before>(?:${NAMES})${EQUALS})${BARE}+`, 'gi'), accept: IS_VALUE },
  { find: new RegExp(`(?<before>(?:${NAMES})${COLON})${BARE}+`, 'gi'), accept: IS_LONG_VALUE },
  { find: new RegExp(String.raw`(?<before>--(?:${NAMES})[ \t]{1,3}["']?)(?!-)${BARE}+`, 'gi'), accept: IS_VALUE },
];

/** Variables of the environment whose values never get into the log, whatever they look like. */
const SECRET_VARIABLE = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/** Stored keys and secrets in the environment. The longest first, so that a secret that is a prefix of another does not leave the rest of it. */
export function secretsOf(keys: ReadonlySet<string>, environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  const values = Object.entries(environment).flatMap(([name, value]) => (value !== undefined && SECRET_VARIABLE.test(name) ? [value] : []));
  // A path says where a key is, not what it is.
  const inEnvironment = values.filter((value) => !/[\\/]/.test(value.slice(0, 3)));
  return [...new Set([...keys, ...inEnvironment])].sort((a, b) => b.length - a.length);
}
