/** Files that cameras of the kind `file` play: below `DATA_DIR/media`, and nowhere else. */
import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/** The folder; made where it is missing, so that staff find it. */
export function mediaFolder(dataDir: string): string {
  const folder = join(dataDir, 'media');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** The absolute path of a file below the folder, links resolved; null where there is none, or a link leads out of it. */
export function findMediaFile(dataDir: string, path: string): string | null {
  try {
    const folder = realpathSync(mediaFolder(dataDir));
    const file = realpathSync(join(folder, path));
    return file.startsWith(folder + sep) && statSync(file).isFile() ? file : null;
  } catch {
    return null;
  }
}
