/**
 * The GraphQL schema, built by type-graphql from the operation definitions: a field of Query for each, of Mutation for
 * each that writes.
 */
import { lexicographicSortSchema, printSchema, type GraphQLResolveInfo, type GraphQLSchema } from 'graphql';
import {
  Arg,
  buildSchemaSync,
  getMetadataStorage,
  Mutation,
  Query,
  UseMiddleware,
  type ClassType,
  type MiddlewareFn,
  type PubSub,
} from 'type-graphql';
import type { Operation } from '../core/operation.js';
import { membersOf, shapeOf, type Shape } from './shapes.js';
import { addTrackingEvents, type Subscribe } from './tracking-events.js';
import { nullability, Types } from './types.js';

/** What the fields need of the request that they are part of. */
export interface GraphQLContext {
  readonly call: (
    operation: Operation,
    args: Readonly<Record<string, unknown>>,
    info: GraphQLResolveInfo,
  ) => Promise<unknown>;
  readonly subscribe: Subscribe;
}

/** Asked for by type-graphql although the one subscription there is brings its events itself. */
const NO_TOPICS: PubSub = {
  publish: () => undefined,
  subscribe: () => {
    throw new Error('There are no topics.');
  },
};

/** A field that fails is null, and the others are answered: so every field of Query and Mutation may be null. */
export function createSchema(operations: readonly Operation[]): GraphQLSchema {
  // What type-graphql collects is of the whole process; a schema has only its own.
  getMetadataStorage().clear();
  const types = new Types();
  const resolver = class OperationResolver {} as ClassType;
  // What is written piece by piece has no form here: lists with cursors say the same.
  for (const operation of operations) if (!operation.streams) addField(resolver, operation, types);
  addTrackingEvents(resolver, types);
  return buildSchemaSync({ resolvers: [resolver], validate: false, pubSub: NO_TOPICS });
}

/** The schema as text, in an order that does not depend on that of the operations. */
export const printGraphQLSchema = (operations: readonly Operation[]): string =>
  `${printSchema(lexicographicSortSchema(createSchema(operations)))}\n`;

function addField(resolver: ClassType, operation: Operation, types: Types): void {
  const { name, input, output, rest, missing = {} } = operation;
  const prototype = resolver.prototype as Record<string, unknown>;
  const call: MiddlewareFn<GraphQLContext> = ({ args, context, info }) => context.call(operation, args, info);
  membersOf(input, 'input').forEach(({ name: member, graphqlName, shape, nullable, description }, index) => {
    const type = types.of(shape, 'input', `${name}_${member}`);
    // What has an answer of its own where it is missing reaches the operation, which gives it.
    Arg(graphqlName, () => type, {
      ...nullability(shape, member in missing || (nullable && member !== rest.body)),
      ...(description !== undefined && { description }),
    })(prototype, name, index);
  });
  UseMiddleware(call)(prototype, name);
  const { shape: told } = shapeOf(output, 'output');
  // An answer that is one value is bytes in REST: text, or what JSON can hold of them.
  const shape: Shape = told.kind === 'object' || told.kind === 'list' ? told : { kind: 'json' };
  const type = types.of(shape, 'output', `${name}_answer`);
  const description = [`${operation.summary.replace(/\.$/, '')}.`, operation.description].filter(Boolean).join(' ');
  (operation.writes ? Mutation : Query)(() => type, { ...nullability(shape, true), description })(prototype, name, {});
}
