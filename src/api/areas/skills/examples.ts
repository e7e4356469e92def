/** Example requests for skills. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

export const SKILL_EXAMPLES: Examples = {
  skillSet: {
    path: { code: 'adr' },
    body: { names: { en: 'Dangerous goods', de: 'Gefahrgut' }, needs_document: 'adr_certificate' },
  },
  driverSkillsSet: {
    path: { driver_id: 5 },
    body: { skills: [{ code: 'fridge' }, { code: 'adr', valid_until: '2030-12-31' }] },
  },
};
