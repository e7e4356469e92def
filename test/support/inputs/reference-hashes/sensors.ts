/** Events with sensors. */
import { at, dl, event, given, links, lots, observed, recognised, type Published } from './words.js';

const device = { deviceID: dl('8004/4000001111'), deviceMetadata: dl('8004/4000001111') };
const measured = (minute: string, humidity: number, light: number, speed: number, heat: number) => ({
  sensorMetadata: { ...device, time: `2022-02-16T13:${minute}:00Z`, rawData: dl('8004/401234599999') },
  sensorReport: [
    { type: 'Temperature', value: heat, uom: 'CEL' },
    { type: 'Speed', value: speed, uom: 'KMH' },
    { type: 'Illuminance', value: light, uom: 'LUX' },
    { type: 'AbsoluteHumidity', value: humidity, uom: 'A93' },
  ],
});
const certified = (time: string, reported: string, meta: object = {}, report: object = {}) =>
  observed(time, '+01:00', {
    certificationInfo: 'https://accreditation-council.example.org/certificate/ABC12345',
    epcList: links('01/04012345999990/21/XYZ-1234'),
    bizStep: 'receiving',
    disposition: 'in_progress',
    readPoint: at('4012345000115'),
    sensorElementList: [
      {
        sensorMetadata: { time: reported, bizRules: dl('253/4012345000054987'), ...meta },
        sensorReport: [
          {
            type: 'Dimensionless',
            exception: 'ALARM_CONDITION',
            coordinateReferenceSystem: 'http://www.opengis.net/def/crs/EPSG/0/27700',
            ...report,
          },
        ],
      },
    ],
  });
const angle = (value: number, component: string) => ({
  type: 'Angle',
  value,
  component,
  uom: 'DD',
  coordinateReferenceSystem: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
});
const EX = 'http://ns.example.com/epcis/';
const averaged = {
  sensorMetadata: {
    startTime: '2019-04-01T14:00:00Z',
    endTime: '2019-04-02T13:59:59.999Z',
    [`${EX}someFurtherMetaData`]: 'someText',
  },
  sensorReport: [
    { type: 'example:someSensorProperty', stringValue: 'someSensorOutput' },
    {
      ...{ type: 'Temperature', minValue: 12.4, maxValue: 13.8, meanValue: 13.2 },
      ...{ sDev: 0.41, percRank: 50, percValue: 12.7, uom: 'CEL', [`${EX}cv`]: '123' },
    },
  ],
};
const EX2 = 'http://ns.example.com/epcis-2/';

export const SENSORS: Published = {
  ReferenceEventHashAlgorithm2: [
    recognised(
      '271565c346ae2fb28c4583c4dca4ab4772d465eb4e0b6e548d77d8b49377d95c',
      observed('2020-04-01T14:00:00Z', '+01:00', {
        epcList: links('01/04012345111118/21/9876'),
        bizStep: 'inspecting',
        readPoint: at('4012345000054'),
        sensorElementList: [
          {
            sensorMetadata: device,
            sensorReport: [
              { type: 'AbsoluteHumidity', value: 12.1, uom: 'A93' },
              { type: 'Temperature', value: 26, sDev: 0.1, uom: 'CEL' },
              {
                ...{ type: 'Dimensionless', value: 0.18, uom: 'C35' },
                chemicalSubstance: 'https://identifiers.org/inchikey:CZMRCDWAGMRECN-UGDNZRGBSA-N',
              },
              {
                ...{ type: 'Dimensionless', value: 0.05, uom: 'C35' },
                microorganism: 'https://www.ncbi.nlm.nih.gov/taxonomy/1126011',
              },
            ],
          },
        ],
      }),
    ),
  ],
  epcisDocWithSensorDataObjectEvent: [
    recognised(
      'bea63f2741e3f4ae7cab8abba1be5bf172109f749bedaa7e8620fb9bd26847b5',
      observed('2022-02-16T14:00:00Z', '+01:00', {
        epcList: links('01/04012345111118/21/9876'),
        bizStep: 'inspecting',
        readPoint: at('4012345000054'),
        sensorElementList: [
          measured('55', 12.2, 802, 162, 26.2),
          measured('05', 12.1, 800, 160, 26),
          measured('35', 12.2, 801, 161, 26.1),
        ],
      }),
    ),
  ],
  epcisDocWithSensorComponent: [
    recognised(
      '14faa21345eb49fa31e5578aed52a2c291b7dc8ded0d53c88135955173ea91fc',
      observed('2022-04-07T10:00:00Z', '+01:00', {
        epcList: links('8003/040123450007718765'),
        bizStep: 'sensor_reporting',
        readPoint: at('4012345000054'),
        sensorElementList: [{ sensorReport: [angle(42.698334, 'latitude'), angle(23.319941, 'longitude')] }],
      }),
    ),
  ],
  CertificationInfoAndSensorReportWithCRS: [
    recognised(
      'db3f717972b6be7ce2eb2f31a12b00beda1f9a7de63c23948f4b7314ffe0581b',
      certified(
        '2023-01-11T11:00:00Z',
        '2023-01-11T11:05:00Z',
        { 'https://ns.ext.de/epcis/someFurtherMetadata': 'metadataText' },
        { 'https://ns.ext.de/epcis/someFurtherReportData': 'reportText' },
      ),
    ),
  ],
  TimeStampRoundOff: [
    given(
      'af7658e711574363633f20b3dadc7bc4c13c6f612cf96d95e03c421c0e58f3c6',
      observed('2023-02-02T11:04:03.1415Z', '+01:00', {
        epcList: links('00/040123451111111110'),
        bizStep: 'shipping',
        disposition: 'in_transit',
        readPoint: at('4012345000115'),
      }),
    ),
    given(
      '0550df44527332c1fe417c5837fe61b9e71eaa93307b88519dac549bf2d4dcf9',
      observed('2023-02-02T11:04:03.1414Z', '+01:00', {
        epcList: links('00/040123451111111110'),
        bizStep: 'transporting',
        readPoint: { id: 'geo:50.947573340894124,6.922120147375441' },
      }),
    ),
    recognised(
      'bf052637920f56c28bd6bc4ce10bb296203fcddc543f1e293d5a77b07592dcec',
      certified('2023-02-12T11:04:03.1415Z', '2023-02-12T11:04:03.1007Z'),
    ),
  ],
  SampleJSON: [
    recognised(
      'fc16c86411389f2134cfc65581f17c6a04738417444d7b43bd67f75486e68859',
      observed('2019-10-07T14:00:00Z', '+01:00', {
        epcList: links('01/04012345111118/21/9876'),
        quantityList: lots(['01/04023333020008/10/2019-10-07', 150, 'KGM']),
        bizStep: 'inspecting',
        readPoint: at('4012345000054'),
        sensorElementList: [
          { ...averaged, [`${EX}furtherSensorData`]: [{ [`${EX}measure2`]: '0.987' }, { [`${EX}measure1`]: '123.5' }] },
        ],
      }),
    ),
  ],
  TransformationEventWithUserExtensions: [
    recognised(
      'dca180f4e6005d4b6a6408a8d143977ca2e4f3e72048d7aa03b4df4055d484f9',
      event('Transformation', '2020-09-29T12:00:00Z', '+02:00', {
        inputQuantityList: lots(['01/04023333555555/10/ABC123', 25, 'KGM']),
        outputEPCList: links('01/04012345123456/21/988', '01/04012345123456/21/987'),
        bizStep: 'commissioning',
        readPoint: { ...at('4023333000000'), [`${EX}gs1ES`]: '(414)4023333000000' },
        bizLocation: { ...at('4023333000017/254/12'), [`${EX}gs1ES`]: '(414)4023333000017 (254)12' },
        sensorElementList: [
          {
            ...averaged,
            [`${EX}furtherSensorData`]: { [`${EX}measure2`]: '0.987', [`${EX}measure1`]: '123.5' },
            [`${EX}someUserField`]: 'abc123',
          },
        ],
        ilmd: {
          'cbvmda:lotNumber': 'LOTABC',
          [`${EX}grading`]: 'A',
          [`${EX2}userMasterData`]: { [`${EX2}sizeCode`]: 'B-2' },
        },
        [`${EX}extension`]: { moreExtensions: { futureExtension: { tag1: '1', tag2: '2', tag3: '3' } } },
        [`${EX}internalData`]: { [`${EX}procedure`]: 'A-1', [`${EX}machine`]: dl('8004/4012345ABC') },
        [`${EX2}furtherData`]: { [`${EX2}workingShift`]: '1', [`${EX2}assemblyLine`]: '2' },
        'http://ns.example.com/epcis-4/otherThings': 'some text',
      }),
    ),
  ],
};
