/** Lists the parts of an archive without unpacking them. */
import { unzipSync } from 'fflate';
import { FileRefused } from '../refused.js';

const MAX_UNPACKED_BYTES = 500_000_000;
const MAX_COMPRESSION_RATIO = 100;
/** Parts up to this size in bytes are harmless at any compression ratio. */
const MIN_RATIO_BYTES = 1_000_000;

/** Names of the parts. Throws FileRefused FILE_SUSPICIOUS for damaged archives and archive bombs. */
export function archiveParts(archive: Uint8Array): ReadonlySet<string> {
  const names = new Set<string>();
  let unpacked = 0;
  try {
    unzipSync(archive, {
      filter({ name, size, originalSize }) {
        unpacked += originalSize;
        const isBomb = originalSize > MIN_RATIO_BYTES && originalSize > size * MAX_COMPRESSION_RATIO;
        if (isBomb || unpacked > MAX_UNPACKED_BYTES) throw new FileRefused('FILE_SUSPICIOUS');
        names.add(name);
        return false;
      },
    });
  } catch {
    throw new FileRefused('FILE_SUSPICIOUS');
  }
  return names;
}

export type ArchivePiece = 'workbook' | 'other';

/** Yields whether the archive is a workbook. Throws as `archiveParts`. */
export function* readArchive(content: Buffer): Iterable<ArchivePiece> {
  yield archiveParts(content).has('xl/workbook.xml') ? 'workbook' : 'other';
}
