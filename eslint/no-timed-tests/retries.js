/** Forbids retries of tests. test/unit/areas/timed-tests.test.ts finds the command-line flag. */
export const retries = {
  meta: {
    type: 'problem',
    docs: { description: 'No test is repeated until it passes.' },
    messages: { retries: 'A test that passes the second time hides a fault: remove retries() and find the cause.' },
    schema: [],
  },
  create: (context) => ({
    "CallExpression > MemberExpression.callee[property.name='retries']": (node) =>
      context.report({ node, messageId: 'retries' }),
  }),
};
