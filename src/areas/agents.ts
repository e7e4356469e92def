/** Agents: what those need who integrate, people and machines. */
import { agents as createAgents } from '../api/areas/agents/operations.js';
import { area } from './area.js';

export const agents = area({
  name: 'agents',
  services: ({ baseUrl, version, now, operations }) =>
    createAgents({ baseUrl, version, now, operations, graphql: true }),
  operations: ({ operations }) => operations,
});
