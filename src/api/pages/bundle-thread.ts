/**
 * Reads a browser bundle from its package in a worker thread. The packages contain it as text in a module, which would
 * otherwise stay in memory and be parsed on the main thread.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { BundleName } from './bundles.js';

type Files = Record<string, string>;

interface Route {
  readonly url: string;
  readonly handler: (request: unknown, reply: unknown) => unknown;
}

/** Scalar publishes its bundle without dependencies only as a route of the Fastify plugin. */
async function scalar(): Promise<Files> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const routes: Route[] = [];
  const recorder = { initialConfig: {}, log: console, route: (route: Route) => routes.push(route) };
  const options = { routePrefix: '/', configuration: { url: '/' } };
  (plugin as unknown as (fastify: object, options: object, done: () => void) => void)(recorder, options, () => {});
  let script: string | undefined;
  const reply = { header: () => reply, send: (body: string) => (script = body) };
  void routes.find(({ url }) => url.endsWith('.js'))?.handler({}, reply);
  if (script === undefined) throw new Error('@scalar/fastify-api-reference has no route for its script.');
  return { 'scalar.js': script.replace(/\n\/\/# sourceMappingURL=.*$/, '') };
}

/** GraphiQL with its editor and workers, as built by GraphQL Yoga. */
async function graphiql(): Promise<Files> {
  const { css, js, editorWorkerService, graphqlWorker, jsonWorker } =
    await import('@graphql-yoga/render-graphiql/graphiql');
  return {
    'graphiql.css': css,
    'graphiql.js': js,
    'editor-worker.js': editorWorkerService,
    'graphql-worker.js': graphqlWorker,
    'json-worker.js': jsonWorker,
  };
}

const READERS: Readonly<Record<BundleName, () => Promise<Files>>> = { scalar, graphiql };

const files = await READERS[workerData as BundleName]();
parentPort!.postMessage(
  Object.fromEntries(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)])),
);
