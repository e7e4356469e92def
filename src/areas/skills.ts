/** Skills: the list of skills that work can require, and the skills of each driver. */
import { SKILL_EXAMPLES } from '../api/areas/skills/examples.js';
import { skillOperations } from '../api/areas/skills/operations.js';
import { skills as decider } from '../commands/skills/decider.js';
import { SKILL_EVENTS, SKILLS_PREFIX } from '../events/skills/events.js';
import { createSkillQueries } from '../projections/skills/queries.js';
import { skills as skillRows } from '../projections/skills/read-model.js';
import { accounts } from './accounts.js';
import { area } from './area.js';

export const skills = area({
  name: 'skills',
  examples: SKILL_EXAMPLES,
  streams: [{ prefix: SKILLS_PREFIX, events: SKILL_EVENTS, tenant: 'business' }],
  readModels: [skillRows],
  errors: { SKILL_NOT_FOUND: 404, UNKNOWN_SKILL: 422, TOO_MANY_SKILLS: 422 },
  services: ({ database }) => ({ queries: createSkillQueries(database) }),
  operations: ({ queries }, { handle, commands, of }) =>
    skillOperations({ handle: handle(decider), drivers: commands.drivers, queries, accounts: of(accounts).queries }),
});
