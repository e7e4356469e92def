/** The route table matches like the router of Express 5, which it replaced: the same operation and parameters. */
import { expect } from 'chai';
import express, { type NextFunction, type Request, type Response } from 'express';
import { describeOperations } from '../../../src/compose/describe-operations.js';
import { createRouteTable } from '../../../src/api/rest/route-table.js';

type Outcome = string | { readonly name: string; readonly params: Readonly<Record<string, string>> };

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** Encoded as a client sends them. */
const VALUES = [
  '7',
  'a.b-c_d~e',
  'JJD%20000',
  'a%2Fb%3Ac',
  '%25',
  '%2525',
  '%C3%A9%E4%B8%AD',
  "(a);b=c,d+e@f!*'$&",
  'x.geojson',
  'a:b',
  '..',
  '%2e%2E',
  '%ZZ',
  '%E0%A4%A',
  '%',
  'x'.repeat(3_000),
] as const;

describe('route table', () => {
  const operations = describeOperations();
  const table = createRouteTable<string>();
  const router = express.Router({ caseSensitive: true });
  let reached: Outcome | undefined;
  for (const { name, rest } of operations) {
    table.add(rest.method.toUpperCase(), rest.path, name);
    router[rest.method](rest.path, ({ params }: Request, _response: Response, next: NextFunction) => {
      const texts = Object.entries(params).map(([key, value]) => [key, [value].flat().join('/')]);
      reached = { name, params: Object.fromEntries(texts) as Record<string, string> };
      next('router');
    });
  }

  /**
   * The result of Express. It is also `undecodable` if only another method has the path, as Express tries each path
   * first.
   */
  const byExpress = (method: string, path: string): Promise<Outcome> =>
    new Promise((resolve) => {
      reached = undefined;
      router({ method, url: path } as Request, {} as Response, (error?: unknown) =>
        resolve(error ? (error instanceof URIError ? 'undecodable' : String(error as Error)) : (reached ?? 'none')),
      );
    });

  function byTable(method: string, path: string): Outcome {
    try {
      const match = table.find(method === 'HEAD' ? 'GET' : method, path);
      if (match) return { name: match.target, params: { ...match.params } };
      for (const other of METHODS) table.find(other, path);
      return 'none';
    } catch (error) {
      return error instanceof URIError ? 'undecodable' : String(error);
    }
  }

  /** The path with one value for each parameter. */
  const filled = (path: string, value: string): string => path.replace(/[:*]\w+/g, () => value);

  /** Paths with a fixed segment where this path has a parameter: `/orders/search` for `/orders/:id`. */
  function siblings(path: string): string[] {
    const segments = path.split('/');
    return segments.flatMap((segment, index) => {
      if (!segment.startsWith(':')) return [];
      const before = `${segments.slice(0, index).join('/')}/`;
      return operations
        .filter(({ rest }) => rest.path.startsWith(before))
        .map(({ rest }) => filled([...segments.slice(0, index), rest.path.split('/')[index]!].join('/'), '7'))
        .map((start) => [start, ...segments.slice(index + 1)].join('/'))
        .map((one) => filled(one, '7'));
    });
  }

  async function expectSame(paths: Iterable<string>): Promise<number> {
    let compared = 0;
    for (const path of new Set(paths))
      for (const method of METHODS) {
        expect(byTable(method, path), `${method} ${path}`).to.deep.equal(await byExpress(method, path));
        compared++;
      }
    return compared;
  }

  it('finds each operation by its path', () => {
    for (const { name, rest } of operations)
      expect(byTable(rest.method.toUpperCase(), filled(rest.path, '7')), name).to.deep.include({ name });
  });

  it('matches encoded, long and undecodable parameters like Express', async () => {
    const shapes = operations.filter(({ rest }) => /[:*]/.test(rest.path)).map(({ rest }) => rest.path);
    expect(await expectSame(shapes.flatMap((path) => VALUES.map((value) => filled(path, value))))).to.be.above(5_000);
  });

  it('prefers fixed segments to parameters like Express', async () => {
    const paths = operations.flatMap(({ rest }) => siblings(rest.path));
    expect(paths).to.include('/v1/orders/search');
    await expectSame(paths);
  });

  it('treats slashes, case, and additional or missing segments like Express', async () => {
    const paths = operations.flatMap(({ rest }) => {
      const path = filled(rest.path, 'a');
      const parent = path.slice(0, path.lastIndexOf('/'));
      return [
        `${path}/`,
        `${path}//`,
        `/${path}`,
        path.replace(/(?<=.)\//g, '//'),
        `${parent}/`,
        parent || '/',
        `${path}/more`,
        `${path}/b/c/`,
        path.toUpperCase(),
        path.replace(/e/, '%65'),
        `${path}%2F`,
        `${path};v=1`,
        filled(rest.path, ''),
      ];
    });
    await expectSame([...paths, '/', '//', '/v1', '/%', '*']);
  });

  it('rejects a second target at the same place', () => {
    const other = createRouteTable<number>();
    other.add('GET', '/orders/:order_id', 1);
    expect(() => other.add('GET', '/orders/:id', 2)).to.throw('already declared');
    other.add('POST', '/orders/:id', 3);
    expect(other.find('POST', '/orders/a%20b')).to.deep.equal({ target: 3, params: { id: 'a b' } });
  });
});
