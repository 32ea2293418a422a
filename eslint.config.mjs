import js from '@eslint/js';
import jsdoc from 'eslint-plugin-jsdoc';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

/** The size limits, counted in lines of code: comments and blank lines are free. An exception is a commented line beside the code. */
const sizes = {
  'max-lines': ['error', { max: 175, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 25, skipBlankLines: true, skipComments: true, IIFEs: true }],
  'max-params': ['error', 4],
};

export default ts.config(
  { ignores: ['dist/', 'dist-test/', '**/node_modules/', 'test/fixtures/', 'test-results/', '.bench/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: {
      globals: globals.node,
      parserOptions: {
        projectService: { allowDefaultProject: ['*.mjs', '*.cjs', 'vitest.config.ts'], defaultProject: 'scripts/tsconfig.json' },
        extraFileExtensions: ['.svelte'],
      },
    },
    rules: {
      eqeqeq: 'error',
      'no-console': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: 'always' }],
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true }],
    },
  },
  { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { globals: globals.browser, parserOptions: { parser: ts.parser } } },
  { files: ['webview/**'], languageOptions: { globals: globals.browser } },
  {
    files: ['src/**', 'webview/**'],
    plugins: { jsdoc },
    rules: {
      ...sizes,
      'no-console': 'error',
      'jsdoc/require-jsdoc': [
        'error',
        {
          publicOnly: true,
          enableFixer: false,
          require: { ClassDeclaration: true, FunctionDeclaration: true, ArrowFunctionExpression: true },
          contexts: ['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'TSEnumDeclaration', 'VariableDeclaration'],
        },
      ],
    },
  },
  { files: ['scripts/**', 'test/vscode/**', 'esbuild.mjs'], rules: sizes },
  {
    // JSON.parse gives `any` in JavaScript, and there is no `unknown` to write instead.
    files: ['**/*.mjs'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  { files: ['**/*.cjs', 'eslint.config.mjs'], ...ts.configs.disableTypeChecked },
);
