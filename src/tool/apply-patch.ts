import * as z from 'zod/mini';
import type { Tool } from '../domain/tool/tool.js';
import { OTHER_FORMS } from './calls/forms.js';
import { defineTool, filled, textResult } from './calls/define.js';
import { locateFile } from './calls/places.js';
import { planEdit } from './edit.js';
import { type WriteDeps, type WriteState, applyChange } from './editing/change-file.js';
import { readPatch } from './editing/patch.js';
import { rewriteChange } from './editing/rewrite.js';
import { planWrite } from './write.js';

const schema = z.strictObject({ patch: filled });

const spec = {
  name: 'apply_patch',
  description: 'Change or create one file with a patch; for several files send several calls in one answer.',
  parameters: {
    type: 'object',
    properties: {
      patch: {
        type: 'string',
        description: '*** Begin Patch, *** Update File: PATH or *** Add File: PATH, hunks of @@ and lines with " ", "-" or "+" before them, *** End Patch',
      },
    },
    required: ['patch'],
    additionalProperties: false,
  },
};

/** The tool that changes a file as `edit` does, in the form that some models are trained on; offered to them in its place. */
export function createApplyPatchTool(deps: WriteDeps): Tool {
  const tool = defineTool<z.infer<typeof schema>, WriteState>({
    spec,
    schema,
    forms: OTHER_FORMS.apply_patch,
    async plan({ patch }, context) {
      const asked = readPatch(patch);
      const location = await locateFile(deps.workspace, asked.path);
      return asked.kind === 'add' ? planWrite(deps, { location, content: asked.content }, context) : planEdit(deps, { location, edits: asked.edits });
    },
    rewrite: (shown, amendment, context) => rewriteChange(deps, { shown, amendment }, context),
    async execute(state, _plan, context) {
      return textResult(await applyChange(deps, state, context));
    },
  });
  return { ...tool, editing: 'patches' };
}
