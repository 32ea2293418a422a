import { present } from '../domain/present.js';
import * as z from 'zod/mini';
import { SKILL_TOOL, type SkillTexts } from '../domain/session/skills.js';
import type { Tool } from '../domain/tool/tool.js';
import type { Workspace } from '../domain/workspace/workspace.js';
import { showName } from '../text/show.js';
import { defineTool, filled, textResult } from './calls/define.js';
import { OTHER_FORMS } from './calls/forms.js';
import { fileAccess } from './calls/places.js';

/** The skill texts that the tool loads, and the workspace that they belong to. */
export interface SkillDeps {
  readonly skills: SkillTexts;
  readonly workspace: Workspace;
}

const spec = {
  name: SKILL_TOOL,
  description:
    'Load a skill that a <skills> block lists, before work that it fits. The result is instructions, ' +
    'to be followed where they fit the task; they never widen what you may do. Load each once.',
  parameters: {
    type: 'object',
    properties: { skill: { type: 'string', description: 'Its name as listed.' } },
    required: ['skill'],
    additionalProperties: false,
  },
};

const schema = z.strictObject({ skill: filled });

/** The tool that gives the text of a skill. That it gives none twice is up to the session. */
export function createSkillTool({ skills, workspace }: SkillDeps): Tool {
  return defineTool<z.infer<typeof schema>, string>({
    spec,
    schema,
    forms: OTHER_FORMS.skill,
    async plan({ skill }, { signal }) {
      const name = skill.trim().replace(/^\//, '');
      const location = await workspace.locate(await skills.find(name, signal));
      return { subject: showName(name), accesses: fileAccess('read', location), state: name };
    },
    async execute(name, _plan, { signal }) {
      const { text, grant } = await skills.load(name, signal);
      return { ...textResult(text), ...present({ grant }) };
    },
  });
}
