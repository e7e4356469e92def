/** The material for inputs, and the share of each interface. */
import { createSchema } from '../../../src/api/graphql/schema.js';
import { pathsOf } from '../../../src/api/mcp/protocol.js';
import { describeFeeds, describeOperations } from '../../../src/compose/described.js';
import { camel } from '../clients/both-ways.js';
import type { Dice } from './dice.js';
import type { Known } from './generate.js';
import { graphqlSurface } from './graphql.js';
import { mcpSurface, type McpTool } from './mcp.js';
import { oauthSurface, pagesSurface } from './oauth.js';
import { restSurface, type Sound } from './rest.js';
import type { Shot, Surface } from './request.js';
import { socketSurface } from './sockets.js';

/** Plain data, because it is sent to another thread. */
export interface Stock {
  readonly sound: Sound;
  readonly known: Known;
  readonly tools: readonly McpTool[];
  readonly callers: readonly (string | undefined)[];
}

/** Returns a function that generates an input; the same dice give the same input. */
export function shotsFrom({ sound, known, tools, callers }: Stock): (dice: Dice) => Shot {
  const operations = describeOperations();
  const inGraphQL: Known = new Map([...known].map(([name, values]) => [camel(name), values]));
  const surfaces = {
    rest: restSurface(operations, { sound, known, callers }),
    graphql: graphqlSurface(createSchema(operations, describeFeeds()), { known: inGraphQL, callers }),
    mcp: mcpSurface(tools, { paths: [...pathsOf('operations'), ...pathsOf('developer')], known, callers }),
  };
  return (dice) => surfaceOf(dice, surfaces)(dice);
}

/**
 * Selects an interface. Of a hundred requests: sixty REST, fifteen GraphQL, fifteen MCP, six OAuth, two pages, two bare
 * sockets.
 */
function surfaceOf(
  dice: Dice,
  { rest, graphql, mcp }: { readonly rest: Surface; readonly graphql: Surface; readonly mcp: Surface },
): Surface {
  const at = dice.below(100);
  if (at < 60) return rest;
  if (at < 75) return graphql;
  if (at < 90) return mcp;
  if (at < 96) return oauthSurface;
  return at < 98 ? pagesSurface : socketSurface;
}
