/** The read model of skills: the skills of a business that are not retired. */
import { SKILLS, type Skill } from '../../events/skills/events.js';
import { keyedListTable } from '../core/keyed-list.js';

export const skills = keyedListTable<Skill>({ ...SKILLS, name: 'skills', version: 1 });

declare module '../core/projection.js' {
  interface ReadModels {
    skills: true;
  }
}
