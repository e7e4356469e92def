/** The erasure of label orders: their personal data, the bytes of their labels, and the timelines of their parcels. */
import { expect } from 'chai';
import { labelStream } from '../../../src/events/labels/events.js';
import { trackingOfPackage } from '../../../src/events/orders/events.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { eventually } from '../../support/eventually.js';
import { openLabelWorld, shipmentOf, type LabelWorld } from '../../support/labels/world.js';

const SENDER = { name: 'SECRET-sender', street: 'SECRET-street 1', city: 'Kiel', postal_code: '24103', country: 'DE' };
const RECIPIENT = {
  name: 'SECRET-recipient',
  email: 'secret.recipient@example.org',
  street: 'Ring 1',
  city: 'Jena',
  postal_code: '07743',
};
const CUSTOMS = {
  contents_type: 'gift',
  currency: 'EUR',
  items: [
    { description: 'SECRET-customs', piece_count: 1, unit_value: '9.00', unit_weight_kg: 0.4, origin_country: 'DE' },
  ],
};
const SHIPMENT = {
  ship_from: SENDER,
  ship_to: { ...RECIPIENT, country: 'DE' },
  return_to: { name: 'SECRET-return', street: 'Ring 2', city: 'Ulm', postal_code: '89073', country: 'DE' },
  packages: [{ weight_kg: 0.7, description: 'SECRET-contents' }, { weight_kg: 1.1 }],
  customs: CUSTOMS,
};
const SECRET = /secret[-.]/i;

describe('the erasure of label orders', () => {
  let w: LabelWorld;
  before(async () => {
    w = await openLabelWorld();
    await w.setTerms({ rate_card_id: w.cards.EUR });
  });
  after(() => w?.stop());

  interface Made {
    readonly id: number;
    readonly numbers: readonly string[];
    readonly files: readonly string[];
  }
  async function orderOf(user: 'customer' | 'employee', body: object = SHIPMENT): Promise<Made> {
    const made = await w.as(user, '/label-orders', { ...body, method_id: w.sheet.method });
    expect(made.status, made.text).to.equal(201);
    const { id, tracking_numbers, packages } = made.json.label_order as {
      readonly id: number;
      readonly tracking_numbers: readonly string[];
      readonly packages: readonly { readonly label_file: { readonly file_id: string } }[];
    };
    return { id, numbers: tracking_numbers, files: packages.map(({ label_file }) => label_file.file_id) };
  }
  const erase = (subject: string) => w.as('client_admin', `/privacy/subjects/${encodeURIComponent(subject)}/erase`, {});
  const query = async <T>(text: string, values: unknown[]) =>
    (await w.t.service.engines.pool.query(text, values)).rows as T[];
  /** Which of these keys are destroyed. */
  const destroyed = async (keys: readonly string[]) =>
    (
      await query<{ subject: string }>(
        'select subject from vault.subject_keys where subject = any ($1) and destroyed_at is not null',
        [keys],
      )
    ).map(({ subject }) => subject);
  const keysOf = async ({ id, numbers }: Made) => {
    const [event] = (await w.t.service.engines.log.readMany([labelStream(id)])).get(labelStream(id))!;
    const business = (event!.data as unknown as { readonly business: number }).business;
    return [labelStream(id), ...numbers.map((number) => trackingOfPackage(business, number))];
  };
  const everything = async ({ id, files }: Made) => {
    const responses = [
      await w.as('employee', `/label-orders/${id}`),
      await w.as('employee', '/label-orders/files', { order_id: id }),
      await w.as('employee', '/label-orders?per_page=200'),
      ...(await Promise.all(files.map((file) => w.as('employee', `/files/${file}`)))),
    ];
    return responses.map(({ text }) => text).join('\n');
  };

  async function expectErased(made: Made): Promise<void> {
    const keys = await keysOf(made);
    expect(await destroyed(keys)).to.have.members(keys);
    const { json } = await w.as('employee', `/label-orders/${made.id}`);
    expect(json.label_order).to.include({ id: made.id, ship_from: null, ship_to: null });
    expect(json.label_order.tracking_numbers, 'facts remain').to.deep.equal(made.numbers);
    for (const file of made.files) expect((await w.as('employee', `/files/${file}`)).status).to.equal(404);
    const content = await w.as('employee', '/label-orders/files', { order_id: made.id });
    expect([content.status, content.json.code]).to.deep.equal([409, 'NO_LABEL']);
    await eventually(
      async () => (await query('select id from vault.files where subject = $1', [labelStream(made.id)])).length === 0,
      'the bytes of the labels are removed',
    );
    expect(await query('select rate_id from access.quotes where used_by = $1', [made.id])).to.deep.equal([]);
  }

  it('by their id: with the texts, the label files and the timelines of all packages', async () => {
    const [made, other] = [await orderOf('employee'), await orderOf('employee')];
    expect(await everything(made)).to.match(SECRET);
    expect(made.files).to.have.length(2);
    const erased = await erase(`label-${made.id}`);
    expect(erased.status, erased.text).to.equal(200);
    expect(erased.json).to.include({ subject: `label-${made.id}`, finished: true });
    await expectErased(made);
    expect(await destroyed(await keysOf(other)), 'no other order').to.deep.equal([]);
    expect((await w.as('employee', `/files/${other.files[0]}`)).status).to.equal(200);
  });

  it('by the number or the timeline of one of their packages', async () => {
    for (const subjectOf of [
      async ({ numbers }: Made) => numbers[1]!,
      async (made: Made) => `tracking-${(await keysOf(made))[1]}`,
    ]) {
      const made = await orderOf('employee');
      const { status, json, text } = await erase(await subjectOf(made));
      expect([status, json.subject], text).to.deep.equal([200, `label-${made.id}`]);
      await expectErased(made);
    }
  });

  it('never of another business', async () => {
    const made = await orderOf('employee');
    for (const subject of [`label-${made.id}`, made.numbers[0]!]) {
      const refused = await w.as('other_client_admin', `/privacy/subjects/${subject}/erase`, {});
      expect(refused.status, refused.text).to.equal(404);
    }
    expect(await destroyed(await keysOf(made))).to.deep.equal([]);
  });

  it('together with the customer, whose parcels they are', async () => {
    const made = [await orderOf('customer'), await orderOf('customer')];
    const ofOthers = await orderOf('employee', shipmentOf());
    const erased = await erase(`account-${w.customer}`);
    expect(erased.status, erased.text).to.equal(200);
    for (const one of made) await expectErased(one);
    expect(await destroyed(await keysOf(ofOthers))).to.deep.equal([]);
  });

  it('gives the same rows after a replay', () => expectSameReplay(w.t, ['labels', 'erasures']));
});
