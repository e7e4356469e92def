/**
 * Limits of one document. They are checked before any other processing, in one walk that ends at the first exceeded
 * limit. Fragments that multiply or refer to themselves therefore cost no more than any other document.
 */
import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  valueFromASTUntyped,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { ApiError } from '../core/errors.js';
import { MAX_LOADED } from '../core/relations.js';
import { isIntrospection } from './introspection-size.js';
import { isRelation } from './relations.js';

export const LIMITS = {
  /** Lexical tokens of the document. */
  tokens: 5_000,
  /** Nesting of fields. Introspection has a separate limit, because its type descriptions are nested more deeply. */
  depth: 10,
  introspection_depth: 16,
  /** Nesting of fragments. */
  fragment_depth: 20,
  /** Number of fields, each multiplied by the sizes of the lists that contain it. */
  cost: 60_000,
  root_fields: 10,
  /** `__schema` in a document. */
  schema_fields: 1,
  /** Fields and list entries that introspection returns. The query of common tools returns about 81,000. */
  introspection: 120_000,
  /** The same for introspection in an operation with other fields, and in a tool. */
  introspection_inline: 2_000,
  /** Definitions of fragments. */
  fragments: 50,
  /** Variables of an operation. */
  variables: 100,
  /** Fields whose name their selection already has. */
  repeated_fields: 20,
  aliases: 20,
  directives: 20,
  /** Objects of relations that one request loads. */
  expanded: MAX_LOADED,
} as const;
export type Limit = keyof typeof LIMITS;

/** Cost of a field that calls an operation, independent of its selection. */
const ROOT_COST = 10;
/** Additional cost of the object of a relation, for each object that has it. */
const RELATION_COST = 50;
/** Assumed size of lists in a response if no argument limits it, and of the lists within these lists. */
const LIST_SIZE = 50;
const INNER_LIST_SIZE = 5;
/** Arguments that limit the number of entries. */
const SIZES = ['perPage', 'limit', 'first'];

export const tooComplex = (limit: Limit): ApiError =>
  new ApiError('QUERY_TOO_COMPLEX', { params: { limit, max: LIMITS[limit] } });

interface Place {
  readonly type: GraphQLNamedType | undefined;
  readonly depth: number;
  readonly spreads: number;
  /** Multiplier of the selection: the product of the sizes of the lists around it. */
  readonly times: number;
  /** Assumed size of the next list. */
  readonly size: number;
  readonly introspection: boolean;
}

/** Throws QUERY_TOO_COMPLEX. Ignores errors that validation reports later. */
export function checkLimits(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): void {
  const fragments = new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as [string, FragmentDefinitionNode]] : [],
    ),
  );
  const counts = { cost: 0, aliases: 0, directives: 0, root_fields: 0, schema_fields: 0 };
  const count = (what: keyof typeof counts, by: number): void => {
    counts[what] += by;
    if (counts[what] > LIMITS[what]) throw tooComplex(what);
  };

  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) walkOperation(definition);
  }

  function walkOperation(operation: OperationDefinitionNode): void {
    count('directives', operation.directives?.length ?? 0);
    walk(operation.selectionSet, {
      type: schema.getRootType(operation.operation) ?? undefined,
      depth: 0,
      spreads: 0,
      times: 1,
      size: LIST_SIZE,
      introspection: false,
    });
  }

  function walk({ selections }: SelectionSetNode, place: Place): void {
    for (const selection of selections) {
      count('directives', selection.directives?.length ?? 0);
      if (selection.kind === Kind.FIELD) {
        walkField(selection, place);
        continue;
      }
      // A spread costs something, too. A fragment that refers to itself ends here.
      count('cost', 1);
      const spreads = place.spreads + 1;
      if (spreads > LIMITS.fragment_depth) throw tooComplex('fragment_depth');
      const target = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      if (target)
        walk(target.selectionSet, {
          ...place,
          spreads,
          type: target.typeCondition ? schema.getType(target.typeCondition.name.value) : place.type,
        });
    }
  }

  function walkField(field: FieldNode, place: Place): void {
    const depth = place.depth + 1;
    const introspection = place.introspection || isIntrospection(field);
    const limit = introspection ? 'introspection_depth' : 'depth';
    if (depth > LIMITS[limit]) throw tooComplex(limit);
    if (depth === 1) count('root_fields', 1);
    if (field.name.value === '__schema') count('schema_fields', 1);
    if (field.alias) count('aliases', 1);
    const known = fieldOf(place.type, field.name.value);
    const type = known?.type;
    const isList = !introspection && type !== undefined && isListType(getNullableType(type));
    const isLoaded = known !== undefined && isRelation(known);
    if (isLoaded) count('cost', RELATION_COST * place.times * (isList ? INNER_LIST_SIZE : 1));
    count('cost', depth === 1 ? ROOT_COST : introspection ? 1 : place.times);
    if (!field.selectionSet) return;
    walk(field.selectionSet, {
      type: type && getNamedType(type),
      depth,
      spreads: place.spreads,
      introspection,
      times: isList ? place.times * place.size : place.times,
      size: depth === 1 ? sizeOf(field, variables) : isList ? INNER_LIST_SIZE : place.size,
    });
  }
}

function fieldOf(parent: GraphQLNamedType | undefined, name: string): GraphQLField<unknown, unknown> | undefined {
  return parent && isCompositeType(parent) && (isObjectType(parent) || isInterfaceType(parent))
    ? parent.getFields()[name]
    : undefined;
}

/**
 * Maximum number of entries of a response's lists, from its arguments: a number, or the length of a list with one
 * response entry per item.
 */
function sizeOf({ arguments: args = [] }: FieldNode, variables: Readonly<Record<string, unknown>>): number {
  const said = args.flatMap(({ name, value }) => {
    const given = valueFromASTUntyped(value, variables);
    if (Array.isArray(given)) return [given.length];
    return SIZES.includes(name.value) && typeof given === 'number' && given >= 0 ? [given] : [];
  });
  return said.length === 0 ? LIST_SIZE : Math.max(1, ...said);
}
