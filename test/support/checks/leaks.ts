/**
 * All data that an attacker with full access to a service could read: every row, all encrypted data whose key still
 * exists, and all stored responses.
 */
import { sealedOf, unseal } from '../../../src/events/core/codec.js';
import type { StoredEvent } from '../../../src/events/core/log.js';
import { wholeLog } from '../../../src/engines/transfer.js';
import type { Service } from '../../../src/compose/service.js';
import { toCloudEvent } from '../../../src/relay/cloud-event.js';

const neverAborted = new AbortController().signal;

export async function eventsOf({ engines }: Pick<Service, 'engines'>): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of wholeLog(engines.log, neverAborted)) events.push(event);
  return events;
}

/** Returns all rows of all tables as text, with byte columns in hexadecimal. */
export async function databaseText({ engines: { pool } }: Pick<Service, 'engines'>): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname !~ '^(pg_|information_schema$)'`,
  );
  const texts: string[] = [];
  for (const { name } of tables)
    texts.push(
      name,
      ...(await pool.query<{ row: string }>(`select to_json(t)::text as row from ${name} t`)).rows.map(
        ({ row }) => row,
      ),
    );
  return texts.join('\n');
}

/**
 * Returns all data that existing keys can decrypt: events, the responses that are stored for retries, and the responses
 * of webhook endpoints.
 */
export async function decryptableText(service: Pick<Service, 'engines'>): Promise<string> {
  const { keyRing, vault, webhookVault, pool } = service.engines;
  const events = await eventsOf(service);
  const keys = await keyRing.existing([...new Set(events.flatMap(({ data }) => sealedOf(data)?.subject ?? []))]);
  const opened = events.map(({ id, data }) => JSON.stringify(unseal(data, id, keys)));
  const { rows } = await pool.query<{ principal: string; key: string; answer: Buffer }>(
    'select principal, key, answer from access.idempotency where answer is not null',
  );
  const { rows: webhookResponses } = await pool.query<{ delivery: string; attempt: number; answer: Buffer }>(
    'select delivery, attempt, answer from webhooks.attempts where answer is not null',
  );
  return [
    ...opened,
    ...webhookResponses.map(({ delivery, attempt, answer }) =>
      webhookVault.open(answer, `webhook answer ${delivery} ${attempt}`).toString(),
    ),
    ...rows.map(({ principal, key, answer }) => vault.open(answer, `${principal} ${key}`).toString()),
  ].join('\n');
}

/** Returns all Kafka messages in both modes. */
export async function messageText(service: Pick<Service, 'engines'>): Promise<string> {
  const events = await eventsOf(service);
  return (['structured', 'binary'] as const)
    .flatMap((mode) =>
      events.map((event) => JSON.stringify({ ...toCloudEvent(event, { mode, source: 'urn:x', topic: 'x' }) })),
    )
    .join('\n');
}
