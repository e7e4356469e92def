/** Forbids timeouts of single tests: the generous timeout of .mocharc.cjs applies to all of them. */
export const timeouts = {
  meta: {
    type: 'problem',
    docs: { description: 'No test has a time-out of its own.' },
    messages: {
      timeouts:
        'A time-out ends a test that hangs, and a slow machine must not come near it: remove this one, the default of .mocharc.cjs applies. 0 is for a test whose length a variable says.',
    },
    schema: [],
  },
  create: (context) => ({
    "CallExpression > MemberExpression.callee[property.name='timeout']"(node) {
      const [limit] = node.parent.arguments;
      if (node.object.name === 'AbortSignal' || limit?.value === 0) return;
      context.report({ node, messageId: 'timeouts' });
    },
  }),
};
