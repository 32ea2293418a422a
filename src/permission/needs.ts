import { present } from '../domain/present.js';
import { escapeHidden } from '../domain/hidden-characters.js';
import type { Call, Need } from './call.js';
import { assertNever } from '../domain/assert-never.js';
import { t } from '../domain/l10n.js';
import { ruleOfUse } from '../domain/tool/model-use.js';
import type { Access, ForeignCode } from '../domain/tool/tool.js';
import { hiddenCautions } from './cautions.js';
import { commandNeeds } from './command-needs.js';
import { changeWords, fileNeeds, namesSecret, pathRule } from './files/file-needs.js';
import { hostFits, hostOf } from './rules/host-pattern.js';
import { fitsPath, pathInFolder } from './rules/path-pattern.js';
import type { RuleSet } from './rules/rule-set.js';
import { nameOf } from './rules/rule-labels.js';
import { isToolCalled } from './rules/rule.js';

/** So many files are named in a question. */
const MAX_NAMED = 10;

/** Needs for stored files with possible passwords or keys that Git would show. It asks in every mode, as reading the files does. */
function storedNeeds({ command, bases }: Call, rules: RuleSet): readonly Need[] {
  const { secrets = [], added = [], undecided = false } = command?.stored ?? {};
  const naming = rules.of('allow').filter(namesSecret);
  const known = [...added, ...secrets].map((path): Need => {
    const rule = naming.find((active) => active.path === undefined || fitsPath(active.path, path, bases));
    const proposal = pathRule('Read', { path, below: false }, bases);
    const name = escapeHidden(pathInFolder(path, bases));
    const reason = added.includes(path)
      ? t('It would add {0} to Git, which may contain passwords or keys.', name)
      : t('It shows versions of {0} that Git has stored, which may contain passwords or keys.', name);
    return { kind: 'secret', reason, ...present({ by: rule?.source, proposal }) };
  });
  const open = known.filter(({ by }) => by === undefined);
  const named = [...known.filter(({ by }) => by !== undefined), ...open.slice(0, MAX_NAMED)];
  const more = open.length > MAX_NAMED ? [{ kind: 'secret' as const, reason: t('It shows versions of more such files: {0}.', open.length - MAX_NAMED) }] : [];
  if (!undecided) return [...named, ...more];
  return [
    ...named,
    ...more,
    { kind: 'secret', reason: t('It could not be determined in time whether Git would show files that may contain passwords or keys.') },
  ];
}

/** All that needs approval in a call. Reading in the workspace and commands that only read need none. */
export function findNeeds(call: Call, rules: RuleSet): readonly Need[] {
  const { plan } = call;
  const safety = hiddenCautions(plan).map((reason): Need => ({ kind: 'safety', reason }));
  const ofTool = rules.of('allow').find(({ rule }) => rule.about === 'tool' && isToolCalled(rule, plan.tool, plan.subject))?.source;
  const own = [
    ...fileNeeds(call, rules),
    ...commandNeeds(call, rules),
    ...storedNeeds(call, rules),
    ...networkNeeds(call, rules),
    ...agentNeeds(call, rules),
    ...unknownNeeds(call),
  ];
  const covered = own.map((need) => (need.kind === 'ordinary' && need.by === undefined && ofTool !== undefined ? { ...need, by: ofTool } : need));
  return [...safety, ...covered];
}

function networkNeeds({ plan }: Call, rules: RuleSet): readonly Need[] {
  return plan.accesses.flatMap(({ kind, target }): readonly Need[] => {
    if (kind !== 'network') return [];
    const host = hostOf(target);
    // Rules that allow web pages do not allow to send words to a search.
    if (plan.preview.kind === 'search')
      return [{ kind: 'ordinary', reason: t('It sends the query to {0}.', nameOf(plan.preview.service)), plain: true, proposal: 'WebSearch' }];
    const by = rules
      .of('allow')
      .find(({ rule }) => rule.about === 'web' && (rule.pattern === undefined || (host !== undefined && hostFits(rule.pattern, host))));
    const reason = host === undefined ? t('It connects to the network.') : t('It connects to {0}.', nameOf(host));
    return [
      {
        kind: 'ordinary',
        reason,
        ...(host === undefined ? {} : { plain: true }),
        ...present({ by: by?.source }),
        ...(host === undefined ? {} : { proposal: `WebFetch(domain:${host})` }),
      },
    ];
  });
}

/** An agent with a model of its own may cost more, and sends what it reads to another provider; a large worktree can fill the disk. */
function agentNeeds({ plan }: Call, rules: RuleSet): readonly Need[] {
  return plan.accesses.flatMap(({ kind, target, model, uses, room }): readonly Need[] => {
    if (kind !== 'spawn') return [];
    const whole = `Agent(${target})`;
    // An approval of the model says nothing about the disk: where both are asked about, only a rule for the agent covers both.
    const approval = uses === undefined ? undefined : ruleOfUse(uses);
    const by = rules.of('allow').find(({ source }) => source.text === approval)?.source;
    const proposal = room === undefined ? (approval ?? whole) : whole;
    return [
      ...(model === undefined
        ? []
        : [{ kind: 'ordinary' as const, reason: t('It works with another model: {0}.', nameOf(model)), proposal, ...present({ by }) }]),
      ...(room === undefined ? [] : [{ kind: 'ordinary' as const, reason: t('Its worktree takes {0} on the disk.', nameOf(room)), proposal: whole }]),
    ];
  });
}

/** A plan that names nothing it touches is not known to be harmless. */
function unknownNeeds({ plan }: Call): readonly Need[] {
  const { foreign, tool } = plan;
  if (foreign !== undefined) return foreignNeeds(foreign, tool);
  if (plan.accesses.length > 0) return [];
  const proposal = tool.startsWith('mcp__') ? { proposal: tool } : {};
  return [{ kind: 'ordinary', reason: t('Its effects are unknown.'), ...proposal }];
}

/** Rules were made for the tool that the user knew; when it describes itself otherwise by now, none of them lifts the question. */
function foreignNeeds({ kind, by, changed }: ForeignCode, tool: string): readonly Need[] {
  const name = nameOf(by);
  if (kind === 'editor') return [{ kind: 'ordinary', reason: t('It runs code of VS Code or of another extension. Its effects are unknown.'), proposal: tool }];
  if (kind === 'extension') return [{ kind: 'ordinary', reason: t('It runs code of the extension {0}. Its effects are unknown.', name), proposal: tool }];
  const runs: Need = { kind: 'ordinary', reason: t('It runs code of the MCP server {0}. Its effects are unknown.', name), proposal: tool };
  return changed === true
    ? [{ kind: 'safety', reason: t('The MCP server {0} has changed the description of this tool since you accepted it.', name) }, runs]
    : [runs];
}

/** Effects of a plan, as sentences. */
export function sentencesFor(accesses: readonly Access[]): readonly string[] {
  const told = accesses.filter(({ only }) => only === undefined);
  return told.length === 0 ? [t('Its effects are unknown.')] : [...new Set(told.map(sentenceFor))];
}

function sentenceFor({ kind, removal }: Access): string {
  switch (kind) {
    case 'read':
      return t('It reads files.');
    case 'write':
      return changeWords(removal);
    case 'execute':
      return t('It runs a command.');
    case 'network':
      return t('It connects to the network.');
    case 'interact':
      return t('It interacts with you in the chat.');
    case 'spawn':
      return t('It has another agent work on this.');
    default:
      return assertNever(kind);
  }
}
