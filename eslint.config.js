import tseslint from 'typescript-eslint';

/** Imports run one way: main -> api -> (commands, projections, serializers) -> events. Nothing below api knows HTTP. */
const forbid = (files, ...patterns) => ({
  files: [`src/${files}/**/*.ts`],
  rules: { 'no-restricted-imports': ['error', { patterns: patterns.map((group) => ({ group: [group], message: 'Imports run one way: see docs/architecture.md.' })) }] },
});

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.data/'] },
  ...tseslint.configs.recommended,
  {
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['eslint.config.js'] } } },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'src/config.ts is the only reader of the environment.' }],
    },
  },
  { files: ['src/config.ts', 'test/**/*.ts', 'bench/**/*.ts'], rules: { 'no-restricted-properties': 'off' } },
  { files: ['test/**/*.ts'], rules: { '@typescript-eslint/no-unused-expressions': 'off' } },
  forbid('events', '**/commands/*', '**/projections/*', '**/serializers/*', '**/api/*', '**/engines/*', 'express'),
  forbid('commands', '**/projections/*', '**/serializers/*', '**/api/*', '**/engines/*', 'express'),
  forbid('projections', '**/commands/*', '**/serializers/*', '**/api/*', '**/engines/*', 'express'),
  forbid('serializers', '**/commands/*', '**/projections/*', '**/api/*', '**/engines/*', 'express'),
  forbid('relay', '**/commands/*', '**/serializers/*', '**/api/*', '**/engines/*', 'express'),
  forbid('webhooks', '**/commands/*', '**/serializers/*', '**/api/*', 'express'),
  forbid('sql', '**/api/*', '**/commands/*', '**/events/*', '**/projections/*', '**/serializers/*', '**/engines/*', 'express'),
  forbid('engines', '**/api/*', '**/commands/*', '**/projections/*', '**/serializers/*', '**/relay/*', '**/webhooks/collector*', '**/webhooks/sender*', 'express'),
);
