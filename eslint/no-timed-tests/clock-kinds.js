/**
 * Determines which expressions of a file are clock readings, and which are elapsed times. Follows variables, arrays
 * with added elements, and functions of the same file.
 */

/** A reading of a clock. */
export const INSTANT = 'instant';
/** An elapsed time. */
export const DURATION = 'duration';

const CLOCKS = new Set(['Date.now', 'performance.now', 'process.hrtime', 'process.hrtime.bigint', 'process.uptime']);
const METERS = new Set([
  'process.cpuUsage',
  'process.resourceUsage',
  'performance.eventLoopUtilization',
  'monitorEventLoopDelay',
]);
const FILLING = new Set(['push', 'unshift', 'add']);
/** Nodes that have the kind of their inner expression. */
const WRAPPERS = new Set(['TSNonNullExpression', 'TSAsExpression', 'AwaitExpression', 'SpreadElement']);

/** Returns the dotted name, such as `a.b.c`; undefined if the expression is not such a name. */
export function nameOf(node) {
  if (node?.type === 'Identifier') return node.name;
  if (node?.type !== 'MemberExpression' || node.computed) return undefined;
  const object = nameOf(node.object);
  return object && `${object}.${node.property.name}`;
}

const isFunction = (node) => /Function(Expression|Declaration)$/.test(node?.type ?? '');

/**
 * Returns whether the expression is a constant: `60_000`, `WINDOW_MS`, `2 * HOUR`. An instant minus a constant is
 * another instant.
 */
function isConstant(node) {
  if (node.type === 'Literal') return true;
  if (node.type === 'Identifier') return /^[A-Z][A-Z0-9_]*$/.test(node.name);
  if (node.type === 'UnaryExpression') return isConstant(node.argument);
  return node.type === 'BinaryExpression' && isConstant(node.left) && isConstant(node.right);
}

/** Returns the strongest of several kinds. */
const anyOf = (kinds) => (kinds.includes(DURATION) ? DURATION : kinds.find(Boolean));
const onlyDuration = (kind) => (kind === DURATION ? DURATION : undefined);

/** Returns the function that determines the kind of an expression: INSTANT, DURATION, or undefined. */
export function createClockKinds(sourceCode) {
  const seen = new Map();
  /** Visits each variable and function once, which ends recursion. */
  const once = (key, find) => {
    if (!seen.has(key)) {
      seen.set(key, undefined);
      seen.set(key, find());
    }
    return seen.get(key);
  };

  function variableOf(identifier) {
    for (let scope = sourceCode.getScope(identifier); scope; scope = scope.upper)
      if (scope.set.has(identifier.name)) return scope.set.get(identifier.name);
    return undefined;
  }

  /** Returns the expressions that are written to a variable: `x = value`, `const { x } = value`, `x.push(value)`. */
  function valuesOf({ references }) {
    return references.flatMap(({ identifier, writeExpr }) => {
      if (writeExpr) return [writeExpr];
      const { parent } = identifier;
      const isFilled =
        parent.type === 'MemberExpression' && parent.object === identifier && FILLING.has(parent.property.name);
      return isFilled && parent.parent.type === 'CallExpression' ? parent.parent.arguments : [];
    });
  }

  /** Returns the function of this file that an identifier names. */
  function functionOf(identifier) {
    const [definition] = variableOf(identifier)?.defs ?? [];
    const node = definition?.type === 'Variable' ? definition.node.init : definition?.node;
    return isFunction(node) ? node : undefined;
  }

  const childrenOf = (node) =>
    (sourceCode.visitorKeys[node.type] ?? []).flatMap((key) => node[key] ?? []).filter(Boolean);

  function returnsOf(node) {
    if (node.type === 'ReturnStatement') return [node.argument];
    return childrenOf(node)
      .filter((child) => !isFunction(child))
      .flatMap(returnsOf);
  }

  const kindOfFunction = (node) =>
    once(node, () => anyOf((node.body.type === 'BlockStatement' ? returnsOf(node.body) : [node.body]).map(kindOf)));

  function kindOfDifference({ left, right }) {
    const [from, to] = [kindOf(left), kindOf(right)];
    if (from === DURATION || to === DURATION || to === INSTANT) return DURATION;
    return from === INSTANT ? (isConstant(right) ? INSTANT : DURATION) : undefined;
  }

  /** Instants in call arguments are data; durations stay durations: `Math.min(...took)`. */
  function kindOfCall({ callee, arguments: args }) {
    const name = nameOf(callee);
    if (METERS.has(name)) return DURATION;
    if (CLOCKS.has(name)) return args.length > 0 ? DURATION : INSTANT;
    const called = callee.type === 'Identifier' ? functionOf(callee) : undefined;
    const receiver = callee.type === 'MemberExpression' ? kindOf(callee.object) : undefined;
    const handed = args.map((one) => onlyDuration(isFunction(one) ? kindOfFunction(one) : kindOf(one)));
    return anyOf([called && kindOfFunction(called), receiver, ...handed]);
  }

  function kindOfBinary(node) {
    if (node.operator === '-') return kindOfDifference(node);
    const kind = anyOf([kindOf(node.left), kindOf(node.right)]);
    // A comparison with a clock reading measures a duration.
    return kind && /^[<>]=?$/.test(node.operator) ? DURATION : kind;
  }

  function kindOf(node) {
    if (!node || isFunction(node)) return undefined;
    if (node.type === 'Identifier') {
      const variable = variableOf(node);
      return variable && once(variable, () => anyOf(valuesOf(variable).map(kindOf)));
    }
    if (node.type === 'BinaryExpression') return kindOfBinary(node);
    if (node.type === 'CallExpression') return kindOfCall(node);
    if (node.type === 'MemberExpression') return kindOf(node.object);
    if (node.type === 'NewExpression' && nameOf(node.callee) === 'Date')
      return node.arguments.length === 0 ? INSTANT : onlyDuration(kindOf(node.arguments[0]));
    if (WRAPPERS.has(node.type)) return kindOf(node.argument ?? node.expression);
    // The members of an object are not distinguished here.
    if (node.type === 'ObjectExpression') return undefined;
    return anyOf(
      childrenOf(node).map((child) => (node.type === 'ArrayExpression' ? kindOf(child) : onlyDuration(kindOf(child)))),
    );
  }

  return kindOf;
}
