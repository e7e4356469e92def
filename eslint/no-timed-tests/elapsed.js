/** Forbids assertions on elapsed time, on CPU time, and on rates. */
import { DURATION, INSTANT, createClockKinds, nameOf } from './clock-kinds.js';

const WHERE =
  'Assert counts, states or the order of events. A figure belongs in bench/ (npm run bench), or in Figures of test/support/figures.ts, which npm run verify judges.';
const COMPARISON = /^(below|lessThan|lt|above|greaterThan|gt|least|gte|most|lte|within|equal|equals|eql|eq)$/;
const NEARNESS = /^(closeTo|approximately)$/;

export const elapsed = {
  meta: {
    type: 'problem',
    docs: { description: 'No assertion on elapsed time.' },
    messages: {
      elapsed: `This assertion depends on how long something takes. ${WHERE}`,
      near: `This assertion depends on how long something takes: expect the time within two readings of the clock, one before and one after. ${WHERE}`,
    },
    schema: [],
  },
  create(context) {
    const kindOf = createClockKinds(context.sourceCode);
    return {
      CallExpression(node) {
        const name = nameOf(node.callee) ?? '';
        if (name === 'expect') {
          if (kindOf(node.arguments[0]) === DURATION) context.report({ node, messageId: 'elapsed' });
        } else if (/^assert(\.|$)/.test(name)) {
          if (node.arguments.some((one) => kindOf(one) === DURATION)) context.report({ node, messageId: 'elapsed' });
        } else checkMatcher(node);
      },
    };

    /** Checks `expect(subject).to.be.below(expected)`. */
    function checkMatcher(node) {
      const expecting = node.callee.type === 'MemberExpression' && expectOf(node.callee.object);
      if (!expecting) return;
      const subject = kindOf(expecting.arguments[0]);
      // Already reported at the call of `expect`.
      if (subject === DURATION) return;
      const [expected] = node.arguments;
      const matcher = node.callee.property.name;
      const isElapsed = kindOf(expected) === DURATION || (COMPARISON.test(matcher) && subject === INSTANT);
      if (isElapsed) context.report({ node, messageId: 'elapsed' });
      else if (NEARNESS.test(matcher) && (kindOf(expected) || subject)) context.report({ node, messageId: 'near' });
    }
  },
};

/** Returns the call of `expect` at the start of a chain. */
function expectOf(node) {
  let at = node;
  while (at?.type === 'MemberExpression' || (at?.type === 'CallExpression' && nameOf(at.callee) !== 'expect'))
    at = at.type === 'CallExpression' ? at.callee : at.object;
  return at?.type === 'CallExpression' ? at : undefined;
}
