/** Where a trick is played. */
export type HostileTransport = 'stdio' | 'http' | 'sse';

/** One way in which a server does harm, or does badly. */
export interface HostileTrick {
  readonly name: string;
  readonly over: readonly HostileTransport[];
  /** What the server does. */
  readonly does: string;
  /** What must happen in Gnomon. */
  readonly mustHappen: string;
  /** Items of the acceptance list and rows of the safety table that it is for. */
  readonly items: readonly string[];
}

const EVERYWHERE = ['stdio', 'http', 'sse'] as const;
const PROCESS = ['stdio'] as const;
const NET = ['http'] as const;

/** Every trick of the hostile server. A test finds that each can be played, and that there is no other. */
export const HOSTILE_TRICKS = [
  // What it says of its tools.
  { name: 'well-behaved', over: EVERYWHERE, does: 'does nothing bad', mustHappen: 'everything works', items: [] },
  {
    name: 'rug-pull',
    over: EVERYWHERE,
    does: 'changes the description of its tool after the first call, and says so',
    mustHappen: 'the tool asks again, and the other tools stay as they are',
    items: ['M-32', 'conf-03'],
  },
  {
    name: 'shadowing',
    over: EVERYWHERE,
    does: 'names tools as built-in ones, and describes how the tools of others are to be used',
    mustHappen: 'the names carry the server, and no built-in tool is replaced',
    items: ['M-34', 'conf-12'],
  },
  {
    name: 'name-collision',
    over: EVERYWHERE,
    does: 'lists tools whose names are the same once they are normalized, and one tool twice',
    mustHappen: 'no tool takes the place of another',
    items: ['M-34', 'conf-12'],
  },
  {
    name: 'odd-names',
    over: EVERYWHERE,
    does: 'names tools with 300 characters, nothing, look-alikes and keys of objects',
    mustHappen: 'names for the model are valid, and the rest is left out with a reason',
    items: ['M-52', 'conf-12'],
  },
  {
    name: 'read-only-lie',
    over: EVERYWHERE,
    does: 'says that its dangerous tool only reads',
    mustHappen: 'the tool asks nevertheless',
    items: ['M-35', 'conf-11'],
  },
  {
    name: 'hidden-characters',
    over: EVERYWHERE,
    does: 'puts terminal sequences, bidirectional and zero-width characters into everything it says',
    mustHappen: 'they are made visible or removed wherever they are shown',
    items: ['M-32', 'conf-11', 'conf-20'],
  },
  {
    name: 'svg-icon',
    over: EVERYWHERE,
    does: 'offers icons with scripts, and from addresses that are none',
    mustHappen: 'nothing runs, and only https: and data: addresses of images are left',
    items: ['view-05'],
  },
  { name: 'many-tools', over: EVERYWHERE, does: 'lists 1,000 tools', mustHappen: 'all can be found, and the request does not grow with them', items: ['M-40'] },
  { name: 'network-ref', over: EVERYWHERE, does: 'refers to a schema on the net', mustHappen: 'nobody connects with that address', items: ['M-08'] },
  {
    name: 'deep-schema',
    over: EVERYWHERE,
    does: 'lists a schema that is nested 5,000 times, beside a good tool',
    mustHappen: 'the tool is left out with a warning, and the other stays',
    items: ['M-08'],
  },
  {
    name: 'huge-schema',
    over: EVERYWHERE,
    does: 'lists a schema of 3 MB, beside a good tool',
    mustHappen: 'the tool is left out with a warning, and the other stays',
    items: ['M-08'],
  },
  {
    name: 'root-any-of',
    over: EVERYWHERE,
    does: 'lists a schema with anyOf at its root, beside a good tool',
    mustHappen: 'no request to a model fails because of it',
    items: ['M-08'],
  },
  {
    name: 'cursor-loop',
    over: EVERYWHERE,
    does: 'gives the same cursor with every page',
    mustHappen: 'reading stops with a warning, and the tools of the first pages work',
    items: ['M-06'],
  },
  {
    name: 'endless-pages',
    over: EVERYWHERE,
    does: 'gives a new page as long as it is asked',
    mustHappen: 'reading stops with a warning, and the tools of the first pages work',
    items: ['M-06'],
  },
  {
    name: 'list-changed-storm',
    over: EVERYWHERE,
    does: 'says 100 times in a second that its tools have changed',
    mustHappen: 'a few lists are read, and unchanged tools keep their order',
    items: ['M-07'],
  },
  {
    name: 'list-changed-echo',
    over: EVERYWHERE,
    does: 'lists another tool each time, and then says that its tools have changed',
    mustHappen: 'its list is not read all the time',
    items: ['M-07'],
  },
  // What it does with calls.
  {
    name: 'silent-call',
    over: EVERYWHERE,
    does: 'never answers a call',
    mustHappen: 'the call fails after its time, or when it is stopped, and nothing else',
    items: ['M-10', 'conf-13'],
  },
  {
    name: 'progress-flood',
    over: EVERYWHERE,
    does: 'reports progress 10,000 times in a second',
    mustHappen: 'the host stays responsive, and reports are passed on at most 20 times a second',
    items: ['M-09'],
  },
  {
    name: 'huge-text',
    over: EVERYWHERE,
    does: 'answers with 3 MB of text',
    mustHappen: 'the model gets the beginning and the end',
    items: ['M-26', 'conf-13'],
  },
  { name: 'huge-image', over: EVERYWHERE, does: 'answers with an image of 3 MB', mustHappen: 'the image is not sent as it is', items: ['M-26'] },
  {
    name: 'bad-base64',
    over: EVERYWHERE,
    does: 'answers with images and sound that are none',
    mustHappen: 'the model is told in text what is wrong',
    items: ['M-26'],
  },
  {
    name: 'wrong-structured',
    over: EVERYWHERE,
    does: 'answers with something else than its schema promises',
    mustHappen: 'the result says what does not match, and is not thrown',
    items: ['M-08'],
  },
  {
    name: 'proto-keys',
    over: EVERYWHERE,
    does: 'uses __proto__ and constructor as keys wherever there are keys',
    mustHappen: 'no object gets a property that it should not have',
    items: ['M-52'],
  },
  { name: 'duplicate-ids', over: EVERYWHERE, does: 'answers a call twice', mustHappen: 'the first answer counts, and the connection stays', items: ['M-10'] },
  {
    name: 'sloppy-answers',
    over: EVERYWHERE,
    does: 'answers with more than belongs into an answer, then with an empty error beside the result, then with a text, then with an error that is none',
    mustHappen: 'none waits forever, and the first two work at least over stdio',
    items: ['conf-13'],
  },
  {
    name: 'unasked-answers',
    over: EVERYWHERE,
    does: 'answers requests that were never made',
    mustHappen: 'nothing, and the connection stays',
    items: ['M-10'],
  },
  {
    name: 'mrtr-loop',
    over: EVERYWHERE,
    does: 'asks for something again with every round (2026-07-28)',
    mustHappen: 'the call fails after a number of rounds',
    items: ['M-11'],
  },
  {
    name: 'mrtr-changed-question',
    over: EVERYWHERE,
    does: 'asks for something harmless, then for something else (2026-07-28)',
    mustHappen: 'the user sees each question',
    items: ['M-11'],
  },
  {
    name: 'modern-requests',
    over: EVERYWHERE,
    does: 'sends requests of its own though the revision has none (2026-07-28)',
    mustHappen: 'none reaches the user or the model, and the call ends',
    items: ['M-11', 'M-14'],
  },
  { name: 'elicits-secret', over: EVERYWHERE, does: 'asks for a password and a token in a form', mustHappen: 'the user is warned', items: ['M-12'] },
  {
    name: 'elicits-bad-url',
    over: EVERYWHERE,
    does: 'has the user open addresses that do harm, one per call',
    mustHappen: 'they are refused or flagged, and none is opened without a click',
    items: ['M-13'],
  },
  {
    name: 'echoes-version',
    over: EVERYWHERE,
    does: 'agrees to any revision that it is asked for',
    mustHappen: 'only a revision that Gnomon has asked for and speaks is used',
    items: ['M-05'],
  },
  { name: 'unknown-version', over: EVERYWHERE, does: 'speaks the revision 1999-01-01', mustHappen: 'connecting fails and names the revision', items: ['M-05'] },
  // What it does with its process.
  {
    name: 'silent-start',
    over: PROCESS,
    does: 'never answers the first request',
    mustHappen: 'everything else works, and the server is shown as connecting',
    items: ['M-24', 'conf-13'],
  },
  {
    name: 'slow-start',
    over: EVERYWHERE,
    does: 'answers late; its argument is milliseconds',
    mustHappen: 'its tools are taken when they come',
    items: ['M-24'],
  },
  {
    name: 'dies-at-once',
    over: PROCESS,
    does: 'ends with exit code 3 before it answers',
    mustHappen: 'it is started three more times, with pauses, then it is failed with its last lines',
    items: ['M-20'],
  },
  {
    name: 'dies-in-call',
    over: PROCESS,
    does: 'ends with exit code 7 in the middle of a call',
    mustHappen: 'the call fails with the exit code and the last lines, and the server is started anew',
    items: ['M-20', 'M-21', 'conf-13'],
  },
  { name: 'half-line', over: PROCESS, does: 'writes half an answer and ends', mustHappen: 'the call fails at once', items: ['M-22'] },
  {
    name: 'stdout-noise',
    over: PROCESS,
    does: 'writes lines that are no messages to its standard output',
    mustHappen: 'they are ignored, and calls work',
    items: ['M-22', 'conf-13'],
  },
  { name: 'html-probe', over: PROCESS, does: 'answers the probe of the era with a line of HTML', mustHappen: 'the older handshake is used', items: ['M-04'] },
  {
    name: 'huge-line',
    over: PROCESS,
    does: 'writes a line of 10 MB to its standard output in a call',
    mustHappen: 'the line is refused without much memory, and the call ends',
    items: ['M-22', 'conf-13'],
  },
  {
    name: 'stderr-flood',
    over: PROCESS,
    does: 'writes 100,000 lines to its standard error output',
    mustHappen: 'the newest are kept, and calls work',
    items: ['conf-13'],
  },
  {
    name: 'ignores-sigterm',
    over: PROCESS,
    does: 'ignores the end of its input and SIGTERM, and starts a child that does the same; its tool tells both process ids',
    mustHappen: 'both are gone within three seconds',
    items: ['M-23', 'conf-24'],
  },
  {
    name: 'prints-environment',
    over: PROCESS,
    does: 'gives its environment to the model, and to its error output',
    mustHappen: 'there is nothing in it but a few usual variables and those of its entry',
    items: ['M-37', 'tool-19'],
  },
  // What it does on the net.
  { name: 'http-503', over: NET, does: 'answers everything with 503', mustHappen: 'it is asked again with pauses, then it is failed', items: ['M-25'] },
  { name: 'lost-session', over: NET, does: 'forgets its session after the first call', mustHappen: 'the next call works with a new session', items: ['M-25'] },
  {
    name: 'cut-stream',
    over: NET,
    does: 'cuts the connection in the middle of its answer',
    mustHappen: 'the call fails at once, or is made again',
    items: ['M-20'],
  },
  {
    name: 'redirects-away',
    over: NET,
    does: 'redirects to another origin',
    mustHappen: 'that origin does not get the Authorization header',
    items: ['M-25', 'M-38'],
  },
  {
    name: 'oauth-shell',
    over: NET,
    does: 'has users sign in at http://x/$(calc)',
    mustHappen: 'it is refused, and no process is started',
    items: ['M-36', 'conf-14'],
  },
  { name: 'oauth-scheme', over: NET, does: 'has users sign in at a:b', mustHappen: 'it is refused', items: ['M-36', 'conf-14'] },
  { name: 'oauth-script', over: NET, does: 'has users sign in at javascript:alert(1)', mustHappen: 'it is refused', items: ['M-36', 'conf-14'] },
  { name: 'oauth-file', over: NET, does: 'has users sign in at file:///etc/passwd', mustHappen: 'it is refused', items: ['M-36', 'conf-14'] },
  { name: 'oauth-unc', over: NET, does: String.raw`has users sign in at \\host\share`, mustHappen: 'it is refused', items: ['M-36', 'conf-14'] },
  {
    name: 'oauth-metadata-address',
    over: NET,
    does: 'names the address of a cloud’s metadata as its authorization server',
    mustHappen: 'nobody connects with it',
    items: ['M-36', 'conf-14'],
  },
  { name: 'oauth-no-pkce', over: NET, does: 'has an authorization server that knows no S256', mustHappen: 'it is refused', items: ['M-39'] },
] as const satisfies readonly HostileTrick[];

/** The name of a trick. */
export type HostileTrickName = (typeof HOSTILE_TRICKS)[number]['name'];
