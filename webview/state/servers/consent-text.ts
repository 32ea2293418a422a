import type { ServerConsent } from '../../../src/protocol/servers.js';

/** All that is approved, as one text, to look for what hides in it. */
export function consentText(consent: ServerConsent): string {
  const { command, args = [], cwd, env = [], envFile, url, headers = [], clientId, scopes = [], scripts, changes } = consent;
  const single = [command, cwd, envFile, url, clientId].filter((text) => text !== undefined);
  // A carriage return before the line feed is part of a line's end and not shown.
  const differences = changes.map(({ diff }) => diff.replaceAll('\r\n', '\n'));
  return [...single, ...args, ...env, ...headers, ...scopes, ...scripts, ...differences].join('\n');
}
