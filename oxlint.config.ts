import { defineConfig } from 'oxlint'
import { importConfig } from './bin/checks/import-config.ts'

export default defineConfig({
  extends: [importConfig()],
  plugins: [
    'eslint',
    'typescript',
    'unicorn',
    'oxc',
    'import',
    'promise',
    'node',
    'react',
    'jsx-a11y',
    'vitest',
  ],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  // The service worker in public/ is sent as it is, and TypeScript does not know its globals.
  ignorePatterns: ['src/routeTree.gen.ts', 'test/fixtures/**', 'dist/**', 'public/**'],
  rules: {
    // Sizes (STYLE.md, "Sizes").
    'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
    'max-params': ['error', { max: 3 }],
    'max-depth': ['error', 4],

    // Names.
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'import/no-default-export': 'error',
    'oxc/no-barrel-file': ['error', { threshold: 0 }],

    // Types: parse, don't cast.
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/no-empty-object-type': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-import-type-side-effects': 'error',
    'typescript/array-type': 'error',
    'typescript/use-unknown-in-catch-callback-variable': 'error',
    'typescript/switch-exhaustiveness-check': [
      'error',
      { considerDefaultExhaustiveForUnions: false, allowDefaultCaseForExhaustiveSwitch: false },
    ],

    // Promises.
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/only-throw-error': 'error',

    // Plain mistakes and old habits.
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'no-alert': 'error',
    'no-console': 'error',
    'no-else-return': 'error',
    'no-empty': 'error',
    'no-fallthrough': 'error',
    'no-param-reassign': 'error',
    'no-self-compare': 'error',
    // A template with the tag of a statement runs it.
    'no-unused-expressions': ['error', { allowTaggedTemplates: true }],
    'no-sequences': 'error',
    'no-var': 'error',
    'no-warning-comments': 'error',
    'array-callback-return': 'error',
    'object-shorthand': 'error',
    'prefer-const': 'error',
    'prefer-template': 'error',
    'import/first': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-commonjs': 'error',
    'import/no-duplicates': 'error',
    'import/no-mutable-exports': 'error',
    'node/no-process-env': 'error',
    'typescript/no-deprecated': 'error',
    'typescript/no-dynamic-delete': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/prefer-includes': 'error',
    'typescript/prefer-optional-chain': 'error',
    'typescript/restrict-plus-operands': 'error',
    'unicorn/no-abusive-eslint-disable': 'error',
    'unicorn/no-process-exit': 'error',
    'unicorn/prefer-node-protocol': 'error',
    'unicorn/prefer-number-properties': 'error',
    'unicorn/throw-new-error': 'error',

    // React and accessibility beyond "correctness".
    'react/button-has-type': 'error',
    'react/jsx-no-target-blank': 'error',
    'react/no-danger': 'error',
    'react/self-closing-comp': 'error',
    'react/jsx-no-useless-fragment': 'error',
    'react/rules-of-hooks': 'error',
    'react/no-unknown-property': 'error',
    'react/react-in-jsx-scope': 'off',

    // Off, each for a reason:
    'import/no-named-as-default-member': 'off', // fc.string() is how fast-check is written
    'import/no-unassigned-import': 'off', // CSS is imported for its effect
    'jsx-a11y/prefer-tag-over-role': 'off', // a <pre> that scrolls is a region, and stays a <pre>
    'jsx-a11y/no-noninteractive-tabindex': ['error', { tags: [], roles: ['region', 'tabpanel'] }],
    'no-await-in-loop': 'off', // one after another is often meant
    'no-underscore-dangle': [
      'error',
      {
        allow: [
          '__CULVERT_RELEASE__',
          '__CULVERT_ROOT__',
          '__CULVERT_MIGRATIONS__',
          '__CULVERT_CONNECTION_THREAD__',
        ],
      },
    ],
    'react/no-array-index-key': 'off', // frames and breadcrumbs have no identity but their place
  },
  overrides: [
    {
      files: ['src/components/**', 'src/routes/**'],
      rules: { 'max-lines-per-function': ['error', { max: 120 }] },
    },
    {
      files: ['src/routes/**'],
      rules: {
        'max-lines': ['error', { max: 100, skipBlankLines: true, skipComments: true }],
        'unicorn/filename-case': 'off',
      },
    },
    {
      files: ['src/routes/**/*.tsx', 'src/server/router.ts'],
      // TanStack Router's redirect() and notFound() are thrown and are no Errors.
      rules: { 'typescript/only-throw-error': 'off' },
    },
    { files: ['*.config.ts', 'src/server.ts'], rules: { 'import/no-default-export': 'off' } },
    {
      files: [
        'bin/**',
        'demo/**',
        'bench/**',
        'test/**',
        '*.config.ts',
        'src/server.ts',
        'src/server/services.ts',
        '**/*.test.{ts,tsx}',
      ],
      rules: { 'node/no-process-env': 'off' },
    },
    {
      files: ['bin/**', 'bench/**', 'demo/**'],
      rules: { 'no-console': 'off', 'unicorn/no-process-exit': 'off' },
    },

    // The setup runs on a Node that strips no types, so it has none to check.
    {
      files: ['bin/**/*.mjs'],
      rules: {
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
      },
    },

    // Tests: long describes, any import, and casts where a wrong shape is the point.
    {
      files: ['**/*.test.{ts,tsx}', 'test/**'],
      rules: {
        'max-lines-per-function': 'off',
        'no-restricted-globals': 'off',
        'no-restricted-imports': 'off',
        'no-restricted-properties': 'off',
        'typescript/no-unsafe-type-assertion': 'off',
        'vitest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*', 'fc.assert'] }],
        'vitest/no-restricted-vi-methods': ['error', { mock: 'Real things, no mocks of our own code.' }],
      },
    },
  ],
})
