/** EPCIS 2.0 request bodies for the API documents. The service validates them with the standard's own schema. */
import { z } from 'zod';

const event = z
  .looseObject({
    type: z.enum(['ObjectEvent', 'AggregationEvent', 'TransactionEvent', 'TransformationEvent', 'AssociationEvent']),
    eventTime: z.string().meta({ format: 'date-time' }),
    eventTimeZoneOffset: z.string().meta({ description: 'Offset from UTC, for example `+01:00`.' }),
  })
  .meta({ id: 'EpcisEventInput', description: 'One event of EPCIS 2.0 in JSON or JSON-LD.' });

const document = z
  .looseObject({
    '@context': z.unknown(),
    type: z.enum(['EPCISDocument', 'EPCISQueryDocument']),
    schemaVersion: z.string().meta({ description: '`2.0`.' }),
    creationDate: z.string().meta({ format: 'date-time' }),
    epcisBody: z.looseObject({}).meta({ description: 'Contains `eventList`, or `queryResults` with an event list.' }),
  })
  .meta({ id: 'EpcisDocumentInput', description: 'A document or query document of EPCIS 2.0.' });

export const epcisInputSchema = z.union([document, event, z.array(event)]);
