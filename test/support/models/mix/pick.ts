/** Random choices of one step of the random mix: equal seeds give equal choices. */
import { z } from 'zod';

export interface Pick {
  /** Returns an integer from 1 to `most`. */
  readonly of: (most: number) => number;
  readonly flag: () => boolean;
  readonly one: <T>(...values: readonly T[]) => T;
  /** Returns some of the values in their order, possibly none. */
  readonly some: <T>(...values: readonly T[]) => T[];
  /**
   * Returns a value of a schema. Texts are short, lists have up to two entries, half of the optional members are
   * absent.
   */
  readonly like: <S extends z.ZodType>(schema: S) => z.output<S>;
}

export function createPick(seed: number): Pick {
  const next = numbersFrom(seed);
  const of = (most: number): number => 1 + Math.floor(next() * most);
  const flag = (): boolean => next() < 0.5;
  const one = <T>(...values: readonly T[]): T => values[of(values.length) - 1]!;
  return {
    of,
    flag,
    one,
    some: (...values) => values.filter(flag),
    like: (schema) => valueOf(z.toJSONSchema(schema, { unrepresentable: 'any' }) as Node) as never,
  };

  function valueOf(node: Node): unknown {
    const { type, properties = {}, required = [], items, prefixItems, anyOf, oneOf, format, pattern } = node;
    const either = anyOf ?? oneOf;
    if (either) return valueOf(one(...either));
    if (node.enum) return one(...node.enum);
    if ('const' in node) return node.const;
    if (prefixItems) return prefixItems.map(valueOf);
    switch (type) {
      case 'object': {
        const present = Object.entries(properties).filter(([name]) => required.includes(name) || flag());
        return Object.fromEntries(present.map(([name, member]) => [name, valueOf(member)]));
      }
      case 'array':
        return Array.from({ length: of(3) - 1 }, () => valueOf(items ?? {}));
      case 'integer':
        return of(900);
      case 'number':
        return of(900) / 10;
      case 'boolean':
        return flag();
      case 'string':
        if (format === 'uuid') return `00000000-0000-4000-8000-${String(of(1e9)).padStart(12, '0')}`;
        // Amounts of money are the only texts with a pattern.
        return pattern === undefined ? `text ${of(900)}` : String(of(900));
      default:
        return null;
    }
  }
}

interface Node {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly prefixItems?: readonly Node[];
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
}

/** Returns numbers from 0 to 1: mulberry32. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
