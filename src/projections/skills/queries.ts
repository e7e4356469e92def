/** Queries on the read models of skills and of the drivers who have them. */
import type { Kysely } from 'kysely';
import type { DriverSkill } from '../../events/drivers/events.js';
import type { Skill } from '../../events/skills/events.js';
import { createHeldDocuments } from '../drivers/document-queries.js';
import type { Database } from '../core/database.js';
import { skills as skillRows } from './read-model.js';

export interface SkillQueries {
  /** Skills that are not retired, sorted by code. */
  of(business: number): Promise<readonly Skill[]>;
  /** Skills that were given to drivers, valid or not. Drivers without any are absent. */
  given(driverIds: readonly number[]): Promise<ReadonlyMap<number, readonly DriverSkill[]>>;
  /**
   * Codes of the valid skills of drivers on a day (`YYYY-MM-DD`). A skill is valid if it is not retired and not
   * expired, and if its required document is verified. Drivers without any are absent.
   */
  on(date: string, driverIds: readonly number[], business: number): Promise<ReadonlyMap<number, readonly string[]>>;
}

export function createSkillQueries(database: Kysely<Database>): SkillQueries {
  const documents = createHeldDocuments(database);
  const { of } = skillRows.queries(database);

  async function given(driverIds: readonly number[]) {
    if (driverIds.length === 0) return new Map<number, readonly DriverSkill[]>();
    const rows = await database
      .selectFrom('workers.workers')
      .select(['id', 'skills'])
      .where('id', 'in', [...driverIds])
      .execute();
    return new Map(rows.filter(({ skills }) => skills.length > 0).map(({ id, skills }) => [id, skills]));
  }

  return {
    of,
    given,
    async on(date, driverIds, business) {
      const [known, all] = await Promise.all([of(business), given(driverIds)]);
      const needs = new Map(known.map(({ code, needs_document }) => [code, needs_document]));
      const needsDocuments = known.some(({ needs_document }) => needs_document !== undefined);
      const heldDocuments = needsDocuments
        ? await documents.held(date, driverIds)
        : new Map<number, ReadonlySet<string>>();
      const hasDocument = (id: number, code: string) => {
        const kind = needs.get(code);
        return kind === undefined || heldDocuments.get(id)?.has(kind) === true;
      };
      const held = [...all].map(
        ([id, skills]) =>
          [
            id,
            skills
              .filter(({ code, valid_until }) => needs.has(code) && (valid_until === undefined || valid_until >= date))
              .filter(({ code }) => hasDocument(id, code))
              .map(({ code }) => code),
          ] as const,
      );
      return new Map(held.filter(([, codes]) => codes.length > 0));
    },
  };
}
