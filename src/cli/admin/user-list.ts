/** `admin user list`: lists the accounts of all businesses or of one. */
import { createAccountQueries } from '../../projections/accounts/queries.js';
import { createDatabase } from '../../projections/core/database.js';
import { command } from '../command.js';
import { withWorkbench } from '../engines.js';

const PAGE = 500;

export const listUsers = command({
  name: 'user list',
  summary: 'List accounts, one per line: id, role, business, status, e-mail address, name.',

  options: { business: { value: '<code>', about: 'Only accounts of this business.' } },

  async run({ values }, context) {
    return withWorkbench(context, async ({ engines: { pool, keyRing }, catchUp }) => {
      await catchUp();
      const accounts = createAccountQueries({ pool, database: createDatabase(pool), keyRing, now: Date.now });
      const business = values.business === undefined ? undefined : await accounts.businessByCode(values.business);
      if (values.business !== undefined && !business)
        throw new Error(`The business ${values.business} does not exist.`);
      const { rows } = await pool.query<{ id: number; code: string }>('select id, code from businesses.businesses');
      const codes = new Map(rows.map(({ id, code }) => [id, code]));
      for (let offset = 0; ; offset += PAGE) {
        const page = await accounts.list({ ...(business && { business: business.id }), offset, limit: PAGE });
        for (const { id, role, business: of, status, email, name } of page.accounts)
          await context.print([id, role, codes.get(of ?? 0) ?? '-', status, email ?? '-', name ?? '-'].join('\t'));
        if (offset + PAGE >= page.total) return;
      }
    });
  },
});
