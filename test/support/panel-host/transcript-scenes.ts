import type { ViewState } from '../../../src/protocol/view-state.js';
import { answerWith, call, state, user } from './scene-parts.js';

/** A block of code for each of some languages. */
const CODE = `Here is the fix in \`src/median.js:3\`, see also [the test](test/median.test.js) and src/index.js:4. Not there: src/gone.js.

\`\`\`ts src/median.ts
/** The middle of a list of numbers.
 * Nothing is changed. */
export function median(numbers: readonly number[]): number | undefined {
  const sorted = [...numbers].sort((a, b) => a - b); // as numbers
  if (sorted.length === 0) return undefined;
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
\`\`\`

\`\`\`python
@dataclass
class Point:
    """A place."""
    x: float = 1.5
    def norm(self) -> float:
        return math.sqrt(self.x ** 2)  # length
\`\`\`

\`\`\`json
{ "name": "gnomon", "version": 1, "private": true, "list": [null, -1.5e3] }
\`\`\`

\`\`\`bash
for file in *.ts; do echo "$file" | grep -v 'test' && rm -f "$file"; done
\`\`\`

\`\`\`html
<!-- A page -->
<a href="https://example.com" class="link">Text &amp; more</a>
\`\`\`

\`\`\`css
.code-block > pre { color: #ff0000; margin: 0 4px; } /* red */
\`\`\`

\`\`\`diff
-const sorted = numbers.sort();
+const sorted = [...numbers].sort((a, b) => a - b);
\`\`\`

\`\`\`
No language at all
\`\`\`

- [x] Sort as numbers
- [ ] Handle an even count

$$\\int_0^1 x^2\\,dx$$
`;

const usage = { inputTokens: 1_204, outputTokens: 380, cacheReadTokens: 9_800, cacheWriteTokens: 0 };
const facts = { model: 'anthropic/claude-sonnet-4-5', rounds: 4, usage, costUsd: 0.0214, durationMs: 18_200 };
const reads = ['src/median.js', 'src/index.js', 'test/median.test.js'].map((subject) => call({ name: 'read', subject, output: `The content of ${subject}` }));
const searches = ['median', 'sort\\('].map((subject) => call({ name: 'grep', subject, output: `src/index.js: ${subject}` }));

/** A conversation with all that can be in one. */
export const richConversation: ViewState = state(
  [
    { ...user('What is wrong with median?', 'u0', ['Image 1', 'src/a.ts:10-20']), imageCount: 1 } as ViewState['items'][number],
    answerWith(
      [
        { type: 'thinking', text: 'The person wants to know what is wrong.', done: true, ms: 12_300 },
        ...reads,
        ...searches,
        { type: 'text', text: 'It sorts its numbers **as text**.' },
        call({ name: 'read', subject: 'shot.png', images: 2 }),
        call({ name: 'bash', subject: 'npm test', status: 'failed', output: 'needle in an output', problem: 'The command ended with status 1.' }),
      ],
      { id: 'a1', facts, summary: '4 rounds · 18.2 s · 11,384 tokens · $0.02' },
    ),
    user('Fix it', 'u9'),
    answerWith([{ type: 'text', text: CODE }], { id: 'a10', facts: { rounds: 1, usage } }),
  ],
  { parent: { id: 'parent', title: 'The first try at the median' } },
);
