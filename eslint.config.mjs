import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';

// The parser gives TypeScript the components in the form in which they are linted, from the beginning. Otherwise, each is a change that makes the
// types of all be found out anew, and the properties of components that others use have no types. It looks when it is loaded.
process.env['SVELTE_ESLINT_PARSER_EXPERIMENTAL_TS_SYS_HOOK'] = '1';
const { default: svelte } = await import('eslint-plugin-svelte');

/** Components only: everything else is linted by oxlint, which is faster but knows no Svelte. */
export default defineConfig(
  { ignores: ['**/*', '!webview/', '!webview/**/', '!webview/**/*.svelte'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: { globals: globals.browser, parserOptions: { parser: ts.parser, project: 'webview/tsconfig.json', extraFileExtensions: ['.svelte'] } },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 45, skipBlankLines: true, skipComments: true, IIFEs: true }],
      'max-params': ['error', 5],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: 'always' }],
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true }],
    },
  },
);
