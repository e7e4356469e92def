/** `npm run bench:kafka [events]`: throughput and fault tolerance of relay and ingest on a real broker. */
import { startKafka } from '../test/support/processes/kafka.js';
import { measureIngest, measureRelay } from './kafka.js';
import { checkVolume } from './kafka-volume.js';
import { openDatabases } from './support.js';

const events = Number(process.argv[2] ?? 100_000);
const kafka = await startKafka();
if (typeof kafka === 'string') {
  console.log(kafka);
  process.exit(0);
}
const databases = await openDatabases();
const { brokers } = kafka;
const run = Date.now().toString(36);

const volume = await checkVolume(await databases.fresh('kafka_volume'), {
  brokers,
  prefix: `volume${run}`,
  events,
  perMessage: 10,
});
console.log(
  `killed in the middle: ${volume.accepted} events accepted (${volume.duplicateReplies} messages answered again), ${volume.relayed} relayed in order per key (${volume.duplicateMessages} sent again)`,
);

const database = await databases.fresh('kafka');
const many = await measureIngest(database, { brokers, prefix: `many${run}`, events, perMessage: 10 });
console.log(`ingest, 10 events a message: ${Math.round(many)} events/s`);
const single = await measureIngest(await databases.fresh('kafka_single'), {
  brokers,
  prefix: `single${run}`,
  events: events / 5,
  perMessage: 1,
});
console.log(`ingest, 1 event a message: ${Math.round(single)} events/s`);
const { relay, bare, ratio, events: relayed } = await measureRelay(database, brokers);
console.log(
  `relay of ${relayed} events: ${Math.round(relay)} events/s; kafkajs alone with the same batches: ${Math.round(bare)}; ratio ${ratio.toFixed(2)}`,
);
await databases.close();
await kafka.close();
process.exit(0);
