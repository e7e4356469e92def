/** The introspection of an operation: the fields `__schema` and `__type`, which are valid only at its root. */
import {
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { introspectionSize, isIntrospection } from './introspection-size.js';
import { LIMITS, tooComplex, type Limit } from './limits.js';

export interface RootFields {
  readonly introspection: readonly FieldNode[];
  /** Whether the operation has other fields than introspection and `__typename`. */
  readonly others: boolean;
}

const fragmentsOf = ({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> =>
  new Map(definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])));

/** The document must be within the other limits: its fragments are resolved. */
export function rootFieldsOf(document: DocumentNode, operation: OperationDefinitionNode): RootFields {
  const fragments = fragmentsOf(document);
  const introspection: FieldNode[] = [];
  let others = false;
  const walk = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        if (isIntrospection(selection)) introspection.push(selection);
        else if (selection.name.value !== '__typename') others = true;
        continue;
      }
      const target = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      if (target) walk(target.selectionSet);
    }
  };
  walk(operation.selectionSet);
  return { introspection, others };
}

/** Throws QUERY_TOO_COMPLEX if the result of the introspection fields is larger than the limit. */
export function checkIntrospection(
  schema: GraphQLSchema,
  document: DocumentNode,
  { introspection }: RootFields,
  { variables, limit }: { readonly variables: Readonly<Record<string, unknown>>; readonly limit: Limit },
): void {
  const fragments = fragmentsOf(document);
  const exceeded = () => tooComplex(limit);
  introspection.reduce(
    (size, field) =>
      size + introspectionSize(schema, field, fragments, variables, { max: LIMITS[limit] - size, exceeded }),
    0,
  );
}
