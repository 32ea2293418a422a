/**
 * The settings files of a server's data folder.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseJson } from './json.mjs';

/** @typedef {Readonly<Record<string, unknown>>} Settings Settings by their full name. */

/**
 * What makes a workbench quiet and the same every time.
 * @type {Settings}
 */
const QUIET_SETTINGS = Object.freeze({
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  // A click on the icon of a view that VS Code has just shown by itself would hide it again.
  'workbench.activityBar.iconClickBehavior': 'focus',
  'workbench.colorTheme': 'Default Dark Modern',
  'workbench.tips.enabled': false,
  // A tooltip, which VS Code shows by itself, takes the next press of Escape from what is open.
  'workbench.hover.delay': 600_000,
  'extensions.ignoreRecommendations': true,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  // Otherwise npm is run for the types of what a workspace uses.
  'typescript.disableAutomaticTypeAcquisition': true,
  // A second server for the time in which the first one loads a project: those of tests have a few files.
  'typescript.tsserver.useSyntaxServer': 'never',
  'update.mode': 'none',
  'telemetry.telemetryLevel': 'off',
  'git.openRepositoryInParentFolders': 'never',
  'files.autoSave': 'off',
  // What moves without a reason is drawn again and again, by the processor.
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
  'terminal.integrated.cursorBlinking': false,
  'editor.minimap.enabled': false,
});

/**
 * Writes the settings of a server. The first time {@link QUIET_SETTINGS} are written too; later what is already there
 * stays, so that settings changed in the workbench survive a restart.
 * @param {string} dataDir the server's data folder
 * @param {{ settings?: Settings, userSettings?: Settings }} given `settings` for the machine and the user;
 *   `userSettings` for the user only. Settings of scope `application` count in the user's file only
 * @returns {Promise<void>}
 * @throws {SyntaxError} when a settings file that is there is not JSON
 */
export async function writeSettings(dataDir, { settings = {}, userSettings = {} }) {
  await mergeInto(join(dataDir, 'data', 'Machine', 'settings.json'), settings);
  await mergeInto(join(dataDir, 'data', 'User', 'settings.json'), { ...settings, ...userSettings });
}

/**
 * @param {string} file
 * @param {Settings} changes
 */
async function mergeInto(file, changes) {
  const text = existsSync(file) ? await readFile(file, 'utf8') : undefined;
  const present = text === undefined ? QUIET_SETTINGS : /** @type {Settings} */ (parseJson(text));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify({ ...present, ...changes }, undefined, 2)}\n`);
}
