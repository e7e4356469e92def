/** Stores the encrypted bytes of files in a bucket with the S3 protocol. */
import type * as Sdk from '@aws-sdk/client-s3';
import type { FileBytes } from './bytes.js';

export interface BucketConfig {
  readonly endpoint: string;
  readonly bucket: string;
  readonly key: string;
  readonly secret: string;
}

const TIMEOUT_MS = 10_000;

export function createBucketBytes({ endpoint, bucket: Bucket, key, secret }: BucketConfig): FileBytes {
  // Preloads the client, because loading takes a moment. Only processes with a bucket load it.
  const sdk = import('@aws-sdk/client-s3');
  sdk.catch(() => undefined);
  let client: Sdk.S3Client | undefined;
  async function send(command: (sdk: typeof Sdk) => unknown): Promise<unknown> {
    const loaded = await sdk;
    client ??= new loaded.S3Client({
      endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: key, secretAccessKey: secret },
      // Not every store supports the newer checksums. The encryption already authenticates the content.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { requestTimeout: TIMEOUT_MS, connectionTimeout: TIMEOUT_MS },
    });
    return client.send(command(loaded) as never);
  }
  const at = (place: string) => ({ Bucket, Key: `files/${place}` });
  return {
    async put(place, Body) {
      await send(({ PutObjectCommand }) => new PutObjectCommand({ ...at(place), Body }));
    },
    async get(place) {
      try {
        const { Body } = (await send(({ GetObjectCommand }) => new GetObjectCommand(at(place)))) as {
          readonly Body: { transformToByteArray(): Promise<Uint8Array> };
        };
        return Buffer.from(await Body.transformToByteArray());
      } catch (error) {
        if ((error as { name?: string }).name === 'NoSuchKey') return undefined;
        throw error;
      }
    },
    async remove(place) {
      await send(({ DeleteObjectCommand }) => new DeleteObjectCommand(at(place)));
    },
  };
}
