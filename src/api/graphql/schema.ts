/**
 * The GraphQL schema, built by type-graphql from the operation definitions: one field of Query per read, one field of
 * Mutation per write.
 */
import { z } from 'zod';
import { lexicographicSortSchema, printSchema, type GraphQLResolveInfo, type GraphQLSchema } from 'graphql';
import {
  Arg,
  buildSchemaSync,
  getMetadataStorage,
  Mutation,
  Query,
  Root,
  Subscription,
  UseMiddleware,
  type ClassType,
  type MiddlewareFn,
  type PubSub,
} from 'type-graphql';
import type { Feed } from '../core/feed.js';
import type { Operation } from '../core/operation.js';
import { relationsAmong } from '../core/relations.js';
import { toInput } from './input.js';
import { addRelations, type Loading } from './relations.js';
import { membersOf, shapeOf, type Shape } from './shapes.js';
import { nullability, Types } from './types.js';

/** The live events of a feed. Throws before the first event. */
export type Subscribe = (feed: Feed, input: Record<string, unknown>) => Promise<AsyncIterable<unknown>>;

/** The parts of a request that its fields use. */
export interface GraphQLContext extends Loading {
  readonly call: (
    operation: Operation,
    args: Readonly<Record<string, unknown>>,
    info: GraphQLResolveInfo,
  ) => Promise<unknown>;
  readonly subscribe: Subscribe;
}

/** type-graphql requires it, although the subscriptions create their events themselves. */
const NO_TOPICS: PubSub = {
  publish: () => undefined,
  subscribe: () => {
    throw new Error('Subscriptions do not use topics.');
  },
};

/**
 * All fields of Query and Mutation are nullable: a field that fails is null, and the other fields still return their
 * results.
 */
export function createSchema(operations: readonly Operation[], feeds: readonly Feed[]): GraphQLSchema {
  // type-graphql collects metadata for the whole process; this schema must contain only its own.
  getMetadataStorage().clear();
  const types = new Types();
  const resolver = class OperationResolver {} as ClassType;
  // Responses in pieces have no GraphQL form; lists with cursors return the same data.
  for (const operation of operations)
    if (!operation.streams && !operation.restOnly) addField(resolver, operation, types);
  for (const feed of feeds) addSubscription(resolver, feed, types);
  // Last, so that each type is named where an operation returns it.
  addRelations(types, relationsAmong(operations));
  return buildSchemaSync({ resolvers: [resolver], validate: false, pubSub: NO_TOPICS });
}

/** The schema as text, in an order that is independent of the order of the operations. */
export const printGraphQLSchema = (operations: readonly Operation[], feeds: readonly Feed[]): string =>
  `${printSchema(lexicographicSortSchema(createSchema(operations, feeds)))}\n`;

function addField(resolver: ClassType, operation: Operation, types: Types): void {
  const { name, input, rest, missing = {} } = operation;
  const prototype = resolver.prototype as Record<string, unknown>;
  const call: MiddlewareFn<GraphQLContext> = ({ args, context, info }) => context.call(operation, args, info);
  membersOf(input, 'input').forEach(({ name: member, graphqlName, shape, nullable, description }, index) => {
    const type = types.of(shape, 'input', `${name}_${member}`);
    // A member with a dedicated error for its absence stays optional here, so that the operation returns that error.
    Arg(graphqlName, () => type, {
      ...nullability(shape, member in missing || (nullable && member !== rest.body)),
      ...(description !== undefined && { description }),
    })(prototype, name, index);
  });
  UseMiddleware(call)(prototype, name);
  const { shape: outputShape } = shapeOf(outputOf(operation), 'output');
  // An operation whose response is a single value returns bytes in REST. Here it is text, or JSON with the bytes in
  // base64.
  const shape: Shape = outputShape.kind === 'object' || outputShape.kind === 'list' ? outputShape : { kind: 'json' };
  const type = types.of(shape, 'output', `${name}_response`);
  const description = [`${operation.summary.replace(/\.$/, '')}.`, operation.description].filter(Boolean).join(' ');
  (operation.writes ? Mutation : Query)(() => type, { ...nullability(shape, true), description })(prototype, name, {});
}

/** A dry run has no changed resource, so these members are nullable here. */
function outputOf({ output, returned = [] }: Operation): z.ZodType {
  if (!(output instanceof z.ZodObject) || returned.length === 0) return output;
  const shape = output.shape as Record<string, z.ZodType>;
  return output.extend(Object.fromEntries(returned.map((member) => [member, shape[member]!.nullable()])));
}

function addSubscription(resolver: ClassType, feed: Feed, types: Types): void {
  const { name, input, output, summary, description } = feed;
  const prototype = resolver.prototype as Record<string, unknown>;
  prototype[name] = (value: unknown) => value;
  Root()(prototype, name, 0);
  membersOf(input, 'input').forEach((member, index) => {
    const type = types.of(member.shape, 'input', `${name}_${member.name}`);
    Arg(member.graphqlName, () => type, {
      ...nullability(member.shape, member.nullable),
      ...(member.description !== undefined && { description: member.description }),
    })(prototype, name, index + 1);
  });
  const type = types.of(shapeOf(output, 'output').shape, 'output', name);
  Subscription(() => type, {
    description: [`${summary.replace(/\.$/, '')}.`, description].filter(Boolean).join(' '),
    subscribe: (async ({ args, context }: { args: Record<string, unknown>; context: GraphQLContext }) =>
      context.subscribe(feed, toInput(feed, args))) as never,
  })(prototype, name, {});
}
