/** The story of a REST client: types by openapi-typescript, requests by openapi-fetch. Prints its result. */
import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from './api.js';

const [baseUrl, email, password] = process.argv.slice(2) as [string, string, string];
const client = createClient<paths>({ baseUrl: `${baseUrl}/api` });

/** The data of a response; throws for an error. */
function dataOf<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.status} ${JSON.stringify(error)}`);
  return data;
}

const session = dataOf(await client.POST('/v1/user/login', { body: { email, password } }));
const signedIn: Middleware = {
  onRequest({ request }) {
    request.headers.set('Authorization', `Bearer ${session.access_token}`);
  },
};
client.use(signedIn);

const created = dataOf(
  await client.POST('/v1/orders', {
    params: { header: { 'Idempotency-Key': `story-${process.pid}` } },
    body: {
      type: 'D',
      delivery: {
        name: 'Ada Lovelace',
        street: '12 Analytical Road',
        city: 'Toronto',
        postal_code: 'M5V 2T6',
        country: 'CA',
      },
    },
  }),
);
// @ts-expect-error A member that is not there is an error of the compiler.
void created.no_such_member;
const path = { order_id: created.order_id };
dataOf(await client.POST('/v1/orders/{order_id}/hold', { params: { path }, body: { reason: 'a story' } }));
const { order } = dataOf(await client.GET('/v1/orders/{order_id}', { params: { path } }));
const list = dataOf(await client.GET('/v1/orders', { params: { query: { per_page: 1 } } }));
const timeline = await client.GET('/v1/otep/trackings/{tracking_number}', {
  params: { path: { tracking_number: created.tracking_numbers[0]! } },
});
const missing = await client.GET('/v1/otep/trackings/{tracking_number}', {
  params: { path: { tracking_number: 'NOBODYS' } },
});
const problem: components['schemas']['Problem'] | undefined = missing.error;
const wrong = await client.GET('/v1/orders/{order_id}', { params: { path: { order_id: -1 } } });

process.stdout.write(
  JSON.stringify({
    status: order.status,
    name: order.delivery?.name,
    listed: list.orders.length,
    timeline: timeline.response.status,
    missing: [missing.response.status, problem?.code],
    wrong: wrong.error?.errors?.[0]?.path,
  }),
);
