/** Providers see no personal data of an order that they have not accepted. */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../support/depth.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { openThirdPartyWorld, type ThirdPartyWorld } from '../../support/worlds/third-party.js';

/** Sequences of this length of a person's text do not occur in other parts of the response by chance. */
const LENGTH = 4;
const sequencesOf = (text: string): string[] =>
  Array.from({ length: Math.max(1, text.length - LENGTH + 1) }, (_, n) => text.slice(n, n + LENGTH));

/** Letters that the names of members, cities and ids of the response do not contain. */
const word = fc.string({ unit: fc.constantFrom(...'QXJZÄÖÜŁØÞЖЩФ'), minLength: 6, maxLength: 12 });
const digits = fc.string({ unit: fc.constantFrom(...'٠١٢٣٤٥٦٧٨٩'), minLength: 8, maxLength: 12 });
const person = fc.record({
  name: word,
  company: word,
  street: word,
  street_2: word,
  mail: word,
  phone: digits,
  text: word,
});

describe('offered orders', () => {
  let t: TestService;
  let w: ThirdPartyWorld;
  before(async () => {
    t = await startTestService();
    w = openThirdPartyWorld(t);
  });
  after(() => t.stop());

  it('customer-and-catalogue 5: contain no part of a name, street, phone, e-mail or text of the person', async () => {
    const people = fc.sample(person, runs(40));
    const offers = [];
    for (const { mail, text, ...one } of people) {
      const stop = { ...one, email: `${mail}@example.com`, city: 'Berlin', postal_code: '10115', country: 'DE' };
      offers.push(
        await w.offered(
          {},
          {
            type: 'P2P',
            order_ref: text,
            pickup: { ...stop, position: { latitude: 52.5, longitude: 13.4 } },
            delivery: { ...stop, position: { latitude: 52.6, longitude: 13.4 } },
            packages: [{ tracking_number: `SEEN${offerNumber()}`, weight: 2 }],
            descriptions: { x: text },
            delivery_instruction: text,
            note: text,
          },
        ),
      );
    }
    let cursor = '';
    let shown = '';
    const distances = new Set<number>();
    for (let more = true; more;) {
      const { json, text } = await w.pull('provider', `?limit=10${cursor}`);
      shown += text;
      for (const order of json.orders) distances.add(order.distance_m);
      more = json.has_more;
      cursor = `&cursor=${json.next_cursor}`;
    }
    shown += (await w.read('provider', offers[0]!.id)).text;
    expect(distances).to.deep.equal(new Set([11_100]));
    expect(shown.split('"status":"offered"')).to.have.length(people.length + 2);
    for (const one of people)
      for (const text of Object.values(one))
        for (const part of sequencesOf(text)) expect(shown.includes(part), `${part} of ${text}`).to.equal(false);
    // The same texts are found where they are shown: after the acceptance.
    const { text } = await w.accept('provider', offers[0]!);
    for (const shownAfterwards of [people[0]!.name, people[0]!.street, people[0]!.phone, people[0]!.text])
      expect(text).to.include(shownAfterwards);
    // The members of the list are exactly the members that the design allows.
    const [order] = (await w.pull('provider', '?limit=1')).json.orders;
    expect(Object.keys(order.delivery)).to.deep.equal(['city', 'postal_code', 'country']);
    expect(Object.keys(order.packages[0])).to.deep.equal(['weight_kg']);
  });
});

let count = 0;
const offerNumber = (): number => (count += 1);
