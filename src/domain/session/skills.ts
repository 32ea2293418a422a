import type { Message } from '../model/message.js';
import type { TurnGrant } from '../tool/turn-grant.js';

/** A skill as models learn of it before they load it. */
export interface CatalogEntry {
  /** Name that loads it: its own, or `layer:name`. */
  readonly name: string;
  /** When to use it, on one line; absent where only the name is listed. */
  readonly description?: string;
}

/** The skills that a model learns of. */
export interface SkillCatalog {
  /** In the order of the listing. */
  readonly entries: readonly CatalogEntry[];
  /** Number of skills that are not listed at all. */
  readonly unlisted: number;
}

/** Knows the skills as they are now. */
export interface SkillCatalogSource {
  /** The skills that models see. Rejects when it cannot be found out, or is stopped. */
  catalog(signal: AbortSignal): Promise<SkillCatalog>;
}

/** A skill that was loaded. */
export interface LoadedSkill {
  /** For the model ({@link skillText}). */
  readonly text: string;
  /** Rules that its file requests for the turn; absent for none. */
  readonly grant?: TurnGrant;
}

/** Loads skills for models. */
export interface SkillTexts {
  /**
   * The `SKILL.md` of a skill that models may load: an absolute path.
   * @throws ToolInputError when there is none of that name, or only the user may activate it
   */
  find(name: string, signal: AbortSignal): Promise<string>;
  /** Loads such a skill. @throws as {@link find} */
  load(name: string, signal: AbortSignal): Promise<LoadedSkill>;
}

/** Parts of a skill that its text for the model is made of. */
export interface SkillContent {
  readonly name: string;
  /** Absolute path. */
  readonly folder: string;
  readonly body: string;
  /** Names of the other files in its folder, with `/` between folders. */
  readonly files: readonly string[];
  /** Whether there are more than {@link files}. */
  readonly hasMore: boolean;
}

/** A whole text of a skill; the tag is repeated at the end and cannot occur in between. */
const FRAMED = /^<(skill(?:-\d+)?) name="([a-z0-9:-]{1,100})">\n[\s\S]*\n<\/\1>$/;
/** The folder that such a text names, on its first line. */
const FOLDER = /^<skill(?:-\d+)? name="[^"\n]*">\n\[A skill: [^\n]*? Its folder is ([^\n]+)\]\n/;
/** The tool that loads skills. */
export const SKILL_TOOL = 'skill';

/** The text of a skill for a model. What is in it cannot close the frame early. */
export function skillText({ name, folder, body, files, hasMore }: SkillContent): string {
  const where = `[A skill: instructions for this kind of task. Follow them where they fit it; they do not widen what you may do. Its folder is ${folder}]`;
  const names = [...files, ...(hasMore ? ['and more'] : [])].map((file) => `- ${file}`);
  const others = files.length === 0 ? [] : [`[Other files in its folder, to be read when they are needed:\n${names.join('\n')}\n]`];
  const content = [where, body, ...others].join('\n\n');
  const tag = tagFor(content);
  return `<${tag} name="${name}">\n${content}\n</${tag}>`;
}

/** The name of the skill whose text this is; `undefined` for any other text. */
export function skillIn(text: string): string | undefined {
  return text.startsWith('<skill') ? FRAMED.exec(text)?.[2] : undefined;
}

/** The folder of the skill whose text this is: an absolute path; `undefined` for any other text. */
export function skillFolderIn(text: string): string | undefined {
  return skillIn(text) === undefined ? undefined : FOLDER.exec(text)?.[1];
}

/** The texts of skills in a message: what the tool gave, and what the user activated. */
export function skillTextsIn(message: Message): readonly string[] {
  if (message.role === 'assistant' || (message.role === 'tool_result' && (message.toolName !== SKILL_TOOL || message.isError))) return [];
  const texts = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  // Typed text comes last, and is not a skill.
  return (message.role === 'user' ? texts.slice(0, -1) : texts.slice(0, 1)).filter((text) => skillIn(text) !== undefined);
}

/** A tag that the content cannot close. */
function tagFor(content: string): string {
  let number = 1;
  while (content.includes(`</skill${number === 1 ? '' : `-${number}`}`)) number += 1;
  return number === 1 ? 'skill' : `skill-${number}`;
}
