import type { Texts } from '../domain/l10n.js';

/** A text about the address of a server, with how that is set. */
function andWhereItIs(text: string): string {
  const place = '“anthropic.baseUrl” or “providers” of ~/.gnomon/settings.json or --settings';
  return `${text} It is in the environment variable ANTHROPIC_BASE_URL or OPENAI_BASE_URL, or in ${place}.`;
}

/** What the texts for VS Code say that name its commands and settings, as it is true in a terminal; by those texts. */
export const TERMINAL_TEXTS: Texts = {
  'A proxy refused the connection to {0} ({1}). Check the setting http.proxy, then try again.': 'A proxy refused the connection to {0} ({1}).',
  'Add the user name and password to the setting http.proxy, as in http://name:password@host:port, or sign in to the proxy, then try again.':
    'Sign in to the proxy, then try again.',
  'Check the base URL and the setting http.proxy.': 'Check the base URL.',
  'Check the setting http.proxy and whether your proxy allows connections to this host, then try again.':
    'Check whether your proxy allows connections to this host, then try again.',
  'Check your network connection, the proxy, and the setting {0}, then try again.': andWhereItIs(
    'Check your network connection, the proxy, and the address, then try again.',
  ),
  'Check whether the base URL should start with http:// instead of https://, and check the setting http.proxy.':
    'Check whether the base URL should start with http:// instead of https://.',
  'Gnomon cannot reach {0} at {1}. Make sure that it is running, then try again. If it listens on a different host or port, correct the setting {2}.':
    'Gnomon cannot reach {0} at {1}. Make sure that it is running, then try again. If it listens on a different host or port, set its address in ' +
    '“providers” of ~/.gnomon/settings.json or --settings.',
  ['If your network inspects HTTPS traffic, install its root certificate on this computer and keep the setting http.systemCertificates enabled, ' +
  'or set the environment variable NODE_EXTRA_CA_CERTS to the certificate file, then restart VS Code. For a proxy’s certificate, see the settings ' +
  'http.proxy and http.proxyStrictSSL.']:
    'If your network inspects HTTPS traffic, set the environment variable NODE_EXTRA_CA_CERTS to the file of its root certificate.',
  'It has changed since you approved it. Run “Gnomon: Manage Hooks” to review it.':
    'It has changed since you approved it. Review it in VS Code with “Gnomon: Manage Hooks”.',
  'No API key is set for {0}. Run “Gnomon: Set API Key”, or set the environment variable {1} and restart VS Code.':
    'No API key is set for {0}. Set the environment variable {1}.',
  'No API key is set for {0}. Run “Gnomon: Set API Key”.': 'No API key is set for {0}.',
  'No folder is open, so there is no workspace to save the rule in. Save it for this chat or in your user settings.':
    'Rules cannot be kept in these settings here, so nothing was changed. Keep them for this session, or write them into a file such ' +
    'as ~/.gnomon/settings.json.',
  'No model is available. Run “Gnomon: Set API Key”, or choose a model with “Gnomon: Select Model”.':
    'No model is available. Set the environment variable of a provider’s key, such as ANTHROPIC_API_KEY, or choose a model with --model.',
  'The allow rules of this workspace need your approval. Run “Gnomon: Manage Permissions”, review them, and try again.':
    'The allow rules of this folder need your approval. Review them in VS Code with “Gnomon: Manage Permissions”, or give what is allowed with --allowedTools.',
  'The mode “{0}” cannot be set with an answer. Choose it in the chat first.':
    'The mode “{0}” cannot be set with an answer. Start the run with --allow-dangerously-skip-permissions for that.',
  'The variable {0} is not set in the environment of VS Code. Set it, and restart VS Code.': 'The variable {0} is not set in the environment.',
  'This workspace is not trusted, so rules cannot be saved in it. Trust the workspace first.':
    'This folder is not trusted, so no rules can be kept in it, and nothing was changed. Keep them for this session.',
  'Unknown command /{0}. Type /help for a list of commands. To send this as a message, put a space in front of it.':
    'Unknown command /{0}. To send this as a message, put a space in front of it.',
  '/{0} is a command of this workspace ({1}). It can be used once you trust the workspace.':
    'This folder is not trusted, so its command /{0} ({1}) is not used. If you trust it, add --trust-project.',
  'The cost limit of {0} that this chat shares with others has been reached (cost so far: {1}), so nothing was sent.':
    'The cost limit of {0} has been reached (cost so far: {1}), so nothing more was sent.',
  'The cost limit that this chat shares with others is {0}, but the cost so far is unknown, so nothing was sent.':
    'The cost limit is {0}, but the cost so far is unknown, so nothing more was sent.',
  'The cost limit that this chat shares with others is {0}, but the price of {1} is unknown, so nothing was sent.':
    'The cost limit is {0}, but the price of {1} is unknown, so nothing was sent.',
  '{0} did not return its list of models in time. Try again, or check the setting {1}.': andWhereItIs(
    '{0} did not return its list of models in time. Try again, or check its address.',
  ),
  '{0} does not recognize this model or URL{1}. Choose another model, or check the setting {2}.': andWhereItIs(
    '{0} does not recognize this model or URL{1}. Choose another model, or check the address.',
  ),
  '{0} has no default model. Run “Gnomon: Select Model” and select one of its models.': '{0} has no default model. Choose one of its models with --model.',
  '{0} rejected the API key{1}. Run “Gnomon: Set API Key” and enter a valid one.': '{0} rejected the API key{1}.',
  '{0} rejected the API key{2}. Run “Gnomon: Set API Key” and enter a valid one, or correct the environment variable {1} and restart VS Code.':
    '{0} rejected the API key{2}. Correct the environment variable {1}.',
  '“{0}” is not a valid base URL. It must start with https:// or http://. Correct the setting {1} (or ANTHROPIC_BASE_URL).': andWhereItIs(
    '“{0}” is not a valid base URL. It must start with https:// or http://.',
  ),
  '“{0}” is not a valid base URL. It must start with https:// or http://. Correct the setting {1}.': andWhereItIs(
    '“{0}” is not a valid base URL. It must start with https:// or http://.',
  ),
};
