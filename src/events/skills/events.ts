/** Skills that a business can require of drivers: `adr`, `fridge`. Stream `skills-<business>`. */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';
import type { KeyedList } from '../core/keyed-list.js';

export const SKILLS_PREFIX = 'skills-';
export const skillsStream = (business: number): string => `${SKILLS_PREFIX}${business}`;

export const skillSchema = z.object({
  /** Code that orders and vehicles refer to. */
  code: z.string(),
  /** Names by language. */
  names: z.record(z.string(), z.string()),
  /** Kind of document that a driver with the skill must also have. */
  needs_document: z.string().optional(),
});
export type Skill = z.infer<typeof skillSchema>;

/** The complete new definition. */
export const SkillDefined = eventType('SkillDefined', skillSchema.extend({ business: z.int() }));
export const SkillRetired = eventType('SkillRetired', z.object({ code: z.string() }));

export const SKILL_EVENTS = [SkillDefined, SkillRetired] as const;

export const SKILLS = {
  prefix: SKILLS_PREFIX,
  key: 'code',
  saved: SkillDefined,
  removed: SkillRetired,
} as const satisfies KeyedList<Skill>;
