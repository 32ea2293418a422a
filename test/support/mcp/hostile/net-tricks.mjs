import { text } from './behavior.mjs';

/**
 * Tricks with HTTP. What they do beside the messages is in `http.mjs`.
 * @typedef {object} NetTrick
 * @property {import('./behavior.mjs').Trick} [behavior] what it does with messages
 * @property {(origin: string) => Readonly<Record<string, unknown>>} [authorization] has users sign in, with these differences to an honest authorization server
 * @property {readonly string[]} [authorizationServers] in place of its own
 * @property {number} [status] that everything is answered with
 * @property {true} [redirects] to another origin
 * @property {true} [forgets] its session after a call
 * @property {true} [cuts] the answer to a call
 */

/** @param {string} authorization_endpoint @returns {NetTrick} */
const signInAt = (authorization_endpoint) => ({ authorization: () => ({ authorization_endpoint }) });

/** @type {Readonly<Record<string, NetTrick>>} */
export const NET_TRICKS = {
  'http-503': { status: 503 },
  'lost-session': { forgets: true },
  'cut-stream': { cuts: true, behavior: { call: ({ reply }) => reply(text('cut off')) } },
  'redirects-away': { redirects: true },
  'oauth-shell': signInAt('http://x/$(calc)'),
  'oauth-scheme': signInAt('a:b'),
  'oauth-script': signInAt('javascript:alert(1)'),
  'oauth-file': signInAt('file:///etc/passwd'),
  'oauth-unc': signInAt(String.raw`\\host\share`),
  'oauth-metadata-address': { authorization: () => ({}), authorizationServers: ['http://169.254.169.254/latest/meta-data'] },
  'oauth-no-pkce': { authorization: () => ({ code_challenge_methods_supported: ['plain'] }) },
};
