/** Random commands to the skills of a business. */
import { skills } from '../../../../../src/commands/skills/decider.js';
import { skillSchema, skillsStream } from '../../../../../src/events/skills/events.js';
import { generator } from '../generator.js';

export const MIX = generator({
  define: ({ send, business }, pick) => {
    const skill = { ...pick.like(skillSchema), code: `skill_${pick.of(4)}`, names: { en: `Skill ${pick.of(3)}` } };
    return send(skills, skillsStream(business), { id: business, business, do: 'put', item: skill });
  },
  retire: ({ send, business }, pick) =>
    send(skills, skillsStream(business), { id: business, business, do: 'remove', key: `skill_${pick.of(4)}` }),
});
