/** The read model of skills: those of a business that are not retired. */
import { SkillDefined, SkillRetired, SKILLS_PREFIX, type Skill } from '../../events/skills/events.js';
import { integer, json, type RowOf } from '../core/columns.js';
import { startsWith, table } from '../core/table.js';

const columns = {
  business: integer(),
  /** By their codes. */
  skills: json<Readonly<Record<string, Skill>>>(),
  revision: integer(),
};
export type SkillsRow = RowOf<typeof columns>;

export const skills = table({
  name: 'skills',
  version: 1,
  prefixes: [SKILLS_PREFIX],
  columns,
  key: 'business',
  fold: startsWith(SkillDefined, ({ business, ...skill }, event): SkillsRow => ({
    business,
    skills: { [skill.code]: skill },
    revision: event.revision,
  }))
    .on(SkillDefined, ({ business: _business, ...skill }, { skills }) => ({
      skills: { ...skills, [skill.code]: skill },
    }))
    .on(SkillRetired, ({ code }, { skills }) => ({
      skills: Object.fromEntries(Object.entries(skills).filter(([one]) => one !== code)),
    })),
});

declare module '../core/projection.js' {
  interface ReadModels {
    skills: true;
  }
  interface Tables {
    'skills.skills': SkillsRow;
  }
}
