/**
 * The rule of graphql-js for variables in arguments, except that a variable of type Int is accepted for a SafeInt:
 * every Int is a SafeInt, and clients declare ids as Int.
 */
import {
  GraphQLError,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  isListType,
  isNonNullType,
  isNullableType,
  isTypeSubTypeOf,
  Kind,
  typeFromAST,
  type GraphQLSchema,
  type GraphQLType,
  type ValidationRule,
  type VariableDefinitionNode,
} from 'graphql';
import { GraphQLSafeInt } from 'graphql-scalars';

export const VariablesInAllowedPosition: ValidationRule = (context) => ({
  OperationDefinition: {
    leave(operation) {
      const definitions = new Map(
        (operation.variableDefinitions ?? []).map((node) => [node.variable.name.value, node]),
      );
      for (const { node, type, defaultValue } of context.getRecursiveVariableUsages(operation)) {
        const definition = definitions.get(node.name.value);
        const declared =
          definition &&
          (typeFromAST(context.getSchema(), definition.type as Parameters<typeof typeFromAST>[1]) as
            GraphQLType | undefined);
        if (!definition || !declared || !type) continue;
        const fitsAs = (offered: GraphQLType): boolean =>
          fits(context.getSchema(), offered, definition, type, defaultValue);
        if (fitsAs(declared) || fitsAs(widened(declared))) continue;
        context.reportError(
          new GraphQLError(
            `Variable "$${node.name.value}" of type "${String(declared)}" used in position expecting type "${String(type)}".`,
            { nodes: [definition, node] },
          ),
        );
      }
    },
  },
  VariableDefinition: () => false,
});

function fits(
  schema: GraphQLSchema,
  declared: GraphQLType,
  { defaultValue }: VariableDefinitionNode,
  expected: GraphQLType,
  expectedDefault: unknown,
): boolean {
  if (!isNonNullType(expected) || isNonNullType(declared)) return isTypeSubTypeOf(schema, declared, expected);
  const hasDefault = (defaultValue !== undefined && defaultValue.kind !== Kind.NULL) || expectedDefault !== undefined;
  return hasDefault && isTypeSubTypeOf(schema, declared, expected.ofType as GraphQLType);
}

function widened(type: GraphQLType): GraphQLType {
  if (isNonNullType(type)) {
    const inner = widened(type.ofType as GraphQLType);
    return isNullableType(inner) ? new GraphQLNonNull(inner) : inner;
  }
  if (isListType(type)) return new GraphQLList(widened(type.ofType));
  return type === GraphQLInt ? GraphQLSafeInt : type;
}
