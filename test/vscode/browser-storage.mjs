/**
 * What a workbench keeps in its browser: the layout, and the mementos (`globalState`, `workspaceState`) of extensions.
 * VS Code writes them with a delay and cannot catch up when the page closes, as the desktop one does. A test that
 * closes and opens again therefore waits until what it counts on is stored:
 *
 *     const stored = async () => (await storedMementos(page, 'gnomon.gnomon')).includes('"count":1');
 *     await waitFor(stored, { what: 'the stored count', timeoutMs: 10_000 });
 */

/**
 * Reads an extension's mementos as they are stored, not as the extension sees them.
 * @param {import('playwright-core').Page} page with a workbench
 * @param {string} extensionId such as "gnomon.gnomon"
 * @returns {Promise<string>} a line of JSON for `globalState` and for each workspace's `workspaceState`, in no fixed order
 */
export function storedMementos(page, extensionId) {
  return page.evaluate(readMementos, extensionId);
}

/**
 * Runs inside the page.
 * @param {string} key
 * @returns {Promise<string>}
 */
async function readMementos(key) {
  /**
   * @template T
   * @param {IDBRequest<T>} request
   * @returns {Promise<T>}
   */
  const settle = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('IndexedDB failed'));
    });
  const names = (await globalThis.indexedDB.databases()).map(({ name = '' }) => name);
  const values = [];
  for (const name of names.filter((each) => each.startsWith('vscode-web-state-db-'))) {
    const database = await settle(globalThis.indexedDB.open(name));
    if (database.objectStoreNames.contains('ItemTable')) {
      values.push(await settle(database.transaction('ItemTable').objectStore('ItemTable').get(key)));
    }
    database.close();
  }
  return values.filter((value) => typeof value === 'string').join('\n');
}
