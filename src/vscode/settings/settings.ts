import { UserSettings } from '../../customization/user-settings.js';
import { vscodeSettings } from './vscode-settings.js';

/** The user's settings in this window. */
export const settings = new UserSettings(vscodeSettings);
