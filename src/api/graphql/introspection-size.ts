/**
 * The size of the result of introspection: its fields and list entries. A document of a few lines can ask for all types
 * several times.
 */
import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isAbstractType,
  isObjectType,
  isWrappingType,
  Kind,
  valueFromASTUntyped,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';

/** Parts of the schema that introspection returns, with the number of times that each of them occurs. */
type Parts = Map<object, number>;

export const isIntrospection = ({ name: { value } }: FieldNode): boolean => value === '__schema' || value === '__type';

/**
 * The size of the result of a field `__schema` or `__type`. Throws what `exceeded` throws, as soon as the size exceeds
 * `max`; the work is therefore limited, too. Ignores the conditions of directives, and errors that validation reports.
 */
export function introspectionSize(
  schema: GraphQLSchema,
  root: FieldNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  variables: Readonly<Record<string, unknown>>,
  { max, exceeded }: { readonly max: number; readonly exceeded: () => Error },
): number {
  let size = 0;
  const add = (count: number): void => {
    size += count;
    if (size > max) throw exceeded();
  };

  function walk({ selections }: SelectionSetNode, parts: Parts, total: number): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) walkField(selection, parts, total);
      else {
        const target = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
        // A spread costs something, too. A fragment that refers to itself ends here.
        add(1);
        if (target) walk(target.selectionSet, parts, total);
      }
    }
  }

  function walkField(field: FieldNode, parts: Parts, total: number): void {
    add(total);
    if (!field.selectionSet) return;
    const children: Parts = new Map();
    let count = 0;
    for (const [part, times] of parts)
      for (const child of childrenOf(schema, part, field.name.value)) {
        children.set(child, (children.get(child) ?? 0) + times);
        count += times;
        add(times);
      }
    if (count > 0) walk(field.selectionSet, children, count);
  }

  const part = root.name.value === '__schema' ? schema : typeNamed(schema, root, variables);
  add(1);
  if (part && root.selectionSet) walk(root.selectionSet, new Map([[part, 1]]), 1);
  return size;
}

function typeNamed(schema: GraphQLSchema, { arguments: args = [] }: FieldNode, variables: object): object | undefined {
  const node = args.find(({ name }) => name.value === 'name');
  const name: unknown = node && valueFromASTUntyped(node.value, variables as Record<string, unknown>);
  return typeof name === 'string' ? schema.getType(name) : undefined;
}

/** The objects that a field of an introspection type returns. */
function childrenOf(schema: GraphQLSchema, part: object, field: string): readonly object[] {
  if (part === schema) return childrenOfSchema(schema, field);
  switch (field) {
    case 'fields':
      return isObjectType(part) || isInterfaceType(part) ? Object.values(part.getFields()) : [];
    case 'inputFields':
      return isInputObjectType(part) ? Object.values(part.getFields()) : [];
    case 'enumValues':
      return isEnumType(part) ? part.getValues() : [];
    case 'interfaces':
      return isObjectType(part) || isInterfaceType(part) ? part.getInterfaces() : [];
    case 'possibleTypes':
      return isAbstractType(part) ? schema.getPossibleTypes(part) : [];
    case 'ofType':
      return isWrappingType(part) ? [part.ofType] : [];
    case 'type':
      return 'type' in part ? [part.type as object] : [];
    case 'args':
      return 'args' in part ? (part.args as object[]) : [];
    default:
      return [];
  }
}

function childrenOfSchema(schema: GraphQLSchema, field: string): readonly object[] {
  switch (field) {
    case 'types':
      return Object.values(schema.getTypeMap());
    case 'directives':
      return schema.getDirectives();
    case 'queryType':
      return [schema.getQueryType() ?? []].flat();
    case 'mutationType':
      return [schema.getMutationType() ?? []].flat();
    case 'subscriptionType':
      return [schema.getSubscriptionType() ?? []].flat();
    default:
      return [];
  }
}
