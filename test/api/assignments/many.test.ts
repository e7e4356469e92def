/**
 * Contractor assignments in large numbers, by REST and by GraphQL: many of one order at once, and many orders in one
 * request.
 */
import { expect } from 'chai';
import { INTERFACES, openAssignmentFixture, type AssignmentFixture } from '../../support/worlds/assignments.js';

for (const by of INTERFACES)
  describe(`contractor assignment over ${by}`, () => {
    let fixture: AssignmentFixture;
    before(async () => void (fixture = await openAssignmentFixture(by)));
    after(() => fixture.stop());

    it('50 parallel assignments of one order: each a move or an error, one active at the end, the ended ones a chain', async () => {
      const [order] = await fixture.orders.create(1);
      const contractors = [fixture.broker(), fixture.broker('broker_2')];
      for (let n = 0; n < 6; n++) {
        const { json } = await fixture.service.api('/users', {
          key: await fixture.tokenOf('client_admin'),
          body: {
            email: `parallel.${n}@example.com`,
            password: 'correct horse battery',
            name: `Parallel ${n}`,
            role: 'broker',
          },
        });
        contractors.push(json.user.id);
      }
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          fixture.assign([order], { broker_id: contractors[n % contractors.length] }),
        ),
      );
      for (const { status, json } of answers) {
        expect(status).to.equal(200);
        expect(json.assigned + json.skipped).to.equal(1);
        expect(json.errors).to.have.length(json.skipped);
      }
      const records = (await fixture.list(`?order_id=${order}&per_page=200`)).json.assignments as {
        status: string;
        broker_id: number;
        assigned_at: string;
        ended_at: string | null;
      }[];
      expect(records).to.have.length(answers.filter(({ json }) => json.assigned === 1).length);
      expect(records.length).to.be.above(8);
      expect(records.map(({ status }) => status)).to.deep.equal(['active', ...records.slice(1).map(() => 'revoked')]);
      for (let at = 1; at < records.length; at++) {
        expect(records[at]!.ended_at, 'ends where the next one begins').to.equal(records[at - 1]!.assigned_at);
        expect(records[at]!.broker_id).to.not.equal(records[at - 1]!.broker_id);
      }
    });

    it('1,000 orders at once', async () => {
      const made = await fixture.orders.create(1_000);
      const { json } = await fixture.assign(made);
      expect(json).to.deep.equal({ result: true, assigned: 1_000, skipped: 0, errors: [] });
      expect((await fixture.list(`?status=active&per_page=200&page=5`)).json.assignments).to.have.length(200);

      // Only every n-th order, so the pages come from all parts of the list.
      const every = (step: number) => made.filter((_, index) => index % step === 0);
      await fixture.revoke(every(97));
      await fixture.assign(every(150), { broker_id: fixture.broker('broker_2') });
      const all = await pages('', 200);
      for (const status of ['active', 'revoked', 'released'])
        for (const broker of [undefined, fixture.broker(), fixture.broker('broker_2')]) {
          const query = `&status=${status}${broker === undefined ? '' : `&broker_id=${broker}`}`;
          const expected = all
            .filter((one) => one.status === status && (broker === undefined || one.broker_id === broker))
            .map(({ id }) => id);
          expect(
            (await pages(query, expected.length > 100 ? 150 : 3)).map(({ id }) => id),
            query,
          ).to.deep.equal(expected);
        }
      expect((await fixture.revoke(made)).json.revoked).to.be.above(980);
    });

    /** Reads page by page to the end. */
    async function pages(
      query: string,
      perPage: number,
    ): Promise<readonly { readonly id: number; readonly status: string; readonly broker_id: number }[]> {
      const found = [];
      for (let page = 1; ; page++) {
        const { json } = await fixture.list(`?per_page=${perPage}&page=${page}${query}`);
        found.push(...json.assignments);
        if (json.assignments.length < perPage) {
          expect(json.total, query).to.equal(found.length);
          return found;
        }
      }
    }
  });
