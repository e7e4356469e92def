import { openLabelWorld, shipmentOf, type LabelWorld } from '../../support/labels/world.js';
describe('probe', () => {
  let w: LabelWorld;
  before(async () => { w = await openLabelWorld(); });
  after(() => w?.stop());
  it('works', async () => {
    const r = await w.as('employee', '/labelservice/rate', shipmentOf());
    console.log(r.status, r.text.slice(0, 3000));
    const made = await w.as('employee', '/label-orders', { ...shipmentOf(2), method_id: w.sheet.method });
    console.log(made.status, made.text.slice(0, 4000));
  });
});
