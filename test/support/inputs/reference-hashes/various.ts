/** The document with an event of each type. */
import { at, dl, event, given, links, lots, observed, type PublishedEvent } from './words.js';

const bt = (type: string, number: string) => ({ type, bizTransaction: `urn:epcglobal:cbv:bt:${number}` });
const party = (key: 'source' | 'destination', type: string, gln: string) => ({
  type,
  [key]: dl(`${type === 'location' ? '414' : '417'}/${gln}`),
});
const pallet = {
  epcList: links('00/052000011111111461'),
  bizTransactionList: [bt('inv', '5200001000008:RE1099'), bt('desadv', '5200001000008:4711')],
};
const packed = (time: string, more: object) => event('Aggregation', time, '+02:00', more);
const mixed = (more: object) =>
  event('Transformation', '2019-10-21T12:58:56.591Z', '+02:00', {
    inputEPCList: links('01/04012345111224/21/25', '01/04000001654321/21/99886655'),
    readPoint: at('4012345000016'),
    ...more,
  });
const made = links(
  '01/04012345778892/21/28',
  '01/04012345778892/21/27',
  '01/04012345778892/21/26',
  '01/04012345778892/21/25',
);
const batch = (lot: string, best: string) => ({
  'https://ns.example.com/epcis/bestBeforeDate': best,
  'https://ns.example.com/epcis/batch': lot,
});

export const VARIOUS: readonly PublishedEvent[] = [
  given(
    '253f0178f96349eedc207505b49044a602129605cf692e3d9f1f36c8bd1dfb0d',
    observed('2019-10-21T10:00:30Z', '+01:00', {
      ...pallet,
      bizStep: 'departing',
      readPoint: at('5200001999012'),
      sourceList: [party('source', 'possessing_party', '5200001000008')],
      destinationList: [
        party('destination', 'possessing_party', '4000001987658'),
        party('destination', 'location', '4012345000122'),
      ],
    }),
  ),
  given(
    'ef43acf0e69951f79739f603f714893784648a41bac3f58035b5830a978a2631',
    observed('2019-10-21T11:00:30Z', '+01:00', {
      ...pallet,
      bizStep: 'receiving',
      readPoint: at('4012345000122'),
      sourceList: [
        party('source', 'possessing_party', '4000001000128'),
        party('source', 'owning_party', '4000001000128'),
      ],
      destinationList: [
        party('destination', 'possessing_party', '4012345000009'),
        party('destination', 'owning_party', '4012345000009'),
        party('destination', 'location', '4012345000122'),
      ],
    }),
  ),
  given(
    'c50842eb714406394a77fb7b517fea621c78a61f65549874de7c9e019afe7b6f',
    observed('2019-10-21T14:45:00Z', '+01:00', {
      epcList: links('00/040123451111111110'),
      bizStep: 'inspecting',
      disposition: 'in_progress',
      readPoint: at('4012345000245'),
    }),
  ),
  given(
    '5f396ea5cb32fe4d0980cb79f5a5eb9640559e9f5a6cefa5c98a7d6ad554b50b',
    event('Object', '2019-10-21T12:58:56Z', '+02:00', {
      action: 'ADD',
      quantityList: lots(['01/04054739999148/10/20160711', 600, 'KGM']),
      bizStep: 'commissioning',
      readPoint: at('4054739000011'),
      ilmd: { 'cbvmda:bestBeforeDate': '2019-10-21' },
    }),
  ),
  given(
    'c941e6486c561c2be83c28dc228c150eaef9a6befb1015e6cc563982fb7414b6',
    packed('2019-10-21T09:58:56.591Z', {
      action: 'ADD',
      parentID: dl('00/040470231111111229'),
      childEPCs: links(
        '01/04047023775511/21/97',
        '01/04047023775511/21/98',
        '01/04047023775511/21/107',
        '01/04047023775511/21/109',
      ),
      bizStep: 'packing',
      readPoint: at('4047023000125'),
    }),
  ),
  given(
    'cfda50b7ff23682e989bafc3747ac9b752f405305fcde6618280f6be27344f35',
    packed('2019-10-21T15:30:56.591Z', {
      action: 'ADD',
      parentID: dl('00/040123441111111333'),
      childQuantityList: lots(['01/04054739999025/10/P2', 12, 'KGM'], ['01/04054739123451/10/lot2', 17]),
      bizStep: 'packing',
      readPoint: at('4012345000252'),
    }),
  ),
  given(
    'c4bdb87c8d59d6ab569d0cfc6583e9dd4c314cdf71799b0ef8d4febe5239d9c5',
    packed('2019-10-21T09:58:56.591Z', {
      action: 'DELETE',
      parentID: dl('00/040123441111111449'),
      bizStep: 'unpacking',
      readPoint: at('4012345000252'),
      bizTransactionList: [bt('inv', '4012345123456:RE1099')],
    }),
  ),
  given(
    'a62b9f9e429fcba628ea47d073542ca67e9fbe4688df2c649b8cd13b8519b91f',
    packed('2019-10-21T12:02:56Z', {
      action: 'DELETE',
      parentID: dl('00/040123449988111227'),
      childEPCs: links('00/040123449988111258', '00/040123449988111234', '00/040123449988111241'),
      bizStep: 'unpacking',
      readPoint: at('4012345000771'),
      bizTransactionList: [bt('inv', '4012345123456:4711')],
    }),
  ),
  given(
    'cf6559dc931963f19ed9cd2fe33c02ef64c8cfd557e5a96b086a87db315b7122',
    event('Transaction', '2019-10-21T06:05:00Z', '-06:00', {
      action: 'ADD',
      epcList: links('01/10614141073402/21/2', '01/10614141073402/21/1'),
      bizStep: 'shipping',
      readPoint: at('4012345000009/254/5'),
      bizLocation: at('4012345000009'),
      bizTransactionList: [bt('po', '4012345123456:RE100099')],
    }),
  ),
  given(
    'b741a543ea0b2a4c4bdb3441c7dc196b41710e5b2c9870b211fac8d6d4c93427',
    event('Transaction', '2019-10-21T12:58:56.591Z', '+02:00', {
      action: 'ADD',
      quantityList: lots(['01/04012345999884/10/2014-02-10', 2030, 'KGM']),
      bizStep: 'holding',
      readPoint: at('4012345000252'),
      bizLocation: at('4012345000023'),
      bizTransactionList: [bt('inv', '4012345123456:RE1099')],
    }),
  ),
  given(
    '335da6c3ab1d932824748791beec4d7ed261ed383f6849f6b8718e8fafb4d298',
    mixed({
      outputEPCList: made,
      transformationID: dl('253/40123455555541234'),
      bizStep: 'commissioning',
      ilmd: batch('4711', '2020-11-10'),
    }),
  ),
  given(
    '36ab2ba0e3eac03d14a630148c63c31da00b8c4f1c311f501eb459e89a6e6350',
    mixed({
      inputQuantityList: lots(
        ['01/04012345111118/10/4444', 10, 'KGM'],
        ['01/00614141777778/10/987', 30],
        ['01/04012345666663', 220],
      ),
      outputEPCList: made,
      bizStep: 'commissioning',
      ilmd: batch('XYZ', '2015-11-10'),
    }),
  ),
  given(
    '756558aa09b2d38c6bcb6e50eab2fcbebd9bde17362a7c4f4686a5d7f5fb013f',
    mixed({
      outputQuantityList: lots(['01/04054739999025/10/P20131121', 9520]),
      transformationID: dl('253/40123455555541234'),
      bizStep: 'http://epcis.example.com/user/vocab/bizstep/exampling',
    }),
  ),
];
