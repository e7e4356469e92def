/** `npm run bench:kafka [events]`: figures of relay and ingest on a real broker. */
import { startKafka } from '../test/support/kafka.js';
import { measureIngest, measureRelay } from './kafka.js';
import { openDatabases } from './support.js';

const events = Number(process.argv[2] ?? 100_000);
const kafka = await startKafka();
if (typeof kafka === 'string') {
  console.log(kafka);
  process.exit(0);
}
const databases = await openDatabases();
const database = await databases.fresh('kafka');
for (const perMessage of [10, 1]) {
  const url = perMessage === 10 ? database : await databases.fresh('kafka_single');
  const figure = await measureIngest(url, { brokers: kafka.brokers, prefix: `ingest${perMessage}`, events: perMessage === 10 ? events : events / 5, perMessage });
  console.log(`ingest, ${perMessage} event(s) a message: ${Math.round(figure)} events/s`);
}
const { relay, bare, ratio, events: relayed } = await measureRelay(database, kafka.brokers);
console.log(`relay of ${relayed} events: ${Math.round(relay)} events/s; kafkajs alone with the same batches: ${Math.round(bare)}; ratio ${ratio.toFixed(2)}`);
await databases.close();
await kafka.close();
process.exit(0);
