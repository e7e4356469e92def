/**
 * Finds the target of a method and a path in a time that is independent of the number of paths. Paths match as in
 * Express 5: literal segments are case-sensitive, one slash at the end is ignored, and a parameter is one segment that
 * is not empty. A literal segment takes precedence over a parameter.
 */
import findMyWay, { type HTTPMethod } from 'find-my-way';

/** The HTTP server limits the head of a request, so a parameter needs no smaller limit. */
const MAX_PARAMETER_LENGTH = 65_536;

export interface Match<T> {
  readonly target: T;
  /** Decoded values by name. A parameter that spans segments (`*name`) is one text with slashes. */
  readonly params: Record<string, string>;
}

interface Registered<T> {
  readonly target: T;
  /** Name of the parameter that spans all segments to the end. */
  readonly spanning: string | undefined;
}

export type RouteTable<T> = ReturnType<typeof createRouteTable<T>>;

export function createRouteTable<T>() {
  const router = findMyWay({ caseSensitive: true, maxParamLength: MAX_PARAMETER_LENGTH });

  return {
    /**
     * `path` has the form of operations: `/orders/:order_id` or `/tile/*index`. Throws if the path is already
     * registered.
     */
    add(method: string, path: string, target: T): void {
      const spanning = /\*(\w+)$/.exec(path)?.[1];
      router.on(method as HTTPMethod, path.replace(/\*\w+$/, '*'), () => undefined, { target, spanning });
    },

    /** `path`: the path of the request, still encoded. Throws URIError for a parameter that cannot be decoded. */
    find(method: string, path: string): Match<T> | undefined {
      // The library decodes a path before it matches, but Express matches the encoded path. `escaped` restores that
      // behaviour.
      const escaped = path.includes('%') ? path.replaceAll('%', '%25') : path;
      return lookUp(method, escaped) ?? (escaped.endsWith('/') ? lookUp(method, escaped.slice(0, -1)) : undefined);
    },
  };

  function lookUp(method: string, path: string): Match<T> | undefined {
    if (path[0] !== '/') return undefined;
    const found = router.find(method as HTTPMethod, path);
    if (!found) return undefined;
    const { target, spanning } = found.store as Registered<T>;
    const params: Record<string, string> = {};
    for (const [name, value] of Object.entries(found.params)) {
      if (value === undefined || value === '') return undefined;
      params[name === '*' ? spanning! : name] = value.includes('%') ? decode(value) : value;
    }
    return { target, params };
  }
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch (error) {
    throw new URIError(`The path parameter '${value}' cannot be decoded.`, { cause: error });
  }
}
