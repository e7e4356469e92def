/**
 * Upper limit of the HTTP layer: a route that only sends fixed bytes. With `BARE_DATABASE_URL`, a POST also parses its JSON
 * body and inserts one row.
 */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';

const body = Buffer.from(process.env['BARE_BODY'] ?? '');

function bareExpress(): RequestListener {
  const app = express();
  app.get('/api/v1/*path', (_request, response) => void response.type('json').send(body));
  const url = process.env['BARE_DATABASE_URL'];
  if (url === undefined) return app;
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const created = pool.query(
    'create table requests (id bigserial primary key, request jsonb not null, response jsonb not null)',
  );
  app.post('/api/v1/*path', express.json(), async (request, response) => {
    await created;
    const values = [JSON.stringify(request.body), body.toString()];
    await pool.query({ name: 'insert', text: 'insert into requests (request, response) values ($1, $2)', values });
    response.type('json').send(body);
  });
  return app;
}

const bareHttp: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
  response.end(body);
};

const server = createServer(process.env['BARE_KIND'] === 'express' ? bareExpress() : bareHttp);
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
process.on('SIGTERM', () => process.exit(0));
