import { type Line, readsSecret } from './flows.js';
import type { RiskKind } from './kinds.js';
import type { Part } from './part.js';

/** Programs that send what they are given as an argument: also a name that is looked up leaves the machine. */
const SENDERS: ReadonlySet<string> = new Set([
  'curl',
  'wget',
  'wget2',
  'http',
  'https',
  'xh',
  'nc',
  'ncat',
  'netcat',
  'socat',
  'telnet',
  'ssh',
  'ping',
  'dig',
  'nslookup',
  'host',
  'mail',
  'mailx',
  'mutt',
  'sendmail',
]);

/** Risks of a command's network access. */
export function networkRisks(part: Part, line: Line): readonly RiskKind[] {
  const { command, name } = part;
  const sends = sendsFiles(part);
  const given = line.flowOfAll(command.expanded).secret || (sends && line.flowOfAll(command.input).secret);
  const secret = (SENDERS.has(name) && given) || (sends && (given || readsSecret(part)));
  return [
    ...(secret ? ['sendsSecrets' as const] : []),
    ...(sends ? ['sendsFiles' as const] : []),
    ...(opensShell(part) ? ['opensShell' as const] : []),
    ...(runsElsewhere(part) ? ['runsElsewhere' as const] : []),
  ];
}

/** Whether it sends what is in files, or what other commands print, to another machine. */
function sendsFiles(part: Part): boolean {
  const { name, texts, command } = part;
  const isGiven = command.input !== undefined || (command.files ?? []).some(({ kind, by }) => kind === 'read' && by === 'redirection');
  const last = part.operands().at(-1) ?? '';
  switch (name) {
    case 'curl':
      return curlSends(part);
    case 'wget':
    case 'wget2':
      return texts.some((text) => /^--(?:post|body)-file/.test(text));
    case 'http':
    case 'https':
    case 'xh':
      return isGiven || part.operands().some((text) => /^[\w-]*@./.test(text));
    case 'nc':
    case 'ncat':
    case 'netcat':
    case 'socat':
    case 'telnet':
    case 'ftp':
    case 'tftp':
    case 'sftp':
      return isGiven && !/^-\w*[lz]/.test(texts[0] ?? '');
    case 'mail':
    case 'mailx':
    case 'mutt':
    case 'sendmail':
    case 'ssh':
      return isGiven;
    case 'scp':
    case 'rsync':
    case 'rclone':
      return isRemote(last);
    default:
      return cloudSends(part, last);
  }
}

/** `host:path`, and addresses. */
function isRemote(target: string): boolean {
  return /^[^/\\]{2,}:|^(?:rsync|s?ftp|ssh):\/\//.test(target);
}

function cloudSends(part: Part, last: string): boolean {
  const [first = '', second = ''] = part.operands();
  if (part.name === 'gh') return first === 'gist' && second === 'create';
  const copies = (part.name === 'aws' && first === 's3') || part.name === 'gsutil' || (part.name === 'gcloud' && first === 'storage') || part.name === 's3cmd';
  return copies && /^(?:s3|gs):\/\//.test(last);
}

/** The options of curl, as far as they stand between its data and its addresses: curl(1). */
export const CURL = {
  letters: '#0123456afgGiIjJklLMnNOpqRsSvVZ',
  valued: 'AbcCdDeEFHhKmoPQrtTuUwxXyYz',
  long:
    'data= data-binary= data-raw= data-ascii= data-urlencode= json= form= form-string= upload-file= header= request= user= output= url= user-agent= referer= ' +
    'cookie= cookie-jar= max-time= connect-timeout= retry= retry-delay= write-out= cacert= cert= key= proxy= config= ' +
    'silent show-error fail fail-with-body location insecure include head get verbose compressed remote-name remote-header-name create-dirs ' +
    'http1.1 http2 no-progress-meter progress-bar ipv4 ipv6 retry-all-errors retry-connrefused no-buffer globoff',
};
const LOCAL = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|[\w-]+\.localhost)(?:[:/?#]|$)/i;
const FILE_VALUE: Readonly<Record<string, RegExp>> = {
  d: /^@/,
  data: /^@/,
  'data-binary': /^@/,
  'data-ascii': /^@/,
  json: /^@/,
  'data-urlencode': /^[^=]*@/,
  F: /=[@<]/,
  form: /=[@<]/,
  T: /./,
  'upload-file': /./,
};
const LOOKS_SENT = /^(?:-\w*[dF])?@|=[@<]|^-\w*T|^--(?:upload-file|data[\w-]*=@)/;

/** Whether curl sends a file or its input, and not only to this machine. */
function curlSends(part: Part): boolean {
  const parsed = part.parse(CURL);
  if (parsed === undefined) return part.texts.some((text) => LOOKS_SENT.test(text));
  const { options, operands } = parsed;
  const addresses = [...operands.map(({ text = '' }) => text), ...options.flatMap(({ name, value }) => (name === 'url' ? [textOf(value)] : []))];
  return options.some(({ name, value }) => FILE_VALUE[name]?.test(textOf(value)) === true) && !addresses.every((address) => LOCAL.test(address));
}

function textOf(value: { readonly text: string | undefined } | string | undefined): string {
  return typeof value === 'object' ? (value.text ?? '') : (value ?? '');
}

/** Whether it connects a shell to the network. */
function opensShell(part: Part): boolean {
  const { name, texts } = part;
  if (['nc', 'ncat', 'netcat'].includes(name)) return part.has({ letters: 'ec', valued: 'ipqswxXTW', long: ['exec', 'sh-exec', 'lua-exec'] });
  return name === 'socat' && texts.some((text) => /^(?:exec|system|shell):/i.test(text));
}

function runsElsewhere(part: Part): boolean {
  const valued = /^-\w*[bcDEeFIiJLlmOopQRSWw]$/;
  if (part.name === 'ssh') return part.operands(valued).length > 1;
  return ['mosh', 'pssh', 'pdsh', 'ansible'].includes(part.name) && part.operands().length > 0;
}
