import * as vscode from 'vscode';
import { parseTexts, useTexts } from '../../domain/l10n.js';

// The entry of the extension and what is loaded behind it are bundles of their own: each has its own texts. The build puts
// this in front of both. VS Code has the texts of its language at hand, and none when that is English or one without a translation.
useTexts(parseTexts(vscode.l10n.bundle), vscode.env.language);
