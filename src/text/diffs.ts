/** What is used of the library for differences, which is loaded when something is first compared: loaded by its own name, all of it would be shipped. */
export { diffArrays, formatPatch } from 'diff';
