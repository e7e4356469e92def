/** OWL ontologies as a table of checks: the restrictions of each class, and whether a graph satisfies them. */
import { Parser, Store, type Quad, type Term } from 'n3';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const RDFS = 'http://www.w3.org/2000/01/rdf-schema#';
const OWL = 'http://www.w3.org/2002/07/owl#';
const XSD = 'http://www.w3.org/2001/XMLSchema#';

interface Restriction {
  range?: string;
  min?: number;
  max?: number;
}

export class Ontology {
  readonly #store = new Store();

  constructor(...turtle: readonly string[]) {
    for (const text of turtle) this.#store.addQuads(new Parser().parse(text));
  }

  has(iri: string): boolean {
    return this.#store.countQuads(iri, null, null, null) > 0;
  }

  typesOf(iri: string): string[] {
    return this.#objects(iri, `${RDF}type`).map((term) => term.value);
  }

  /** Returns the class and all its superclasses. */
  lineage(name: string, seen = new Set<string>()): Set<string> {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const parent of this.#objects(name, `${RDFS}subClassOf`))
      if (parent.termType === 'NamedNode') this.lineage(parent.value, seen);
    return seen;
  }

  /** Returns the restrictions of a class and its superclasses by property; the nearest range has precedence. */
  restrictions(name: string): Map<string, Restriction> {
    const found = new Map<string, Restriction>();
    for (const ancestor of this.lineage(name)) {
      for (const node of this.#objects(ancestor, `${RDFS}subClassOf`)) {
        const property = this.#value(node, 'onProperty');
        if (property === undefined) continue;
        const entry = found.get(property) ?? {};
        found.set(property, entry);
        entry.range ??= this.#value(node, 'allValuesFrom');
        const exact = this.#value(node, 'qualifiedCardinality');
        const [max, min] = [this.#value(node, 'maxCardinality') ?? exact, this.#value(node, 'minCardinality') ?? exact];
        if (max !== undefined) entry.max = Math.min(entry.max ?? Infinity, Number(max));
        if (min !== undefined) entry.min = Math.max(entry.min ?? 0, Number(min));
      }
    }
    return found;
  }

  #objects(subject: Term | string, predicate: string): Term[] {
    return this.#store.getObjects(subject as string, predicate, null);
  }

  #value(node: Term, name: string): string | undefined {
    return this.#objects(node, OWL + name)[0]?.value;
  }
}

export interface GraphRules {
  /** Terms of these namespaces must exist in the ontology. */
  readonly namespaces: readonly string[];
  /** Predicates of these namespaces are extensions: allowed everywhere, with text values only. */
  readonly extensions: readonly string[];
  /**
   * Returns whether an IRI outside the ontology, which the graph does not describe, is valid where `range` is required.
   */
  readonly foreign: (iri: string, range: string) => boolean;
}

/** Returns everything in `quads` that the ontology does not allow, one line each. */
export function ontologyErrors(quads: readonly Quad[], ontology: Ontology, rules: GraphRules): string[] {
  const graph = new Store([...quads]);
  const errors: string[] = [];
  for (const quad of quads)
    for (const term of [quad.subject, quad.object])
      if (term.termType === 'BlankNode') errors.push(`a node has no @id (${quad.predicate.value})`);
  for (const subject of graph.getSubjects(null, null, null))
    errors.push(...nodeErrors(graph, subject, ontology, rules));
  return errors;
}

function nodeErrors(graph: Store, subject: Term, ontology: Ontology, rules: GraphRules): string[] {
  const errors: string[] = [];
  const at = (text: string) => errors.push(`${subject.value}: ${text}`);
  const types = graph.getObjects(subject, `${RDF}type`, null).map((term) => term.value);
  if (types.length === 0) at('has no @type');
  for (const type of types) if (!ontology.has(type)) at(`unknown class ${type}`);
  const allowed = new Map(types.flatMap((type) => [...ontology.restrictions(type)]));
  for (const predicate of graph.getPredicates(subject, null, null)) {
    const name = predicate.value;
    const values = graph.getObjects(subject, predicate, null);
    if (name === `${RDF}type`) continue;
    if (rules.extensions.some((namespace) => name.startsWith(namespace))) {
      for (const value of values) if (value.termType !== 'Literal') at(`extension ${name} is not text`);
      continue;
    }
    if (rules.namespaces.some((namespace) => name.startsWith(namespace)) && !ontology.has(name))
      at(`unknown term ${name}`);
    const restriction = allowed.get(name);
    if (!restriction) at(`${name} does not belong to ${types.join(', ')}`);
    else
      for (const value of values)
        errors.push(...valueErrors(graph, value, restriction.range, ontology, rules).map((text) => `${name}: ${text}`));
  }
  for (const [name, { min = 0, max = Infinity }] of allowed) {
    const count = graph.countQuads(subject, name, null, null);
    if (count < min || count > max) at(`${name} stands ${count} times, not ${min} to ${max}`);
  }
  return errors;
}

function valueErrors(
  graph: Store,
  value: Term,
  range: string | undefined,
  ontology: Ontology,
  rules: GraphRules,
): string[] {
  if (range === undefined) return value.termType === 'NamedNode' ? [] : ['not a node'];
  if (range.startsWith(XSD)) {
    if (value.termType !== 'Literal') return [`a node where ${range} is asked for`];
    const type = value.datatype.value;
    const same =
      type === range || (range === `${XSD}nonNegativeInteger` && type === `${XSD}integer` && Number(value.value) >= 0);
    return same ? [] : [`"${value.value}" is ${type}, not ${range}`];
  }
  if (value.termType !== 'NamedNode') return [`"${value.value}" is not a node of ${range}`];
  const described = graph.getObjects(value, `${RDF}type`, null).map((term) => term.value);
  const types = described.length > 0 ? described : ontology.typesOf(value.value);
  if (types.some((type) => ontology.lineage(type).has(range))) return [];
  if (types.length === 0 && rules.foreign(value.value, range)) return [];
  return [`${value.value} is not a ${range}`];
}
