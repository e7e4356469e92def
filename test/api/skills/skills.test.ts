/** Skills over real HTTP: the skills that a business defines, and the drivers who have them on a day. */
import { expect } from 'chai';
import { createDatabase } from '../../../src/projections/core/database.js';
import { createSkillQueries } from '../../../src/projections/skills/queries.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers } from '../../support/worlds/users.js';

describe('skills', () => {
  let t: TestService;
  let as: AsUsers;
  before(async () => {
    t = await startTestService();
    as = asUsers(t);
  });
  after(() => t.stop());

  const define = (code: string, body: object = {}) => as('client_admin', `/skills/${code}`, body, 'PUT');

  it('are defined, redefined, and retired; drivers have only defined skills', async () => {
    expect((await define('adr', { names: { en: 'Dangerous goods' }, needs_document: 'adr_card' })).status).to.equal(
      200,
    );
    await define('fridge', { names: { en: 'Cold', de: 'Kühl' } });
    await define('fridge', { names: { en: 'Cold goods' } });
    expect((await as('employee', '/skills')).json.skills).to.deep.equal([
      { code: 'adr', names: { en: 'Dangerous goods' }, needs_document: 'adr_card' },
      { code: 'fridge', names: { en: 'Cold goods' }, needs_document: null },
    ]);
    const driver = t.demo.users.driver.id;
    const given = [{ code: 'adr', valid_until: '2083-03-31' }, { code: 'fridge' }];
    const set = (skills: object[]) => as('employee', `/drivers/${driver}/skills`, { skills }, 'PUT');
    expect((await set(given)).json.driver.skills).to.deep.equal(given);
    const { json } = await as('employee', '/drivers');
    expect(json.drivers.find((one: { id: number }) => one.id === driver).skills).to.deep.equal(given);
    const refused = await set([{ code: 'crane' }]);
    expect([refused.status, refused.json.code]).to.deep.equal([422, 'UNKNOWN_SKILL']);

    const queries = createSkillQueries(createDatabase(t.service.engines.pool));
    const { business_id } = (await as('client_admin', '/me')).json.user;
    const on = async (date: string) => (await queries.on(date, [driver], business_id)).get(driver) ?? [];
    expect(await on('2083-03-31'), 'without the document').to.deep.equal(['fridge']);
    const body = { kind: 'adr_card', valid_until: '2083-04-30' };
    const { id } = (await as('employee', `/drivers/${driver}/documents`, body)).json.document;
    expect(await on('2083-03-31'), 'before somebody looked at it').to.deep.equal(['fridge']);
    await as('client_admin', `/drivers/${driver}/documents/${id}/decision`, { decision: 'verify' });
    expect(await on('2083-03-31')).to.deep.equal(['adr', 'fridge']);
    expect(await on('2083-04-01')).to.deep.equal(['fridge']);
    expect((await as('client_admin', '/skills/fridge', undefined, 'DELETE')).status).to.equal(200);
    expect((await as('client_admin', '/skills/fridge', undefined, 'DELETE')).status).to.equal(404);
    expect(await on('2083-04-01')).to.deep.equal([]);
    expect((await set([{ code: 'fridge' }])).status).to.equal(422);
    await expectSameReplay(t, ['skills', 'workers']);
  });
});
