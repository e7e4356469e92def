/** A token needs the same scope for a file as for the resource that refers to it. */
import { expect } from 'chai';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns, type UserName } from '../../support/worlds/users.js';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');

describe('scopes of files', () => {
  let t: TestService;
  let keyOf: (user: UserName) => Promise<string>;
  before(async () => {
    t = await startTestService();
    keyOf = signIns(t);
  });
  after(() => t.stop());

  const apiKey = async (user: UserName, ...scopes: string[]): Promise<string> => {
    const made = await t.api('/api-keys', { key: await keyOf(user), body: { name: 'key', scopes } });
    expect(made.status, made.text).to.equal(201);
    return made.json.secret as string;
  };
  const upload = async (key: string, purpose: string, body: Buffer | string = 'ref,size\nA,1\n') => {
    const answer = await fetch(`${t.url}/api/v1/files?purpose=${purpose}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(Buffer.from(body)),
    });
    const json = (await answer.json()) as { file?: { id: string }; code?: string };
    return { status: answer.status, id: json.file?.id, code: json.code };
  };
  const read = (id: string, key: string) => t.api(`/files/${id}`, { key });
  /** The file of a document that the driver submitted. */
  async function licence(): Promise<string> {
    const key = await keyOf('driver');
    const { id } = await upload(key, 'document', PDF);
    const path = `/drivers/${t.demo.users.driver.id}/documents`;
    const submitted = await t.api(path, { key, body: { kind: 'licence', file_ids: [id] } });
    expect(submitted.status, submitted.text).to.equal(201);
    return id!;
  }

  it('N10: a key that may not read documents of drivers may not read their files', async () => {
    const id = await licence();
    for (const scopes of [['labels:read'], ['orders:read', 'datasets:read'], ['accounts:read']]) {
      const answer = await read(id, await apiKey('client_admin', ...scopes));
      expect([answer.status, answer.json.code], scopes.join()).to.deep.equal([403, 'INSUFFICIENT_SCOPE']);
    }
    expect((await read(id, await apiKey('client_admin', 'drivers:read'))).status).to.equal(200);
    // The uploader needs the scope too; other users get the response for a missing file.
    expect((await read(id, await apiKey('driver', 'orders:read'))).status).to.equal(403);
    expect((await read(id, await apiKey('driver', 'drivers:read'))).status).to.equal(200);
    for (const user of ['customer', 'broker', 'auditor', 'other_client_admin'] as const)
      expect((await read(id, await keyOf(user))).json.code, user).to.equal('FILE_NOT_FOUND');
  });

  it('N10: an upload needs the scope of what will refer to the file', async () => {
    const files = {
      photo: PDF,
      document: PDF,
      import: 'a,b\n1,2\n',
      map: '{"type":"FeatureCollection","features":[]}',
    };
    const fitting: Readonly<Record<string, readonly string[]>> = {
      photo: ['drivers:write', 'orders:write'],
      document: ['drivers:write'],
      import: ['datasets:write', 'orders:write'],
      map: ['datasets:write'],
    };
    for (const scope of ['labels:read', 'drivers:write', 'datasets:write', 'orders:write', 'drivers:read']) {
      const key = await apiKey('employee', scope);
      for (const [purpose, body] of Object.entries(files)) {
        const { status, code } = await upload(key, purpose, body);
        if (fitting[purpose]!.includes(scope)) expect(code, `${scope} ${purpose}`).to.not.equal('INSUFFICIENT_SCOPE');
        else expect([status, code], `${scope} ${purpose}`).to.deep.equal([403, 'INSUFFICIENT_SCOPE']);
      }
    }
  });

  it('N10: a table and a GeoJSON file need the scope of their purpose', async () => {
    const key = await keyOf('employee');
    const table = (await upload(key, 'import')).id!;
    expect((await read(table, await apiKey('employee', 'drivers:read'))).status).to.equal(403);
    for (const scope of ['datasets:read', 'orders:read'])
      expect((await read(table, await apiKey('employee', scope))).status, scope).to.equal(200);
    const map = (await upload(key, 'map', '{"type":"FeatureCollection","features":[]}')).id!;
    expect((await read(map, await apiKey('employee', 'orders:read'))).status).to.equal(403);
    expect((await read(map, await apiKey('employee', 'datasets:read'))).status).to.equal(200);
  });

  it('N10: a key sets no push token of its account, unless it may act on its sessions', async () => {
    const body = { token: 'a token', platform: 'ios' };
    const set = async (key: string) => t.api('/me/push-tokens/phone', { method: 'PUT', key, body });
    for (const scopes of [['labels:read'], ['orders:read', 'orders:write'], ['keys:write']]) {
      const answer = await set(await apiKey('client_admin', ...scopes));
      expect([answer.status, answer.json.code], scopes.join()).to.deep.equal([403, 'INSUFFICIENT_SCOPE']);
    }
    expect((await set(await keyOf('client_admin'))).status).to.equal(200);
  });
});
