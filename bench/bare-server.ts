/** Upper limit of the HTTP layer: a route that only sends fixed bytes. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';

const body = Buffer.from(process.env['BARE_BODY'] ?? '');

function bareExpress(): RequestListener {
  const app = express();
  app.get('/api/v1/otep/trackings/:number', (_request, response) => void response.type('json').send(body));
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
