/** Received events: the part that a caller may see, the context of a page, and the parts of a stored document. */
import { expect } from 'chai';
import { replaceEvents } from '../../../src/events/captures/text.js';
import { createNameLock } from '../../../src/commands/captures/name-lock.js';
import { checkEvent } from '../../../src/serializers/epcis/event-schema.js';
import { createPageContext, isStandardContext, OWN_CONTEXT } from '../../../src/serializers/epcis/page-context.js';
import { reduceToVisible, toDigitalLinks } from '../../../src/serializers/epcis/received.js';
import { CONTEXT, documentOf, scan } from '../../support/inputs/epcis-documents.js';

const [A, B, C] = ['1', '2', '3'].map((serial) => `urn:epc:id:sscc:4012345.300000000${serial}`) as [
  string,
  string,
  string,
];
const onlyA = (epc: string): boolean => epc === A;
const { epcList: _none, ...bare } = scan([], 'packing', 8);

describe('received events', () => {
  describe('for a caller that sees one parcel', () => {
    it('keep their type if the rest is valid', () => {
      const packed = { ...bare, type: 'AggregationEvent', action: 'ADD', parentID: C, childEPCs: [A, B] };
      expect(reduceToVisible(packed, onlyA)).to.deep.equal({ ...packed, childEPCs: [A] });
      expect(reduceToVisible(scan([B, A], 'arriving', 8), onlyA)).to.deep.equal(scan([A], 'arriving', 8));
    });

    it('become observations otherwise, without parcels, goods and identifiers of others', () => {
      const quantityList = [{ epcClass: 'urn:epc:class:lgtin:4012345.012345.L1', quantity: 1 }];
      const events = [
        { ...bare, type: 'AggregationEvent', action: 'ADD', parentID: A, childEPCs: [B, C] },
        { ...bare, type: 'AssociationEvent', action: 'DELETE', parentID: A },
        { ...bare, type: 'TransformationEvent', inputEPCList: [A, B], outputQuantityList: quantityList },
        { ...bare, type: 'TransformationEvent', inputEPCList: [B], outputEPCList: [A, C] },
      ];
      for (const event of events) {
        const reduced = reduceToVisible(event, onlyA);
        const text = JSON.stringify(reduced);
        expect(text, text).to.include(A).and.not.include(B).and.not.include(C);
        expect(checkEvent(JSON.parse(text), ''), text).to.deep.equal([]);
      }
    });
  });

  it('get Digital Links for parcels only, each once', () => {
    const link = 'https://id.gs1.org/00/340123450000000017';
    const { epcList, 'ex:epc': other } = toDigitalLinks(scan([A, link, B, 'urn:x:1'], 'arriving', 8, { 'ex:epc': A }));
    expect(epcList).to.deep.equal([link, 'https://id.gs1.org/00/340123450000000024', 'urn:x:1']);
    expect(other).to.equal(A);
  });

  describe('the context of a page', () => {
    it('joins those of the documents, and rejects a contradiction', () => {
      const page = createPageContext();
      expect(page.add(OWN_CONTEXT)).to.equal(true);
      expect(page.add([{ ex: 'https://one.example/' }, 'https://ctx.example/a.jsonld'])).to.equal(true);
      expect(page.add([{ ex: 'https://two.example/', my: 'https://my.example/' }])).to.equal(false);
      expect(page.add([{ ex: 'https://one.example/' }])).to.equal(true);
      expect(page.toContext()).to.deep.equal([
        CONTEXT,
        'https://ctx.example/a.jsonld',
        { otep: 'urn:otep:epcis:', ex: 'https://one.example/' },
      ]);
    });

    it('gives the first event its own meaning of every term', () => {
      const page = createPageContext();
      expect(page.add([{ otep: 'https://other.example/' }])).to.equal(true);
      expect(page.add(OWN_CONTEXT)).to.equal(false);
      expect(page.toContext()).to.deep.equal([CONTEXT, { otep: 'https://other.example/' }]);
    });

    it('knows the addresses of the standard', () => {
      expect(isStandardContext(CONTEXT)).to.equal(true);
      expect(isStandardContext('https://ref.gs1.org/standards/epcis/epcis-context.jsonld')).to.equal(true);
      for (const other of ['https://x.example/epcis-context.jsonld', {}, 7])
        expect(isStandardContext(other)).to.equal(false);
    });
  });

  it('are replaced in documents of every form', () => {
    const mark = (_event: unknown, index: number) => index;
    expect(replaceEvents(documentOf('a', 'b'), mark)).to.deep.equal(documentOf(0, 1));
    expect(replaceEvents(['a', 'b'], mark)).to.deep.equal([0, 1]);
    expect(replaceEvents({ type: 'ObjectEvent' }, mark)).to.equal(0);
    expect(replaceEvents(null, () => 'a')).to.equal('a');
    const results = (eventList: unknown[]) => ({
      type: 'EPCISQueryDocument',
      epcisBody: { queryResults: { queryName: 'q', resultsBody: { eventList } } },
    });
    expect(replaceEvents(results(['a']), mark)).to.deep.equal(results([0]));
  });
});

describe('the lock of names', () => {
  it('runs tasks with a common name one after the other, also after a failure', async () => {
    const oneAtATime = createNameLock();
    const steps: string[] = [];
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const first = oneAtATime(['a', 'b'], async () => {
      steps.push('first begins');
      await gate;
      steps.push('first ends');
      throw new Error('fails');
    });
    const second = oneAtATime(['b', 'c'], async () => void steps.push('second'));
    const other = oneAtATime(['d'], async () => void steps.push('other'));
    await other;
    open();
    await Promise.allSettled([first, second]);
    expect(steps).to.deep.equal(['first begins', 'other', 'first ends', 'second']);
  });
});
