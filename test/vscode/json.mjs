/**
 * Reading JSON without giving up types.
 */

/**
 * `JSON.parse` for callers that must then say what they expect.
 * @param {string} text
 * @returns {unknown}
 * @throws {SyntaxError} when the text is not JSON
 */
export function parseJson(text) {
  return JSON.parse(text);
}
