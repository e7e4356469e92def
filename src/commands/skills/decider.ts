/** Decides commands on the skills of a business. A retired code may be defined again. */
import { SKILLS, type Skill } from '../../events/skills/events.js';
import { keyedList, type KeyedListCommand } from '../core/keyed-list.js';

export type SkillCommand = KeyedListCommand<Skill>;

export const skills = keyedList<Skill>({
  ...SKILLS,
  most: 200,
  notFound: 'SKILL_NOT_FOUND',
  tooMany: 'TOO_MANY_SKILLS',
});
