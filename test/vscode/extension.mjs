/**
 * The extension that a workbench loads, and the address at which that workbench opens.
 */

/**
 * An extension:
 * - `development`: a folder, loaded by the address, with "[Extension Development Host]" in the title. VS Code then
 *   shows no notification toasts, because the server must run with its smoke test driver;
 * - `folder`: the same folder, linked into the server's extensions folder before it starts, as if installed;
 * - `vsix`: a package, installed by VS Code itself before the server starts.
 * @typedef {{ kind: 'development' | 'folder' | 'vsix', path: string }} Extension
 */

/**
 * What a workbench shows.
 * @typedef {object} WorkbenchTarget
 * @property {{ url: string, port: number, connectionToken?: string | undefined }} server
 * @property {string} [workspace] absolute path of a folder or of a `.code-workspace` file; an empty window when absent
 * @property {Extension} [extension] matters only if it is of kind `development`
 * @property {string} [testsPath] absolute path of a module whose `run()` the extension host executes
 */

/**
 * The address to open in a browser.
 * @param {WorkbenchTarget} target
 * @returns {string}
 */
export function workbenchUrl({ server, workspace, extension, testsPath }) {
  const url = new URL(server.url);
  if (server.connectionToken) url.searchParams.set('tkn', server.connectionToken);
  if (workspace) url.searchParams.set(workspace.endsWith('.code-workspace') ? 'workspace' : 'folder', workspace);
  /** @type {[string, string][]} */
  const payload = [];
  if (extension?.kind === 'development') payload.push(['extensionDevelopmentPath', remoteUri(server, extension.path)]);
  if (testsPath) payload.push(['extensionTestsPath', remoteUri(server, testsPath)]);
  if (payload.length > 0) url.searchParams.set('payload', JSON.stringify(payload));
  return url.href.replaceAll('%2F', '/').replaceAll('+', '%20');
}

/**
 * @param {{ port: number }} server
 * @param {string} path an absolute path
 * @returns {string} how the workbench names a file of the server
 */
function remoteUri({ port }, path) {
  return `vscode-remote://127.0.0.1:${port}${encodeURI(path)}`;
}
