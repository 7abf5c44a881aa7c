/** Finds the files that cameras of the kind `file` play, only below `DATA_DIR/media`. */
import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Returns the folder, and creates it if it is missing, so that staff find it. */
export function mediaFolder(dataDir: string): string {
  const folder = join(dataDir, 'media');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Absolute path of a file below the folder, with links resolved; null if it does not exist or a link leads outside. */
export function findMediaFile(dataDir: string, path: string): string | null {
  try {
    const folder = realpathSync(mediaFolder(dataDir));
    const file = realpathSync(join(folder, path));
    return file.startsWith(folder + sep) && statSync(file).isFile() ? file : null;
  } catch {
    return null;
  }
}
