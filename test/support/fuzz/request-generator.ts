/** The material for inputs, and the share of each interface. */
import { createSchema } from '../../../src/api/graphql/schema.js';
import { pathsOf } from '../../../src/api/mcp/protocol.js';
import { describeFeeds, describeOperations } from '../../../src/compose/describe-operations.js';
import { toCamelCase } from '../clients/rest-and-graphql.js';
import type { Random } from './random.js';
import type { KnownValues } from './generate.js';
import { graphqlRequests } from './graphql.js';
import { mcpRequests, type McpTool } from './mcp.js';
import { oauthRequests, pageRequests } from './oauth.js';
import { restRequests, type ValidInputs } from './rest.js';
import type { FuzzRequest, RequestGenerator } from './request.js';
import { socketRequests } from './sockets.js';

/** Plain data, because it is sent to another thread. */
export interface FuzzInputs {
  readonly validInputs: ValidInputs;
  readonly known: KnownValues;
  readonly tools: readonly McpTool[];
  readonly callers: readonly (string | undefined)[];
}

/** Returns a function that generates an input; the same dice give the same input. */
export function createGenerator({ validInputs, known, tools, callers }: FuzzInputs): (random: Random) => FuzzRequest {
  const operations = describeOperations();
  const inGraphQL: KnownValues = new Map([...known].map(([name, values]) => [toCamelCase(name), values]));
  const generators = {
    rest: restRequests(operations, { validInputs, known, callers }),
    graphql: graphqlRequests(createSchema(operations, describeFeeds()), { known: inGraphQL, callers }),
    mcp: mcpRequests(tools, { paths: [...pathsOf('operations'), ...pathsOf('developer')], known, callers }),
  };
  return (random) => pickGenerator(random, generators)(random);
}

/**
 * Selects an interface. Of a hundred requests: sixty REST, fifteen GraphQL, fifteen MCP, six OAuth, two pages, two bare
 * sockets.
 */
function pickGenerator(
  random: Random,
  {
    rest,
    graphql,
    mcp,
  }: { readonly rest: RequestGenerator; readonly graphql: RequestGenerator; readonly mcp: RequestGenerator },
): RequestGenerator {
  const at = random.below(100);
  if (at < 60) return rest;
  if (at < 75) return graphql;
  if (at < 90) return mcp;
  if (at < 96) return oauthRequests;
  return at < 98 ? pageRequests : socketRequests;
}
