/** Reads a body of bytes: the file itself, or a form with the file in its part `file`. */
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { BodyClient } from '../core/body-shares.js';
import { bodyOf } from '../core/collect-body.js';
import { ApiError, fieldError, invalidField, invalidForm } from '../core/errors.js';

export interface Upload {
  readonly bytes: Buffer;
  /** The other parts of a form. */
  readonly fields: Readonly<Record<string, string>>;
  /**
   * Content that identifies equal bodies. For a form it contains the parts, because each attempt has a different
   * boundary.
   */
  readonly fingerprintSource: Buffer;
}

/** Allowance for the multipart frame around the file, in bytes. */
const FRAME = 65_536;
const FORM = /^multipart\/form-data\s*;/i;

/** Errors: those of `bodyOf`, FILE_TOO_LARGE, and INVALID_INPUT for an invalid form or a form without a file. */
export async function uploadOf(
  request: Request,
  response: Response,
  client: BodyClient,
  most: number,
): Promise<Upload> {
  await bodyOf(request, response, client, most + FRAME).catch((error: unknown) => {
    throw error instanceof ApiError && error.code === 'BODY_TOO_LARGE' ? fileTooLarge(most) : error;
  });
  const body = request.body as Buffer;
  const type = request.get('content-type') ?? '';
  if (!FORM.test(type)) return { bytes: expectSmall(body, most), fields: {}, fingerprintSource: body };
  const form = await new globalThis.Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw invalidForm('body', 'multipart/form-data with the file as its part `file`', '');
    });
  const file = form.get('file');
  if (file === null || typeof file === 'string') throw invalidField('REQUIRED', 'file');
  const fields = [...form].filter((part): part is [string, string] => typeof part[1] === 'string');
  const bytes = expectSmall(Buffer.from(await file.arrayBuffer()), most);
  return { bytes, fields: Object.fromEntries(fields), fingerprintSource: await partsOf(form) };
}

/** The body as it arrived, also if it is a form. Errors: those of `bodyOf`. */
export async function rawBodyOf(
  request: Request,
  response: Response,
  client: BodyClient,
  most: number,
): Promise<Upload> {
  await bodyOf(request, response, client, most);
  const bytes = request.body as Buffer;
  return { bytes, fields: {}, fingerprintSource: bytes };
}

/** Names and values of the parts in their order; a file is represented by the hash of its bytes. */
async function partsOf(form: FormData): Promise<Buffer> {
  const hashOf = async (file: File) =>
    createHash('sha256')
      .update(Buffer.from(await file.arrayBuffer()))
      .digest('hex');
  const parts = [...form].map(async ([name, value]) =>
    typeof value === 'string' ? { name, value } : { name, file: await hashOf(value) },
  );
  return Buffer.from(JSON.stringify(await Promise.all(parts)));
}

function expectSmall(bytes: Buffer, max: number): Buffer {
  if (bytes.length > max) throw fileTooLarge(max);
  return bytes;
}

const fileTooLarge = (max: number): ApiError => fieldError('FILE_TOO_LARGE', 'body', { max }, '');
