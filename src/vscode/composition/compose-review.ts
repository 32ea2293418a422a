import * as vscode from 'vscode';
import { createNodeFileLayer } from '../../node/files/node-file-layer.js';
import type { ColorChoice } from '../edits/change-marks.js';
import { type Review, createReview } from '../edits/create-review.js';
import { settings, vscodeSettings } from '../settings/vscode-settings.js';
import type { Host } from './host.js';
import { storageIn } from './pending-review.js';

/** Builds what knows the changes of the agent in this workspace, and the ways back. It needs nothing else of the extension. */
export function composeReview({ context, log, proposalFiles }: Pick<Host, 'context' | 'log' | 'proposalFiles'>): Review {
  const review = createReview({ storage: storageIn(context), files: createNodeFileLayer(), log, proposalFiles, colors });
  context.subscriptions.push(review);
  return review;
}

const colors: ColorChoice = {
  wanted: settings.colorChanges,
  onDidChange: (listener) => new vscode.Disposable(vscodeSettings.onDidChange('gnomon.colorChanges', listener)),
};
