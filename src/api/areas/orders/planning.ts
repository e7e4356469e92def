/** Requirements of an order for route plans: the members of `Order.planning`. */
import { z } from 'zod';
import { customAmountsInput } from '../plans/capacities.js';

/** Skill code, as used for drivers and vehicles. */
export const skillCode = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/);
export const planningMembers = {
  service_time_s: z.int().min(0).max(28_800),
  required_skills: z.array(skillCode).max(20),
  priority: z.int().min(0).max(9),
  custom_sizes: customAmountsInput,
};
