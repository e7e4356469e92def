/** Agents: operations for developers and programs that integrate with the service. */
import { AGENT_EXAMPLES } from '../api/areas/agents/examples.js';
import { agents as createAgents } from '../api/areas/agents/operations.js';
import { area } from './area.js';

export const agents = area({
  name: 'agents',
  examples: AGENT_EXAMPLES,
  services: ({ baseUrl, version, now, operations }) =>
    createAgents({ baseUrl, version, now, operations, graphql: true }),
  operations: ({ operations }) => operations,
});
