/** Events without sensors. */
import { at, dl, event, given, links, lots, observed, type Published } from './words.js';

const NS = 'https://ns.example.com/epcis/';
const PO = { type: 'po', bizTransaction: 'http://transaction.acme.com/po/12345678' };

const shipped = (day: string) =>
  observed(`${day}T02:33:31.116Z`, '-06:00', {
    epcList: links('01/10614141073464/21/2018', '01/10614141073464/21/2017'),
    bizStep: 'shipping',
    disposition: 'in_transit',
    readPoint: at('0614141073467/254/1234'),
    bizTransactionList: [PO],
  });
const arrived = (day: string) =>
  observed(`${day}T02:33:31.116Z`, '-06:00', {
    epcList: links('01/10614141073464/21/2018'),
    bizStep: 'receiving',
    disposition: 'in_progress',
    readPoint: at('0012345111112/254/400'),
    bizLocation: at('0012345111112'),
    bizTransactionList: [{ type: 'desadv', bizTransaction: 'urn:epcglobal:cbv:bt:0614141073467:1152' }, PO],
  });
const inspected = observed('2019-10-21T14:45:00Z', '+01:00', {
  epcList: links('00/040123451111111127'),
  bizStep: 'inspecting',
  disposition: 'in_progress',
  readPoint: at('4012345000245/254/1'),
});

export const PLAIN: Published = {
  ReferenceEventHashAlgorithm: [
    given(
      '6ae96341e0acc6d7a261364751f60e68278a81cdf51da0abb6b4e617014e39d7',
      observed('2020-03-04T10:00:30Z', '+01:00', {
        epcList: links('00/040123450000003338', '00/040123450000002225', '00/040123450000001112'),
        bizStep: 'cbv:BizStep-departing',
        readPoint: at('4012345000115/254/987'),
        [`${NS}myField3`]: { [`${NS}mySubField3`]: [3, 1] },
        [`${NS}myField2`]: 0,
        [`${NS}myField1`]: { [`${NS}mySubField2`]: 5, [`${NS}mySubField1`]: 2 },
      }),
    ),
  ],
  ReferenceEventHashAlgorithm3: [
    given(
      '3ae14c02c4bdc220cc31942cf804f6845eb8dec96ba6483391c92a9b165f9329',
      observed('2020-03-04T10:00:30Z', '+01:00', {
        epcList: links('01/00614141111114/21/987'),
        bizStep: 'departing',
        disposition: 'in_transit',
        readPoint: { [`${NS}myField1`]: 'AB-12', ...at('4012345000115') },
        bizTransactionList: [{ type: 'po', bizTransaction: dl('253/4012345111118123') }],
        sourceList: [{ type: 'owning_party', source: dl('417/4012345000009') }],
        destinationList: [{ type: 'owning_party', destination: dl('417/0614141000005') }],
        [`${NS}userExt`]: 'CD-34',
      }),
    ),
  ],
  epcisDocWithShippingAndTransportingEvent: [
    given(
      '2919bf0587534fef0e25eea97b5dda68f345e6bbf2c6b4cb27b2a52e0039272b',
      observed('2022-02-16T11:50:00Z', '+01:00', {
        epcList: links('00/140123451122233341'),
        bizStep: 'departing',
        readPoint: at('4012345000221'),
        bizTransactionList: [{ type: 'desadv', bizTransaction: 'urn:epcglobal:cbv:bt:4012345000009:ASN1099' }],
        sourceList: [{ type: 'possessing_party', source: dl('417/4012345000009') }],
        destinationList: [{ type: 'possessing_party', destination: dl('417/4023333000000') }],
      }),
    ),
    given(
      '1d2ec4174d8f0b5988a44795b31a636e8bc7f88ebc4bdc0d35c14f215a842e80',
      observed('2022-02-16T15:50:00Z', '+01:00', {
        epcList: links('00/140123451122233341'),
        bizStep: 'transporting',
        readPoint: { id: 'geo:47.506694,11.104301' },
      }),
    ),
  ],
  epcisDocWithXMLstartTagAndErrorDeclaration: [
    given(
      'e16ce101f3d7383612e00b74419b2d88f12baa6a124b0e390252d396687d5cf7',
      event('Transformation', '2020-01-13T23:00:00Z', '+01:00', {
        errorDeclaration: { declarationTime: '2020-01-15T00:00:00Z', reason: 'did_not_occur' },
        inputEPCList: links('01/04012345111118/21/987'),
        inputQuantityList: lots(['01/04012345222227/10/87545GHGH']),
        outputEPCList: links('01/04012345333336/21/AGHFG'),
        outputQuantityList: lots(['01/04012345444445', 452, 'KGM']),
        bizStep: 'commissioning',
        readPoint: at('4012345000009'),
      }),
    ),
  ],
  epcisQueryDocument: [
    given('df6523665bc5e5803d6c7b84f5a04e103694d8220f2abc4f2c74310e89f31bc6', shipped('2005-04-04')),
    given('32547b2344d525ea60ab1b899d82a9011fd9c39bb26ed936e113066146f49941', {
      ...arrived('2005-04-05'),
      'http://ns.example.com/epcis/myField': 'Example of a vendor/user extension',
    }),
  ],
  epcisDocWithDefaultSchemaInContext: [
    given('ffa491b16867e34a7791a8d5389d826afc24e63a121026b6a4004ace38631b4b', shipped('2022-02-17')),
    given('a207f523e4888a5cf75b5ee1110ebe019baba7e99aafde1d809d50b80727114e', arrived('2022-02-17')),
  ],
  epcisDocHavingEventWithComment: [
    given('df6523665bc5e5803d6c7b84f5a04e103694d8220f2abc4f2c74310e89f31bc6', {
      ...shipped('2005-04-04'),
      'rdfs:comment': 'counts for nothing',
    }),
  ],
  epcisDocWithCustomExtensions: [
    given('81d42556b26127560fee1c57e0b7775cbd58aa401af0565e58ce043472ab3a5b', {
      ...inspected,
      [`${NS}captureID`]: 'cc90bbe4-7f3a-4abd-b150-d4371c72a64f',
      'https://repository-x.example.com/hash':
        'ni:///sha-256;b3d481c5590757ab8361a6cb0e924820feb3b61eb568e7d7703f21a96f76f51d?ver=CBV2.0',
    }),
    given('b3d481c5590757ab8361a6cb0e924820feb3b61eb568e7d7703f21a96f76f51d', inspected),
  ],
  epcisDocWithAllGS1Keys: [
    given(
      '40744f32beff53a4bf5bb5956d465cb52de5bbcc9f131409d8efb903b04d9351',
      observed('2023-03-27T11:30:00Z', '+01:00', {
        epcList: [
          'urn:epc:id:upui:4012345.012345.AB12',
          'urn:epc:id:itip:4012345.012345.01.02.999',
          'urn:epc:id:gsin:4012345.999987654',
          'urn:epc:id:ginc:4012345.333',
          'urn:epc:id:sgcn:4012345.99999.44',
          'urn:epc:id:cpi:4012345.ABC.123',
          'urn:epc:id:gdti:4012345.55555.98',
          'urn:epc:id:gsrnp:4012345.0000098765',
          'urn:epc:id:gsrn:4012345.9876540000',
          'urn:epc:id:giai:4012345.AAbb',
          'urn:epc:id:grai:4012345.66666.87',
          'urn:epc:id:sgtin:4012345.012345.12',
          'urn:epc:id:sscc:4012345.0000000333',
          dl('00/040123450000003338'),
        ],
        quantityList: [
          'urn:epc:idpat:itip:4012345.012345.01.02.*',
          'urn:epc:idpat:cpi:4012345.ABC.*',
          'urn:epc:idpat:sgcn:4012345.99999.*',
          'urn:epc:idpat:gdti:4012345.55555.*',
          'urn:epc:idpat:grai:4012345.66666.*',
          'urn:epc:idpat:sgtin:4054739.099914.*',
          'urn:epc:class:lgtin:4054739.099914.20160711',
        ].map((epcClass) => ({ epcClass })),
        bizStep: 'other',
        readPoint: at('4012345000115/254/987'),
      }),
    ),
  ],
};
