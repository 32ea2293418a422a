import type { ConfigOrigin } from '../../../../src/domain/config/origin.js';
import { hookText } from '../../../../src/hook/identity.js';
import { planCatalog } from '../../../../src/config/skills/catalog.js';
import { chooseSkills } from '../../../../src/config/skills/choose.js';
import type { Skill } from '../../../../src/domain/config/skill.js';
import type { LayerFile } from '../../../../src/node/config/layer-files.js';
import type { Report, ReportSection } from '../../../../src/chat/configuration/report.js';
import type { ListedHook } from '../../../../src/customization/hooks/hook-approvals.js';
import type { ListedEntry } from '../../../../src/consent/rules/settings-rule-book.js';
import type { SkillsFound } from '../../../../src/customization/skills.js';
import { definitionOf } from '../../../support/hook-rig.js';

/** A place in a file of this workspace. */
export function inWorkspace(display: string, line?: number): ConfigOrigin {
  return { layer: 'project', file: `/ws/${display}`, display, folder: '/ws', ...(line === undefined ? {} : { line }) };
}

/** A settings file of the workspace. */
export function settingsFile(content: unknown): LayerFile {
  return {
    origin: inWorkspace('.claude/settings.json'),
    form: 'settings',
    text: typeof content === 'string' ? content : JSON.stringify(content, undefined, 2),
  };
}

/** A rule as the rule book lists it. */
export function entry(text: string, over: Partial<ListedEntry> = {}): ListedEntry {
  const source = {
    place: 'file',
    id: 'file:///ws/.claude/settings.json',
    label: '.claude/settings.json',
    lists: { allow: undefined, ask: undefined, deny: undefined },
  } as const;
  return { source, rule: { effect: 'deny', text, scope: 'workspace' }, written: text, problems: [], state: 'holds', ...over };
}

/** A hook of the workspace as it is listed. */
export function listedHook(name: string, over: Partial<ListedHook> = {}, more: Parameters<typeof definitionOf>[0]['more'] = {}): ListedHook {
  const hook = definitionOf({ event: 'PreToolUse', name, more: { origin: inWorkspace('.claude/settings.json', 7), ...more } });
  return { hook, text: hookText(hook), notBound: [], standing: { state: 'new' }, needsApproval: true, ...over };
}

/** What is found of skills. */
export function skillsOf(skills: readonly Partial<Skill>[], pinned: readonly string[] = []): SkillsFound {
  const whole = skills.map(({ name = 'a', ...more }): Skill => ({
    name,
    description: `Does ${name}.`,
    origin: inWorkspace(`.claude/skills/${name}/SKILL.md`),
    folder: `/ws/.claude/skills/${name}`,
    allowedTools: [],
    modelInvocable: true,
    userInvocable: true,
    argumentNames: [],
    hooks: [],
    fields: [],
    ...more,
  }));
  const choice = chooseSkills(whole);
  return { choice, plan: planCatalog(choice.skills, new Set(pinned)), skipped: [], problems: choice.problems, grants: new Map() };
}

/** A report of some sections. */
export function reportOf(...sections: readonly ReportSection[]): Report {
  return {
    trusted: true,
    sections,
    folders: [
      { path: '/ws/', short: '' },
      { path: '/home/ada/', short: '~/' },
    ],
  };
}
