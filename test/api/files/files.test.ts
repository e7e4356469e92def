/** Files: content is returned unchanged, and the files of an erased person are removed from every storage. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { strToU8, zipSync } from 'fflate';
import { createBucketBytes } from '../../../src/engines/files/bucket.js';
import { createDatabaseBytes } from '../../../src/engines/files/bytes.js';
import { createFiles } from '../../../src/engines/files/files.js';
import { png } from '../../support/inputs/pictures.js';
import { startFakeBucket, type FakeBucket } from '../../support/fakes/s3-server.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns, type UserName } from '../../support/worlds/users.js';
import { atDepth } from '../../support/depth.js';

const segment = (marker: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255]), content]);
/** Exif with an orientation and the name of a place. */
function exif(orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('II', 0, 'latin1');
  tiff.writeUInt16LE(42, 2);
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(1, 8);
  tiff.writeUInt16LE(0x0112, 10);
  tiff.writeUInt16LE(3, 12);
  tiff.writeUInt32LE(1, 14);
  tiff.writeUInt16LE(orientation, 18);
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff, Buffer.from('GPS 53.5511N')]));
}
const PROFILE = segment(0xe2, Buffer.from('ICC_PROFILE\0 of colours'));
const PICTURE = Buffer.concat([
  segment(0xdb, Buffer.alloc(64, 7)),
  segment(0xda, Buffer.alloc(8)),
  Buffer.from([1, 2, 0xff, 0xd9]),
]);
const jpeg = (orientation: number): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0')),
    exif(orientation),
    segment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/ Phone of Ada')),
    PROFILE,
    segment(0xfe, Buffer.from('a comment of Ada')),
    PICTURE,
    Buffer.from('a film behind the picture'),
  ]);
const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(200_000)]);
const PNG = png();
const CSV = Buffer.from(
  'order_ref,delivery.name,delivery.street,delivery.city,delivery.country\nF-1,Ada,Weg 1,Berlin,DE\n',
);
const XLSX = Buffer.from(zipSync({ 'xl/workbook.xml': strToU8('<workbook/>') }));

/** Lines of 100 bytes. */
const CSV_LINES = atDepth(500_000, 100_000);

describe('files', () => {
  function accessPaths(t: () => TestService, other: () => TestService) {
    const upload = async (content: Buffer, purpose: string, who: UserName = 'employee', at = t()) => {
      const answer = await fetch(`${at.url}/api/v1/files?purpose=${purpose}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await signIns(at)(who)}`, 'content-type': 'application/octet-stream' },
        body: new Uint8Array(content),
      });
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      return { status: answer.status, json: (await answer.json()) as any };
    };
    const read = async (id: string, who: UserName = 'employee', at = other()) => {
      const answer = await fetch(`${at.url}/api/v1/files/${id}`, {
        headers: { authorization: `Bearer ${await signIns(at)(who)}` },
      });
      return { status: answer.status, headers: answer.headers, content: Buffer.from(await answer.arrayBuffer()) };
    };
    return { upload, read };
  }

  for (const place of ['the database', 'a bucket'] as const)
    describe(`in ${place}`, () => {
      let bucket: FakeBucket;
      let t: TestService;
      let second: TestService;
      let clock = Date.now();
      before(async () => {
        bucket = await startFakeBucket();
        const env: Record<string, string> =
          place === 'a bucket'
            ? {
                DOCUMENTS_S3_ENDPOINT: bucket.url,
                DOCUMENTS_S3_BUCKET: 'papers',
                DOCUMENTS_S3_KEY: 'key',
                DOCUMENTS_S3_SECRET: bucket.secret,
              }
            : {};
        t = await startTestService({ env, now: () => clock });
        second = {
          ...(await startTestService({
            env: { ...env, ROLES: 'api' },
            now: () => clock,
            databaseUrl: t.databaseUrl,
            seed: false,
          })),
          demo: t.demo,
        };
      });
      after(async () => {
        await second.stop();
        await t.stop();
        bucket.stop();
      });
      const { upload, read } = accessPaths(
        () => t,
        () => second,
      );
      const stored = async (): Promise<Buffer> => {
        const { rows } = await t.service.engines.pool.query<{ content: Buffer }>(
          'select content from vault.file_chunks',
        );
        return Buffer.concat([...rows.map(({ content }) => content), ...bucket.objects.values()]);
      };

      it('files-and-documents 1: a file of each purpose gives the same bytes in another process', async () => {
        for (const [purpose, content, type] of [
          ['photo', PNG, 'image/png'],
          ['document', PDF, 'application/pdf'],
          ['import', CSV, 'text/csv'],
          ['import', XLSX, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
        ] as const) {
          const { status, json } = await upload(content, purpose);
          expect([status, json.file?.media_type, json.file?.size_bytes], JSON.stringify(json)).to.deep.equal([
            201,
            type,
            content.length,
          ]);
          const found = await read(json.file.id);
          expect(found.status).to.equal(200);
          expect(found.content.equals(content), purpose).to.equal(true);
          expect(found.headers.get('content-type')).to.match(new RegExp(`^${type.split(';')[0]!.replace('+', '\\+')}`));
          expect(found.headers.get('content-disposition')).to.equal('attachment');
          expect(found.headers.get('x-content-type-options')).to.equal('nosniff');
        }
        expect((await stored()).includes(CSV.subarray(0, 40)), 'nothing lies in the open').to.equal(false);
        expect(place === 'a bucket' ? bucket.objects.size : 4).to.equal(4);
        expect(bucket.refused).to.deep.equal([]);
      });

      it('files-and-documents 1: one byte changed at rest is FILE_DAMAGED, never other bytes', async () => {
        const { json } = await upload(PDF, 'document');
        if (place === 'a bucket') {
          const object = bucket.objects.get(`/papers/files/${json.file.id}`)!;
          object[150_000]! ^= 1;
        } else
          await t.service.engines.pool.query(
            'update vault.file_chunks set content = set_byte(content, 150000, get_byte(content, 150000) # 1) where place = $1',
            [json.file.id],
          );
        const { status, content } = await read(json.file.id);
        expect([status, JSON.parse(content.toString()).code]).to.deep.equal([500, 'FILE_DAMAGED']);
        if (place === 'the database') {
          const { json: cut } = await upload(PDF, 'document');
          await t.service.engines.pool.query(
            'update vault.file_chunks set content = substring(content for 65564 * 2) where place = $1',
            [cut.file.id],
          );
          expect((await read(cut.file.id)).status, 'cut behind a whole chunk').to.equal(500);
        }
      });

      it('files-and-documents 2: files of an erased person are 404 from the response on, and nothing readable is left', async () => {
        const { json } = await upload(PDF, 'document', 'driver');
        expect((await read(json.file.id, 'driver')).status).to.equal(200);
        const key = await signIns(t)('client_admin');
        const before = (await stored()).length;
        const subject = `account-${t.demo.users.driver.id}`;
        const driver = await signIns(second)('driver');
        const erased = await t.api(`/privacy/subjects/${subject}/erase`, { key, body: {} });
        expect(erased.status, erased.text).to.equal(200);
        expect((await second.api(`/files/${json.file.id}`, { key: driver })).status).to.be.oneOf([401, 404]);
        const { rows } = await t.service.engines.pool.query('select from vault.files where subject = $1', [subject]);
        expect(rows).to.deep.equal([]);
        expect((await stored()).length).to.equal(before - PDF.length - 4 * 28);
      });

      it('is removed after a day unless something refers to it', async () => {
        const { json: uploadedPdf } = await upload(PDF, 'document');
        const { json: dropped } = await upload(PDF, 'document');
        const { pool, keyRing } = t.service.engines;
        const { url: endpoint, secret } = bucket;
        const bytes =
          place === 'a bucket'
            ? createBucketBytes({ endpoint, bucket: 'papers', key: 'key', secret })
            : createDatabaseBytes(pool);
        const service = createFiles({ pool, bytes, keyRing, now: () => clock });
        const subject = `account-${t.demo.users.broker.id}`;
        await service.use(uploadedPdf.file.id, subject);
        expect((await read(uploadedPdf.file.id)).content.equals(PDF), 'under the other key').to.equal(true);
        expect(await service.find(uploadedPdf.file.id)).to.include({ subject });
        const { json: released } = await upload(PDF, 'document');
        await service.release(released.file.id);
        await service.release(uploadedPdf.file.id);
        await service.sweep();
        expect((await read(released.file.id)).status, 'for an hour').to.equal(200);
        clock += 23 * 3_600_000;
        await service.sweep();
        expect((await read(released.file.id)).status).to.equal(404);
        expect((await read(dropped.file.id)).status).to.equal(200);
        clock += 2 * 3_600_000;
        await service.sweep();
        expect((await read(dropped.file.id)).status).to.equal(404);
        expect((await read(uploadedPdf.file.id)).status).to.equal(200);
        await service.drop([subject]);
        expect((await read(uploadedPdf.file.id)).status).to.equal(404);
      });
    });

  describe('uploads', () => {
    let t: TestService;
    before(async () => void (t = await startTestService()));
    after(() => t.stop());
    const { upload, read } = accessPaths(
      () => t,
      () => t,
    );
    const post = async (path: string, body: unknown, who: UserName = 'client_admin') =>
      t.api(path, { key: await signIns(t)(who), body });

    it('files-and-documents 3: a JPEG is returned without place, device and comment, with its orientation', async () => {
      for (const orientation of [1, 6]) {
        const { json } = await upload(jpeg(orientation), 'photo');
        const { content } = await read(json.file.id);
        const text = content.toString('latin1');
        for (const metadataText of ['GPS', 'Ada', 'xap', 'film']) expect(text).to.not.include(metadataText);
        expect(text).to.include('ICC_PROFILE');
        expect(content.subarray(-PICTURE.length).equals(PICTURE)).to.equal(true);
        const turned = content.indexOf(Buffer.from('Exif\0\0'));
        expect(turned < 0 ? 1 : content.readUInt16BE(turned + 6 + 18)).to.equal(orientation);
      }
    });

    it('files-and-documents 4: a decompression bomb is 422, a renamed SVG 415, too much 413', async () => {
      const bomb = Buffer.from(zipSync({ 'xl/workbook.xml': Buffer.alloc(60_000_000) }, { level: 9 }));
      expect((await upload(bomb, 'import')).json.code).to.equal('FILE_SUSPICIOUS');
      expect((await upload(XLSX.subarray(0, 40), 'import')).json.code).to.equal('FILE_SUSPICIOUS');
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
      for (const purpose of ['photo', 'document', 'import'])
        expect((await upload(svg, purpose)).status, purpose).to.equal(415);
      expect((await upload(PDF, 'photo')).status).to.equal(415);
      expect((await upload(Buffer.alloc(0), 'photo')).status).to.equal(415);
      const large = Buffer.concat([PNG.subarray(0, 8), Buffer.alloc(10 * 1_048_576)]);
      const refused = await upload(large, 'photo');
      expect([refused.status, refused.json.code]).to.deep.equal([413, 'FILE_TOO_LARGE']);
      expect((await upload(CSV, 'issued')).status).to.equal(400);
    });

    it(`files-and-documents 4: a CSV of ${CSV_LINES / 10_000} MB with one invalid byte at its end is reported by its line`, async () => {
      const line = `R,${'x'.repeat(97)}\n`;
      const wrong = Buffer.concat([
        Buffer.from(line.repeat(CSV_LINES)),
        Buffer.from('R,bad'),
        Buffer.from([0xe4]),
        Buffer.from('\n'),
      ]);
      const { status, json } = await upload(wrong, 'import', 'client_admin');
      expect(status).to.equal(201);
      const { json: importResponse } = await post('/orders/import', { file_id: json.file.id });
      expect(importResponse.errors[0], JSON.stringify(importResponse)).to.include({
        field: 'file_id',
        code: 'WRONG_BYTE',
      });
      expect(importResponse.errors[0].message)
        .to.include(`${CSV_LINES + 1}`)
        .and.include('6');
    });

    it('are readable only by their uploader, and accepted as a form, too', async () => {
      const form = new FormData();
      form.set('purpose', 'document');
      form.set('file', new Blob([new Uint8Array(PDF)], { type: 'text/html' }), 'x.html');
      const key = await signIns(t)('employee');
      const sent = await fetch(`${t.url}/api/v1/files`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: form,
      });
      const { id: file_id, media_type } = ((await sent.json()) as { file: { id: string; media_type: string } }).file;
      expect([sent.status, media_type]).to.deep.equal([201, 'application/pdf']);
      expect((await read(file_id)).content.equals(PDF)).to.equal(true);
      for (const who of ['client_admin', 'other_client_admin', 'driver'] as const)
        expect((await read(file_id, who)).status, who).to.equal(404);
      expect((await fetch(`${t.url}/api/v1/files/${file_id}`)).status).to.equal(401);
      const empty = new FormData();
      empty.set('purpose', 'document');
      const nothing = await fetch(`${t.url}/api/v1/files`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: empty,
      });
      expect(nothing.status).to.equal(400);
    });

    it('are the same form again under the same key, with any boundary', async () => {
      const key = await signIns(t)('employee');
      const send = async (content: Buffer, purpose = 'document') => {
        const form = new FormData();
        form.set('purpose', purpose);
        form.set('file', new Blob([new Uint8Array(content)]), 'x.pdf');
        const answer = await fetch(`${t.url}/api/v1/files`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'form-1' },
          body: form,
        });
        // eslint-disable-next-line @typescript-eslint/no-explicit-any
        return { status: answer.status, json: (await answer.json()) as any };
      };
      const first = await send(PDF);
      expect(first.status).to.equal(201);
      expect(await send(PDF)).to.deep.equal(first);
      const others = [await send(Buffer.concat([PDF, Buffer.from('x')])), await send(PDF, 'photo')];
      expect(others.map(({ json }) => json.code)).to.deep.equal(['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_REUSED']);
    });

    it('P4: a table of orders is imported by its file', async () => {
      const { json } = await upload(CSV, 'import', 'client_admin');
      const imported = await post('/orders/import', { file_id: json.file.id, wait_s: 20 });
      expect(imported.json, imported.text).to.include({ result: true, lines: 1, created: 1 });
      expect((await post('/orders/import', { file_id: json.file.id }, 'employee')).json.code).to.equal(
        'FILE_NOT_FOUND',
      );
      expect((await post('/orders/import', {})).status).to.equal(400);
      expect((await post('/orders/import', { file_id: json.file.id, csv: 'a' })).status).to.equal(400);
    });
  });
});
