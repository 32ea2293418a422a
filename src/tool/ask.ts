import * as z from 'zod/mini';
import type { Question, QuestionAnswer, Questions } from '../domain/tool/interaction.js';
import type { Tool, ToolResult } from '../domain/tool/tool.js';
import { OTHER_FORMS } from './calls/forms.js';
import { defineTool, notedResult } from './calls/define.js';
import { showCommand } from '../text/show.js';

/** Characters of a question. */
const MAX_QUESTION_CHARACTERS = 2_000;
/** Characters of one choice. */
const MAX_CHOICE_CHARACTERS = 200;
const MIN_CHOICES = 2;
const MAX_CHOICES = 6;

const question = words(MAX_QUESTION_CHARACTERS);
const choices = z.array(words(MAX_CHOICE_CHARACTERS)).check(
  z.refine((list) => list.length === 0 || (list.length >= MIN_CHOICES && list.length <= MAX_CHOICES), `must be ${MIN_CHOICES} to ${MAX_CHOICES} choices`),
  // Choices must differ to the eye.
  z.refine((list) => new Set(list.map((choice) => choice.trim())).size === list.length, 'must all be different'),
);
const schema = z.strictObject({ question, choices: z.optional(choices), multiple: z.optional(z.boolean()) });
type Args = z.infer<typeof schema>;

const spec = {
  name: 'ask',
  description: 'Ask the user what you cannot find out. They can also answer freely.',
  parameters: {
    type: 'object',
    properties: {
      question: { type: 'string', description: 'One question' },
      choices: { type: 'array', items: { type: 'string' }, description: `${MIN_CHOICES} to ${MAX_CHOICES}, or none` },
      multiple: { type: 'boolean', description: 'Several may be chosen' },
    },
    required: ['question'],
    additionalProperties: false,
  },
};

/** The tool that asks the user and waits for the answer. */
export function createAskTool({ questions }: { readonly questions: Questions }): Tool {
  return defineTool<Args, Question>({
    spec,
    schema,
    forms: OTHER_FORMS.ask,
    plan(args) {
      const asked: Question = { ...args, choices: args.choices ?? [], multiple: args.multiple === true };
      return Promise.resolve({
        subject: showCommand(asked.question),
        accesses: [{ kind: 'interact', target: 'chat' }],
        preview: { kind: 'question', question: asked },
        state: asked,
      });
    },
    async execute(asked, _plan, context) {
      return answerResult(await questions.ask(context.callId, asked, context.signal));
    },
  });
}

/** A text that says something, of limited length. */
function words(limit: number): z.ZodMiniString {
  return z.string().check(
    z.refine((text) => text.trim() !== '', 'must not be empty'),
    z.refine((text) => text.length <= limit, `must be at most ${limit} characters`),
  );
}

function answerResult(answer: QuestionAnswer): ToolResult {
  if (answer.type === 'dismissed') {
    return notedResult(['The user does not want to answer. Go on with your best judgment, or stop and say what you need to know.'], { kind: 'not_answered' });
  }
  const text = answer.text?.trim() ?? '';
  const parts = [
    ...(answer.choices.length === 0 ? [] : [`The user chose: ${answer.choices.map((choice) => `“${choice}”`).join(', ')}.`]),
    ...(text === '' ? [] : [`The user wrote: ${text}`]),
  ];
  const chosen = { kind: 'answered', chosen: answer.choices } as const;
  return notedResult(parts.length === 0 ? ['The user chose none of them.'] : parts, text === '' ? chosen : { ...chosen, wrote: text });
}
