/** Upload and download of files. Feature areas define the references to files and who may read them. */
import { z } from 'zod';
import { accountSubject } from '../../../events/accounts/events.js';
import { USER_ROLES } from '../../../events/accounts/events.js';
import {
  FILE_PURPOSES,
  type FileInfo,
  type FilePurpose,
  type Files,
  type UploadQuota,
} from '../../../engines/files/files.js';
import { businessOf, userOf, type Caller, type UserCaller } from '../../core/callers.js';
import { ApiError, fieldError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Scope } from '../../core/scopes.js';
import { expectFileScope, expectOneScope, expectUploaderScope } from './file-scopes.js';
import { XLSX, GEO_JSON } from './media.js';
import { loadFile } from './load-file.js';
import { inspectUpload } from './inspect-upload.js';
import { expectPurpose, quotaErrorOf } from './upload-rules.js';
import type { Readers } from './read-pieces.js';

/** A kind of resources that refer to files. */
export interface FileReader {
  /** The scope that a token needs to read these resources, and thus their files. */
  readonly scope: Scope;
  /** Whether a resource that the caller may read refers to the file. */
  readonly canRead: (file: FileInfo, caller: UserCaller) => Promise<boolean>;
}

export interface FilesOptions {
  readonly files: Files;
  readonly readers: Pick<Readers, 'requests'>;
  /** The areas' permission rules for files. */
  readonly permissions: () => readonly FileReader[];
  readonly quota: UploadQuota;
}

const MIB = 1_048_576;
const PHOTOS = ['image/jpeg', 'image/png', 'image/webp'] as const;
/** Allowed media types and maximum sizes of uploads, by purpose. */
const UPLOAD_RULES = {
  photo: { types: PHOTOS, maxBytes: 10 * MIB },
  document: { types: ['application/pdf', ...PHOTOS], maxBytes: 10 * MIB },
  import: { types: ['text/csv', XLSX], maxBytes: 50 * MIB },
  map: { types: [GEO_JSON], maxBytes: 2 * MIB },
} as const satisfies Partial<Record<FilePurpose, { readonly types: readonly string[]; readonly maxBytes: number }>>;
const MAX_FILE_BYTES = 50 * MIB;
const purposeSchema = z
  .enum(['photo', 'document', 'import', 'map'])
  .describe('Purpose of the file. `import`: table for a dataset import. `map`: GeoJSON.');

/** Refuses callers without the right to the purpose, and returns its maximum size, before the body is read. */
function beforeUpload({ purpose }: Readonly<Record<string, unknown>>, caller: Caller): number | undefined {
  const known = purposeSchema.safeParse(purpose);
  return known.success ? expectUpload(known.data, caller).maxBytes : undefined;
}

/** The rules for files of the purpose. Throws PURPOSE_FORBIDDEN and INSUFFICIENT_SCOPE. */
function expectUpload(purpose: keyof typeof UPLOAD_RULES, caller: Caller) {
  expectPurpose(purpose, caller);
  expectFileScope(purpose, 'write', userOf(caller));
  return UPLOAD_RULES[purpose];
}

const CALLERS = USER_ROLES.filter((role) => role !== 'platform_admin');
/** Auditors change nothing, so no file of theirs could be used. */
const UPLOADERS = CALLERS.filter((role) => role !== 'auditor');
const fileSchema = z
  .object({
    id: z.string(),
    purpose: z.enum(FILE_PURPOSES),
    media_type: z.string().describe('Media type, detected from the content.'),
    size_bytes: z.int().describe('A photo may be smaller than the upload, because its metadata is removed.'),
  })
  .meta({ id: 'File' });

export function fileOperations({ files, readers, permissions, quota }: FilesOptions): Operation[] {
  return [
    operation({
      name: 'fileUpload',
      area: 'Files',
      summary: 'Upload a photo, document, table or GeoJSON file',
      description:
        'The body is the file itself, or a form (`multipart/form-data`) with the field `file`. The service detects the media type from the content. It removes position, device, texts and other metadata from JPEG, PNG and WebP photos. The token needs the scope of the resource that will refer to the file: `drivers:write` or `orders:write` (photo), `drivers:write` (document), `datasets:write` or `orders:write` (import), `datasets:write` (map). The service deletes files that nothing refers to after a day, and tables an hour after their import. Until then, they count toward the quotas of the user and of the business. Limits: 10 MiB (photo, document), 50 MiB (import), 2 MiB (map). Only client admins and employees can upload tables (`import`).',
      rest: {
        method: 'post',
        path: '/v1/files',
        query: ['purpose'],
        bytes: MAX_FILE_BYTES,
        beforeUpload,
        status: 201,
        headers: ({ file }: { readonly file: { readonly id: string } }) => ({ Location: `/api/v1/files/${file.id}` }),
      },
      callers: UPLOADERS,
      writes: true,
      risk: 'medium',
      streams: true,
      answers: {
        403: 'The role may not upload files of this purpose (`PURPOSE_FORBIDDEN`), or the token has no scope for them (`INSUFFICIENT_SCOPE`).',
        413: 'The file is too large for its purpose (`FILE_TOO_LARGE`).',
        415: 'The media type is not allowed for this purpose (`UNSUPPORTED_MEDIA_TYPE`).',
        422: 'The file is a damaged archive or an archive bomb (`FILE_SUSPICIOUS`), or it ended the process that read it (`FILE_READ_MEMORY`, `FILE_READ_TIME`, `FILE_READ_FAILED`).',
        429: 'The user or the business has too many files that nothing refers to (`TOO_MANY_FILES`), or their total size is too large (`UPLOAD_QUOTA_EXCEEDED`).',
        503: 'Too many files of the business are read at the moment (`UNAVAILABLE`).',
      },
      input: z.object({ purpose: purposeSchema }),
      output: z.object({ result: z.boolean(), file: fileSchema }),
      async run({ purpose }, { caller, commandId, bytes = Buffer.alloc(0) }) {
        const { types, maxBytes } = expectUpload(purpose, caller);
        if (bytes.length > maxBytes) throw fieldError('FILE_TOO_LARGE', 'body', { max: maxBytes }, '');
        const business = businessOf(caller);
        const { mediaType, content } = await inspectUpload(bytes, { purpose, types, business, readers });
        const { userId } = userOf(caller);
        const file = { id: commandId, business, owner: userId, subject: accountSubject(userId), purpose };
        await files.put({ ...file, mediaType, content }, quota).catch((error: unknown) => {
          throw quotaErrorOf(error);
        });
        return { result: true, file: { id: commandId, purpose, media_type: mediaType, size_bytes: content.length } };
      },
    }),

    operation({
      name: 'file',
      area: 'Files',
      summary: 'Download a file',
      description:
        'The file is available to the user who uploaded it, and to callers that may read a resource that refers to the file. The token needs the scope of that resource: `drivers:read` for documents of drivers and their photos, `orders:read` for photos of returns, `datasets:read` for GeoJSON, `datasets:read` or `orders:read` for tables.',
      rest: { method: 'get', path: '/v1/files/:file_id', produces: 'application/octet-stream' },
      callers: CALLERS,
      streams: true,
      answers: {
        403: 'The token has no scope for this file (`INSUFFICIENT_SCOPE`).',
        404: 'There is no such file, the caller may not read it, or it was erased.',
        500: 'The stored file is damaged (`FILE_DAMAGED`).',
      },
      input: z.object({ file_id: z.uuid() }),
      output: z.string(),
      async run({ file_id }, { caller }) {
        const user = userOf(caller);
        const info = await files.find(file_id);
        if (!info || info.business !== businessOf(caller)) throw new ApiError('FILE_NOT_FOUND');
        await expectReadable(info, user);
        return {
          body: await loadFile(files, file_id),
          mediaType: info.media_type,
          headers: {
            'Cache-Control': 'private, no-store',
            'Content-Disposition': 'attachment',
            'X-Content-Type-Options': 'nosniff',
          },
        };
      },
    }),
  ];

  /** Throws FILE_NOT_FOUND unless the user may read the file, and INSUFFICIENT_SCOPE if only the token may not. */
  async function expectReadable(file: FileInfo, caller: UserCaller): Promise<void> {
    if (file.owner === caller.userId) return expectUploaderScope(file, caller);
    const referring: Scope[] = [];
    for (const { scope, canRead } of permissions()) if (await canRead(file, caller)) referring.push(scope);
    if (referring.length === 0) throw new ApiError('FILE_NOT_FOUND');
    expectOneScope(referring, caller);
  }
}
