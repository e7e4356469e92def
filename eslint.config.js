import tseslint from 'typescript-eslint';
import timed from './eslint/no-timed-tests/index.js';

/**
 * Direction of imports: main -> compose -> areas -> api -> (commands, projections, serializers) -> events; inside api:
 * views -> areas -> core.
 */
const forbid = (files, ...patterns) => ({
  files: [`src/${files}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: patterns.map((group) => ({
          group: [group],
          message: 'Imports run one way: see docs/architecture.md.',
        })),
      },
    ],
  },
});

/** Layers above commands, projections and serializers. */
const ABOVE = ['**/api/**', '**/areas/**', '**/compose/**', 'express'];
/** The interfaces: thin views of the operations. */
const VIEWS = [
  '**/rest/**',
  '**/graphql/**',
  '**/mcp/**',
  '**/oauth/**',
  '**/discovery/**',
  '**/pages/**',
  '**/kafka/**',
];

/** A PDF leaves the service only with its fingerprint in the log. Therefore only `issue` may create PDFs. */
const issued = (selector) => ({ selector, message: 'PDFs are made by issue() of src/api/core/printing/issue.ts.' });
const MAKING = ['ImportDeclaration', 'ImportExpression', 'ExportNamedDeclaration', 'ExportAllDeclaration'];
const ISSUED_ALONE = [
  ...MAKING.map((node) => issued(`${node}[source.value=/^pdfkit|\\x2fprinting\\x2fpdf\\.js$|^\\.\\x2fpdf\\.js$/]`)),
  issued("TSAsExpression TSTypeReference[typeName.name='Issued']"),
];

/** Selects the UTC date of the current time: `new Date().toISOString().slice(0, 10)`. */
const UTC_TODAY = {
  selector:
    "CallExpression[callee.property.name='slice'][arguments.1.value=10]:has(:matches(NewExpression[callee.name='Date'][arguments.length=0], CallExpression[callee.name='now'], CallExpression[callee.property.name='now']))",
  message: 'Where the business is, it may be another day: localDate() of src/events/core/local-time.ts.',
};

export default tseslint.config(
  // Stories are compiled with the clients that are generated for them.
  { ignores: ['dist/', 'node_modules/', '.data/', 'test/clients/stories/'] },
  ...tseslint.configs.recommended,
  {
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // In the registries of messages, read models and tables, each file declares its own entries.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'src/config.ts is the only reader of the environment.' },
      ],
      'no-restricted-syntax': ['error', ...ISSUED_ALONE, UTC_TODAY],
    },
  },
  // Plain JavaScript is in no TypeScript project, so rules that need types are disabled for it.
  { files: ['**/*.{js,cjs,mjs}'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['.mocharc.cjs', 'scripts/**', 'eslint/**'],
    rules: { '@typescript-eslint/no-require-imports': 'off', 'no-restricted-properties': 'off' },
  },
  { files: ['src/config.ts', 'test/**/*.ts', 'bench/**/*.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['src/api/core/printing/{pdf,issue}.ts', 'src/engines/label-printing/write-pdf.ts'],
    rules: { 'no-restricted-syntax': ['error', UTC_TODAY] },
  },
  {
    files: ['test/**/*.ts'],
    plugins: { timed },
    rules: {
      'timed/elapsed': 'error',
      'timed/retries': 'error',
      'timed/timeouts': 'error',
      '@typescript-eslint/no-unused-expressions': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.object.type='ThisExpression'][callee.property.name='skip']",
          message: 'skip() of test/support/run-summary.ts takes the reason, and a run tells it.',
        },
        UTC_TODAY,
      ],
    },
  },
  forbid('events', ...ABOVE, '**/commands/**', '**/projections/**', '**/serializers/**', '**/engines/**'),
  forbid('commands', ...ABOVE, '**/projections/**', '**/serializers/**', '**/engines/**'),
  forbid('projections', ...ABOVE, '**/commands/**', '**/serializers/**', '**/engines/**'),
  forbid('serializers', ...ABOVE, '**/commands/**', '**/projections/**', '**/engines/**'),
  // Solvers are pure: they import no other layer.
  forbid(
    'solvers',
    ...ABOVE,
    '**/commands/**',
    '**/events/**',
    '**/projections/**',
    '**/serializers/**',
    '**/engines/**',
  ),
  forbid('relay', ...ABOVE, '**/commands/**', '**/serializers/**', '**/engines/**'),
  forbid('effects', ...ABOVE, '**/serializers/**'),
  forbid('webhooks', ...ABOVE, '**/commands/**', '**/serializers/**'),
  forbid('sql', ...ABOVE, '**/commands/**', '**/events/**', '**/projections/**', '**/serializers/**', '**/engines/**'),
  forbid(
    'engines',
    ...ABOVE,
    '**/commands/**',
    '**/projections/**',
    '**/serializers/**',
    '**/relay/**',
    '**/webhooks/collector*',
    '**/webhooks/sender*',
  ),
  forbid('api/core', '**/compose/**', '../areas/**', '../../areas/**', ...VIEWS),
  forbid('api/areas', '**/compose/**', '../../../areas/**', '../../../../areas/**', ...VIEWS),
  ...['rest', 'graphql', 'mcp', 'oauth', 'discovery', 'pages', 'kafka'].map((view) =>
    forbid(`api/${view}`, '**/compose/**', '../../areas/**'),
  ),
  forbid('areas', '**/compose/**'),
);
