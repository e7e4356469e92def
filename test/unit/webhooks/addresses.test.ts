/** Allowed webhook addresses: checked when an address is set, and again when the service connects. */
import { expect } from 'chai';
import { isPublic, parseTarget, publicResolver, type Resolve } from '../../../src/engines/webhooks/addresses.js';
import { createWebhookClient } from '../../../src/engines/webhooks/post.js';
import { startReceiver, type Receiver } from '../../support/fakes/webhook-receiver.js';

const PUBLIC = ['8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1', '100.63.255.255', '2606:4700::1111', '2a00:1450::1'];
const NOT_PUBLIC = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2001:20::1',
  '2002:7f00:1::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'nonsense',
  '',
];

/** Each notation means this machine, its network, or an invalid HTTP address. */
const REFUSED = [
  'http://example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  '//example.com',
  'example.com',
  '',
  'https://',
  'https://user:hush@example.com/',
  'https://user@example.com/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://127.1/',
  'https://127.0.1/',
  'https://0/',
  'https://①②⑦.0.0.1/',
  'https://%31%32%37.0.0.1/',
  'https://127.0.0.1./',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[0:0:0:0:0:0:7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[fe80::1]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://a.localhost/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  `https://example.com/${'x'.repeat(2_048)}`,
];

const TAKEN = [
  'https://example.com/',
  'https://example.com:8443/hook?token=abc',
  'https://8.8.8.8/',
  'https://[2606:4700::1111]/',
  'https://bücher.example/',
  'HTTPS://EXAMPLE.COM',
];

describe('addresses of webhooks', () => {
  for (const address of PUBLIC) it(`${address} is public`, () => expect(isPublic(address)).to.equal(true));
  for (const address of NOT_PUBLIC)
    it(`${address || 'nothing'} is not public`, () => expect(isPublic(address)).to.equal(false));
  for (const url of TAKEN)
    it(`accepts ${url}`, () => expect(parseTarget(url, { allowPrivate: false })).to.be.instanceOf(URL));
  for (const url of REFUSED)
    it(`rejects ${url.slice(0, 60) || 'nothing'}`, () =>
      expect(parseTarget(url, { allowPrivate: false })).to.equal(undefined));

  it('may be private and plain http if the operator allows it, but never have credentials', () => {
    for (const url of ['http://127.0.0.1:9/', 'https://10.0.0.1/', 'http://localhost/'])
      expect(parseTarget(url, { allowPrivate: true }), url).to.be.instanceOf(URL);
    expect(parseTarget('http://user:hush@127.0.0.1/', { allowPrivate: true })).to.equal(undefined);
  });
});

describe('a webhook connection', () => {
  let receiver: Receiver;
  let port: string;
  before(async () => {
    receiver = await startReceiver();
    ({ port } = new URL(receiver.url));
  });
  after(() => receiver.close());

  const client = (resolve: Resolve, allowPrivate = false, timeoutMs = 2_000) =>
    createWebhookClient({ resolve, allowPrivate, timeoutMs });
  const BODY = Buffer.from('{}');

  for (const addresses of [
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['8.8.8.8', '127.0.0.1'],
    ['10.0.0.7'],
    ['fd00::1'],
  ]) {
    it(`is rejected if the name resolves to ${addresses.join(' and ')}, when it is set and when it is called`, async () => {
      const { mayUse, post } = client(async () => addresses);
      expect(await mayUse('https://endpoint.example/')).to.equal(false);
      expect(await post('https://endpoint.example/', BODY, {})).to.include({ error: 'address_not_allowed' });
    });
  }

  it('uses the checked address: a name that is public when set and private when called is rejected', async () => {
    const answers = [['8.8.8.8'], ['127.0.0.1']];
    let lookups = 0;
    const { mayUse, post } = client(async () => answers[lookups++]!);
    expect(await mayUse(`https://rebinding.example:${port}/`)).to.equal(true);
    expect(await post(`https://rebinding.example:${port}/`, BODY, {})).to.include({ error: 'address_not_allowed' });
    expect(lookups).to.equal(2);
  });

  it('resolves once per connection, and connects to that address', async () => {
    const answers = [['127.0.0.1'], ['192.0.2.1']];
    let lookups = 0;
    const { post, close } = client(async () => answers[lookups++]!, true);
    expect(await post(`http://pinned.example:${port}/`, BODY, {})).to.include({ status: 204 });
    expect(lookups).to.equal(1);
    expect(receiver.received.at(-1)!.headers.host).to.equal(`pinned.example:${port}`);
    close();
  });

  it('is rejected for a numeric address in any notation, also when it is called', async () => {
    const { mayUse, post } = client(() => Promise.reject(new Error('nobody need ask')));
    for (const host of ['127.0.0.1', '2130706433', '0177.1', '[::1]', '[::ffff:7f00:1]']) {
      expect(await mayUse(`https://${host}:${port}/`), host).to.equal(false);
      expect(await post(`https://${host}:${port}/`, BODY, {}), host).to.include({ error: 'address_not_allowed' });
    }
  });

  it('distinguishes an unknown name from one that is not allowed', async () => {
    const { mayUse, post } = client(async () => []);
    expect(await mayUse('https://unknown.example/')).to.equal(true);
    expect(await post('https://unknown.example/', BODY, {})).to.include({ error: 'host_not_found' });
    expect(await publicResolver()('localhost'), 'the list of hosts is not asked').to.deep.equal([]);
  });

  it('follows no redirect', async () => {
    const { post, close } = client(async () => ['127.0.0.1'], true);
    const before = receiver.received.length;
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answer(
        (response) => void response.writeHead(status, { location: `http://127.0.0.1:${port}/inside` }).end(),
      );
      expect(await post(`http://a.example:${port}/`, BODY, {})).to.include({ status, error: 'redirect_not_followed' });
    }
    expect(receiver.received.slice(before).map(({ path }) => path)).to.deep.equal(Array(5).fill('/'));
    close();
  });

  it('times out, whether the endpoint is silent or never stops sending', async () => {
    const { post, close } = client(async () => ['127.0.0.1'], true, 300);
    receiver.answer('hang');
    const silent = await post(`http://a.example:${port}/`, BODY, {});
    expect(silent).to.include({ error: 'timeout' });
    expect(silent.ms).to.be.within(250, 2_000);
    receiver.answer((response) => void response.writeHead(200).write('a bit'));
    expect(await post(`http://a.example:${port}/`, BODY, {})).to.include({ status: 200, text: 'a bit' });
    receiver.answer(204);
    close();
  });

  it('reports a response that is not HTTP, and a closed port', async () => {
    const { post } = client(async () => ['127.0.0.1'], true);
    expect(await post('http://a.example:1/', BODY, {})).to.include({ error: 'connection_refused' });
    expect((await post(`https://a.example:${port}/`, BODY, {})).error).to.be.oneOf(['tls_failed', 'connection_failed']);
  });
});
