import * as z from 'zod/mini';
import { assertNever } from '../domain/assert-never.js';
import { ToolInputError } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import type { Tool, ToolContext } from '../domain/tool/tool.js';
import { OTHER_FORMS } from './calls/forms.js';
import { type Unsettled, defineTool, filled, textResult } from './calls/define.js';
import { locateFile } from './calls/places.js';
import { planEdit } from './edit.js';
import { type WriteDeps, type WriteState, applyChange } from './editing/change-file.js';
import { type DeletionState, deletePlanned, planDeletion } from './editing/delete-file.js';
import { planMove } from './editing/move-file.js';
import { type FilePatch, readPatch } from './editing/patch.js';
import { rewriteChange } from './editing/rewrite.js';
import { planWrite } from './write.js';

const schema = z.strictObject({ patch: filled });

const spec = {
  name: 'apply_patch',
  description: 'Change, create, move or delete one file; for several send several calls in one answer.',
  parameters: {
    type: 'object',
    properties: {
      patch: {
        type: 'string',
        description: '*** Begin Patch, *** Update/Add/Delete File: PATH, *** Move to: PATH to move, hunks of @@ and lines after " ", "-" or "+", *** End Patch',
      },
    },
    required: ['patch'],
    additionalProperties: false,
  },
};

/** A planned patch: a file that is written, where it was or somewhere else, or one that is deleted. */
type PatchState = WriteState | DeletionState;

/** The tool that changes a file as `edit` does, in the form that some models are trained on; offered to them in its place. It also moves and deletes files. */
export function createApplyPatchTool(deps: WriteDeps): Tool {
  const tool = defineTool<z.infer<typeof schema>, PatchState>({
    spec,
    schema,
    forms: OTHER_FORMS.apply_patch,
    plan: ({ patch }, context) => planPatch(deps, readPatch(patch), context),
    rewrite: async (shown, amendment, context) => {
      if ('deletion' in shown) throw new ToolInputError(t('Only the text that this call writes can be edited.'));
      return rewriteChange(deps, { shown, amendment }, context);
    },
    async execute(state, _plan, context) {
      return textResult('deletion' in state ? await deletePlanned(deps, state, context) : await applyChange(deps, state, context));
    },
  });
  return { ...tool, editing: 'patches' };
}

async function planPatch(deps: WriteDeps, asked: FilePatch, context: ToolContext): Promise<Unsettled<PatchState>> {
  const location = await locateFile(deps.workspace, asked.path);
  switch (asked.kind) {
    case 'add':
      return planWrite(deps, { location, content: asked.content }, context);
    case 'update':
      return planEdit(deps, { location, edits: asked.edits });
    case 'move':
      return planMove(deps, { from: location, to: await locateFile(deps.workspace, asked.to), edits: asked.edits });
    case 'delete':
      return planDeletion(deps, location);
    default:
      return assertNever(asked);
  }
}
