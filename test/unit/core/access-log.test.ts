/**
 * Log levels of request lines: a failure of the service is an error, a correct 503 response to a health check is not.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { accessLog } from '../../../src/api/rest/access-log.js';
import { createLogger } from '../../../src/logging/logger.js';

describe('log line of a request', () => {
  const lines: string[] = [];
  let url: string;
  let close: () => unknown;
  before(async () => {
    const app = express();
    app.use(accessLog(createLogger('info', { write: (line: string) => void lines.push(line) }), true));
    app.use((_request, response) => void response.sendStatus(503));
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    close = () => server.close();
  });
  after(() => close());

  for (const [path, method, level] of [
    ['/health/ready', 'GET', 40],
    ['/health/ready', 'HEAD', 40],
    ['/api/v1/orders', 'GET', 50],
  ] as const)
    it(`has level ${level} for ${method} ${path} with response 503`, async () => {
      lines.length = 0;
      await (await fetch(url + path, { method })).text();
      expect(lines.map((line) => JSON.parse(line) as unknown)).to.have.length(1);
      expect(JSON.parse(lines[0]!)).to.include({ level, status: 503, msg: 'request' });
    });
});
