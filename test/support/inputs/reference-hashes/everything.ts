/** Events with all members that their type allows. */
import { at, dl, event, links, lots, recognised, type Published } from './words.js';

const x1 = (name: string) => `http://example.com/ext1/${name}`;
const x2 = (name: string) => `http://example.com/ext2/${name}`;
const TIME = '2013-06-08T14:58:56.591Z';

/** Extensions of every kind; `deep`: objects contain objects of the same name. */
function extensions(deep: boolean) {
  const within = (name: string, inner: object) => (deep ? { [name]: { [name]: inner } } : { [name]: inner });
  const inner = (place: string, more: object) => ({
    [x2('string')]: `stringIn${place}`,
    ...within(x2('object'), { 'http://example.com/ext3/string': `stringInObjectIn${place}` }),
    ...more,
  });
  return {
    [x1('array')]: [
      ...['true', TIME, '22', 'stringInArray', '12'],
      within(x1('object'), {
        ...inner('ObjectInArray', { [x2('int')]: '13', [x2('array')]: ['23.0', 'stringInArrayInObjectInArray', '14'] }),
      }),
    ],
    [x1('object')]: inner('Object', { [x2('array')]: ['stringInArrayInObject', '21', '11'] }),
    [x1('float')]: '20',
    [x1('time')]: TIME,
    [x1('boolean')]: 'true',
    [x1('default')]: 'stringAsDefaultValue',
    [x1('int')]: '10',
    [x1('string')]: 'string',
  };
}

const made = (namespace: string) => ({
  ...extensions(true),
  [`${namespace}countryOfExport`]: 'KR',
  [`${namespace}countryOfOrigin`]: 'GB',
  [`${namespace}drainedWeight`]: '3.5',
  [`${namespace}grossWeight`]: '3.5',
  [`${namespace}netWeight`]: '3.5',
  [`${namespace}lotNumber`]: 'ABC123',
});

const asset = {
  deviceID: dl('8004/4000001111'),
  deviceMetadata: dl('8004/4000001111'),
  rawData: dl('8004/401234599999'),
  dataProcessingMethod: dl('253/4012345000054987'),
};
const report = {
  ...asset,
  ...{ type: 'Temperature', time: '2019-07-19T13:00:00Z', uom: 'CEL', component: 'example:x' },
  microorganism: 'https://www.ncbi.nlm.nih.gov/taxonomy/1126011',
  chemicalSubstance: 'https://identifiers.org/inchikey:CZMRCDWAGMRECN-UGDNZRGBSA-N',
  ...{ stringValue: 'SomeString', booleanValue: true, hexBinaryValue: 'f0f0f0', uriValue: dl('8004/4000001111') },
  ...{ value: 26, minValue: 26, maxValue: 26.2, meanValue: 13.2, sDev: 0.1, percRank: 50, percValue: 12.7 },
  [x1('someFurtherReportData')]: 'someText',
};
const metadata = {
  ...asset,
  ...{ startTime: '2019-04-02T12:55:01Z', endTime: '2019-04-02T13:55:00Z', time: '2019-04-02T13:05:00Z' },
  bizRules: dl('253/4012345000054987'),
  [x1('someFurtherMetadata')]: 'someText',
};
const parties = (key: string, gln: string) => [
  { type: 'possessing_party', [key]: dl(`417/${gln}`) },
  { type: 'owning_party', [key]: dl(`417/${gln}`) },
  { type: 'location', [key]: dl(`414/${gln}`) },
];

const whole = (type: string, time: string, zone: string, more: object, deep = true) =>
  event(type, time, zone, {
    certificationInfo: 'https://accreditation-council.example.org/certificate/ABC12345',
    bizTransactionList: [
      { type: 'po', bizTransaction: dl('253/06141410000121618034') },
      { type: 'pedigree', bizTransaction: dl('8018/061414100000102534') },
    ],
    sourceList: parties('source', '4012345002256'),
    destinationList: parties('destination', '0614141007776'),
    sensorElementList: [{ sensorMetadata: metadata, sensorReport: [report], ...extensions(deep) }],
    ...extensions(deep),
    ...more,
  });
const completed = { persistentDisposition: { unset: ['completeness_inferred'], set: ['completeness_verified'] } };
const children = { childQuantityList: lots(['01/04012345987652', 10], ['01/04012345123456/10/998877', 200.5, 'KGM']) };
const goods = lots(
  ['01/04012345666663', 220],
  ['01/04012345111118/10/4444', 10, 'KGM'],
  ['01/00614141777778/10/987', 30],
);

export const EVERYTHING: Published = {
  ObjectEvent_all_possible_fields: [
    recognised(
      '9811bfb2672e9c3a0f6151be339d22b60db375c8b23d2740f6137cc6539f0639',
      whole('Object', '2005-04-05T02:33:31.116Z', '-06:00', {
        action: 'ADD',
        epcList: links('01/10614141073464/21/2018'),
        quantityList: lots(['01/04012345123456/10/998877', 200, 'KGM']),
        bizStep: 'receiving',
        disposition: 'in_progress',
        ...completed,
        readPoint: at('0012345111112/254/400'),
        bizLocation: at('0012345111112'),
        ilmd: made('cbvmda:'),
      }),
    ),
  ],
  AggregationEvent_all_possible_fields: [
    recognised(
      '41cf5d2be6b6926acc531597e43932eb4b9b23926ccb6ce08c882bda7a74d1a8',
      whole('Aggregation', TIME, '+02:00', {
        action: 'OBSERVE',
        parentID: dl('00/106141412345678908'),
        childEPCs: links('01/10614141073464/21/2018', '01/10614141073464/21/2017'),
        ...children,
        bizStep: 'receiving',
        disposition: 'in_progress',
        readPoint: at('0037000007296/254/8202'),
        bizLocation: at('0037000007296/254/8202'),
      }),
    ),
  ],
  TransactionEvent_all_possible_fields: [
    recognised(
      '4a85d64a96409f0c57baed258666b26d83e6690d204a8aaed4c7e2624d8b0c81',
      whole('Transaction', '2005-04-04T02:33:31.116Z', '-06:00', {
        action: 'ADD',
        parentID: dl('00/106141412345678908'),
        epcList: links('01/10614141073464/21/2018', '01/10614141073464/21/2017'),
        quantityList: lots(['01/04012345111118/10/4444', 10, 'KGM']),
        bizStep: 'shipping',
        disposition: 'in_transit',
        readPoint: at('0614141073467/254/1234'),
        bizLocation: at('0614141008889'),
      }),
    ),
  ],
  TransformationEvent_all_possible_fields: [
    recognised(
      '529cc54b8cf9d8664208cc6c77473274d8c2dd473469920a7d09a814623f52cc',
      whole('Transformation', '2013-10-31T14:58:56.591Z', '+02:00', {
        inputEPCList: links('01/04012345111224/21/25', '01/04000001654321/21/99886655'),
        inputQuantityList: goods,
        outputEPCList: links(...['28', '26', '27', '25'].map((serial) => `01/04012345778892/21/${serial}`)),
        outputQuantityList: goods,
        transformationID: dl('253/0614141123452400'),
        bizStep: 'commissioning',
        disposition: 'in_progress',
        ...completed,
        readPoint: at('4012345000016'),
        bizLocation: at('0614141008889'),
        ilmd: made('http://example.com/cbvmda/'),
      }),
    ),
  ],
  AssociationEvent_all_possible_fields: [
    recognised(
      '3dada0cdabe84618e9f0b842031159cb49534f487d5714cac9cfd647bf5f6c54',
      whole(
        'Association',
        '2019-11-01T13:00:00Z',
        '+01:00',
        {
          action: 'ADD',
          parentID: dl('8003/04012345555554987'),
          childEPCs: links('8004/400000112346', '8004/400000112345'),
          ...children,
          bizStep: 'assembling',
          disposition: 'in_progress',
          readPoint: at('4012345000016'),
          bizLocation: at('0614141008889'),
        },
        false,
      ),
    ),
  ],
};
