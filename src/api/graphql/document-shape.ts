/**
 * Limits for parts of a document whose validation takes quadratic time: graphql-js compares each pair of fields with the
 * same name, and each pair of fragments. They are checked before validation, in one pass over the document.
 */
import { Kind, type DocumentNode, type FieldNode, type SelectionSetNode } from 'graphql';
import { LIMITS, tooComplex } from './limits.js';

/** Throws QUERY_TOO_COMPLEX. */
export function checkShape({ definitions }: DocumentNode): void {
  let repeated = 0;
  let fragments = 0;
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION && ++fragments > LIMITS.fragments) throw tooComplex('fragments');
    if (definition.kind !== Kind.FRAGMENT_DEFINITION && definition.kind !== Kind.OPERATION_DEFINITION) continue;
    if ((definition.variableDefinitions?.length ?? 0) > LIMITS.variables) throw tooComplex('variables');
    walk(definition.selectionSet);
  }

  function walk(selectionSet: SelectionSetNode): void {
    const names = new Set<string>();
    for (const { name, alias, selectionSet: inner } of fieldsOf(selectionSet)) {
      const key = (alias ?? name).value;
      if (names.has(key) && ++repeated > LIMITS.repeated_fields) throw tooComplex('repeated_fields');
      names.add(key);
      if (inner) walk(inner);
    }
  }
}

/** Fields of a selection; those of inline fragments are part of the same object. */
function* fieldsOf({ selections }: SelectionSetNode): Iterable<FieldNode> {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) yield selection;
    else if (selection.kind === Kind.INLINE_FRAGMENT) yield* fieldsOf(selection.selectionSet);
  }
}
