/** Datasets into which tables are imported and from which they are exported, over HTTP. */
import { expect } from 'chai';
import type { TestService } from './service.js';
import { signIns, type UserName } from './users.js';

export function openTables(t: TestService) {
  const keyOf = signIns(t);
  const as = async (user: UserName, path: string, body?: unknown, method?: string, headers?: Record<string, string>) =>
    t.api(path, { key: await keyOf(user), body, ...(method && { method }), ...(headers && { headers }) });
  let count = 0;

  /** Uploads a file, and returns the response. */
  async function send(content: Buffer | string, purpose: string, who: UserName = 'employee') {
    const answer = await fetch(`${t.url}/api/v1/files?purpose=${purpose}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await keyOf(who)}`, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(Buffer.from(content as string)),
    });
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    return { status: answer.status, headers: answer.headers, json: (await answer.json()) as any };
  }
  /** Uploads a table, and returns the id of the file. */
  async function upload(content: Buffer | string, who: UserName = 'employee'): Promise<string> {
    const { status, json } = await send(content, 'import', who);
    expect(status, JSON.stringify(json)).to.equal(201);
    return json.file.id as string;
  }
  async function make(columns: readonly object[], more: object = {}): Promise<number> {
    const body = { code: `table_${(count += 1)}`, name: 'A table', columns, ...more };
    const { status, json, text } = await as('employee', '/datasets', body);
    expect(status, text).to.equal(201);
    return json.dataset.id as number;
  }
  /** Waits for the end of the job and returns it. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async function ended(id: string): Promise<any> {
    for (;;) {
      const { json, text } = await as('employee', `/jobs/${id}?wait_s=10`);
      expect(json.job, text).to.be.an('object');
      if (json.job.finished_at) return json.job;
    }
  }
  async function bring(dataset: number, file_id: string, more: object = {}) {
    const { status, json, text } = await as('employee', `/datasets/${dataset}/import`, { file_id, ...more });
    expect(status, text).to.equal(202);
    return ended(json.job.id as string);
  }
  const artifact = async (job: string, name: string, who: UserName = 'employee') =>
    as(who, `/jobs/${job}/artifacts/${name}`);
  const search = async (dataset: number, body: object = {}) =>
    (await as('employee', `/datasets/${dataset}/search`, body)).json;

  return { as, send, upload, make, ended, bring, artifact, search };
}
