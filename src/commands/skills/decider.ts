/** What may happen to the skills of a business. A retired code may be defined again. */
import { isDeepStrictEqual } from 'node:util';
import { SkillDefined, SkillRetired, SKILLS_PREFIX, type Skill } from '../../events/skills/events.js';
import { DomainError } from '../core/domain-error.js';
import { entity, happened, type EntityCommand } from '../core/entity.js';

/** Of one business. */
export const MAX_SKILLS = 200;

export type SkillCommand = EntityCommand &
  ({ readonly do: 'define'; readonly skill: Skill } | { readonly do: 'retire'; readonly code: string });

const plain = (skill: Skill): unknown => JSON.parse(JSON.stringify(skill));

export const skills = entity<Map<string, unknown>, SkillCommand>({
  name: SKILLS_PREFIX,
  makes: 'define',
  madeOnce: false,
  notFound: 'SKILL_NOT_FOUND',
  initial: () => new Map(),
  decide(known, command) {
    if (command.do === 'retire') {
      if (!known.has(command.code)) throw new DomainError('SKILL_NOT_FOUND');
      return happened(SkillRetired, { code: command.code });
    }
    const { skill, business } = command;
    if (isDeepStrictEqual(known.get(skill.code), plain(skill))) return undefined;
    if (!known.has(skill.code) && known.size >= MAX_SKILLS)
      throw new DomainError('TOO_MANY_SKILLS', { most: MAX_SKILLS });
    return happened(SkillDefined, { ...skill, business });
  },
  evolve(known, { type, data }) {
    const { business: _business, ...skill } = data as { business?: number; code: string };
    if (type === SkillDefined.type) known.set(skill.code, plain(skill as unknown as Skill));
    if (type === SkillRetired.type) known.delete(skill.code);
    return known;
  },
});
