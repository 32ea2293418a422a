import { readAgentFile } from '../../../../src/config/agents/read-agent.js';
import { readRoomodes } from '../../../../src/config/agents/read-roomodes.js';
import { readCommandFile } from '../../../../src/config/commands/read-command.js';
import { readHookFile } from '../../../../src/config/hooks/read-hook-file.js';
import { readOutputStyle } from '../../../../src/config/output-styles/read-output-style.js';
import { readPermissions } from '../../../../src/config/permissions/read-permissions.js';
import { readSettings } from '../../../../src/config/settings/read-settings.js';
import { readSkill } from '../../../../src/config/skills/read-skill.js';
import type { ConfigProblem, FieldReport } from '../../../../src/domain/config/problem.js';
import { handlerLine, type HookDefinition } from '../../../../src/domain/hook/definition.js';
import { readConfigFile, readDefinedServers } from '../../../../src/mcp/config/read-config.js';
import { readAgentFiles } from '../../../../src/node/config/agent-files.js';
import { readCommandFiles } from '../../../../src/node/config/command-files.js';
import { readLayerFiles } from '../../../../src/node/config/layer-files.js';
import type { MarkdownPlaces } from '../../../../src/node/config/markdown-files.js';
import { findSkills, readSkillFile } from '../../../../src/node/config/skill-files.js';
import { readStyleFiles } from '../../../../src/node/config/style-files.js';
import { readConfigFiles } from '../../../../src/node/mcp/config-files.js';
import type { Kind } from './corpus-case.js';

const never = new AbortController().signal;

/** What the readers of a kind make of the files in a workspace and a home folder. */
export type Given = Readonly<Record<string, unknown>>;

/** What became of a file, whatever it is. */
interface Outcome {
  readonly fields?: readonly FieldReport[];
  readonly problems: readonly ConfigProblem[];
  readonly skipped?: string | undefined;
}

/** Reads as the product does: the files are found in their folders, and each is read by the reader of its form. */
export const READERS: Readonly<Record<Exclude<Kind, 'rule'>, (places: MarkdownPlaces & { readonly home: string }) => Promise<readonly Given[]>>> = {
  agent: async (places) =>
    (await readAgentFiles(places, never)).flatMap((file): readonly Given[] => {
      if ('problem' in file) return [{ skipped: file.problem }];
      const { origin, form, text } = file;
      const reading = form === 'roo' ? readRoomodes(text, { origin }) : readAgentFile(text, { origin, dialect: form, readServers: readDefinedServers });
      const { agents, skipped, problems } = reading;
      const found = agents.map(({ systemPrompt, permissionMode, userInvocable, mcpServers, definedServers, hooks, ...rest }) => ({
        ...rest,
        tools: rest.allowedTools.join(' '),
        without: rest.disallowedTools.join(' '),
        text: systemPrompt,
        mode: permissionMode,
        shown: userInvocable,
        servers: mcpServers,
        defined: definedServers?.map(({ name }) => name),
        hooks: linesOfHooks(hooks),
        ...outcome({ fields: rest.fields, problems }),
      }));
      return [...found, ...skipped.map(({ why }) => outcome({ problems, skipped: why }))];
    }),
  command: async (places) =>
    (await readCommandFiles(places, never)).map((file): Given => {
      if ('problem' in file) return { skipped: file.problem };
      const { command, skipped, problems } = readCommandFile(file.text, file);
      const { hooks = [], fields = [], allowedTools, argumentHint, body, ...rest } = command ?? {};
      const came = outcome({ fields, problems, skipped: skipped?.why });
      return { ...rest, allowed: allowedTools, hint: argumentHint, text: body?.trim(), hooks: linesOfHooks(hooks), ...came };
    }),
  skill: async (places) => {
    const { places: found } = await findSkills(places, never);
    const files = await Promise.all(found.map((place) => readSkillFile(place, never)));
    return files.flatMap((file): readonly Given[] => {
      if (file === undefined || 'problem' in file) return [{ skipped: file?.problem }];
      const { skill, skipped, problems, conforms } = readSkill(file.text, file);
      const { hooks = [], fields = [], allowedTools, argumentHint, modelInvocable, userInvocable, ...rest } = skill ?? {};
      const came = { conforms, hooks: linesOfHooks(hooks), ...outcome({ fields, problems, skipped }) };
      return [{ ...rest, allowed: allowedTools, hint: argumentHint, byModel: modelInvocable, byUser: userInvocable, ...came }];
    });
  },
  'output style': async (places) =>
    (await readStyleFiles(places, never)).map((file): Given => {
      if ('problem' in file) return { skipped: file.problem };
      const { style, skipped, problems } = readOutputStyle(file.text, file);
      const { fields = [], keepsCodingInstructions, body, ...rest } = style ?? {};
      return { ...rest, text: body, keeps: keepsCodingInstructions, ...outcome({ fields, problems, skipped }) };
    }),
  hooks: async (places) =>
    (await readLayerFiles({ ...places, platform: 'linux' }, never)).map((file): Given => {
      if ('problem' in file) return { skipped: file.problem };
      const { definitions, problems, fields, disablesAll } = readHookFile(file.text, file.form, { origin: file.origin, platform: 'linux' });
      return { hooks: linesOfHooks(definitions), disablesAll, ...outcome({ fields, problems }) };
    }),
  settings: async (places) =>
    (await readLayerFiles({ ...places, platform: 'linux' }, never)).map((file): Given => {
      if ('problem' in file) return { skipped: file.problem };
      const { values, problems, isDamaged } = readSettings(file.text, file.origin);
      const { lists, damage } = readPermissions(file.text, file.origin.display);
      const byName = Object.fromEntries([...values].map(([name, { value }]) => [name, value]));
      return { layer: file.origin.layer, values: byName, ...lists, damaged: isDamaged || damage !== undefined, ...outcome({ problems }) };
    }),
  servers: async (places) =>
    (await readConfigFiles(places, never)).map((file): Given => {
      const { entries, problems, inputs } = readConfigFile(file, places.folders);
      return { servers: Object.fromEntries(entries.map(({ name, config }) => [name, config])), inputs: inputs.map(({ id }) => id), ...outcome({ problems }) };
    }),
};

function outcome({ fields = [], problems, skipped }: Outcome): Given {
  return {
    ignored: fields.filter(({ state }) => state === 'ignored').map(({ field }) => field),
    refused: fields.filter(({ state }) => state === 'refused').map(({ field }) => field),
    notes: problems.filter(({ harmless }) => harmless === true).length,
    problems: problems.filter(({ harmless }) => harmless !== true).map(({ message }) => message),
    ...(skipped === undefined ? {} : { skipped }),
  };
}

/** Each as `event matcher: what runs`. */
function linesOfHooks(hooks: readonly HookDefinition[]): readonly string[] {
  return hooks.map(({ event, matcher, handler, broken }) => {
    const runs = handlerLine(handler);
    return `${event}${matcher === undefined ? '' : ` ${matcher}`}: ${broken === undefined ? '' : 'never answers '}${runs}`;
  });
}
