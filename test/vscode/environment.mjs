/**
 * The environment that a test's VS Code runs in: nothing of the person's own that could change what a test sees.
 */
import { join } from 'node:path';

/** What is taken over: where programs are, language and time, and how to reach the network. */
const INHERITED = /^(PATH|LANG|LANGUAGE|LC_\w+|TZ|TERM|SHELL|USER|LOGNAME|TMPDIR|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS|(HTTPS?|NO)_PROXY)$/i;

/** A marketplace without an address: the workbench then asks none. */
const NO_GALLERY = '{}';

/**
 * Builds the environment of a server process. Keys, tokens and the person's home folder are not in it.
 * @param {string} dataDir the server's data folder; the home folder lies in it
 * @param {NodeJS.ProcessEnv} [extra] what the test adds; wins
 * @returns {NodeJS.ProcessEnv}
 */
export function serverEnvironment(dataDir, extra = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => INHERITED.test(name));
  return { ...Object.fromEntries(inherited), HOME: join(dataDir, 'home'), EXTENSIONS_GALLERY: NO_GALLERY, ...extra };
}
