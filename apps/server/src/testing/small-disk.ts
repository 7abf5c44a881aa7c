/** A disk of a few megabytes that a test can fill: a file system in memory, mounted if that is allowed. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  /** Mount point; empty at first. */
  readonly folder: string;
  /** Fills the disk. */
  fill(): void;
  /** Frees the space again. */
  free(): void;
  remove(): void;
}

/** Mounting needs root, or sudo without a password, as on build servers. */
function asRoot(command: string, ...args: string[]): void {
  const [program, ...rest] = process.getuid?.() === 0 ? [command, ...args] : ['sudo', '-n', command, ...args];
  execFileSync(String(program), rest, { stdio: 'pipe' });
}

/** Null if mounting is not allowed. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  if (process.platform !== 'linux') return null;
  const folder = mkdtempSync(join(tmpdir(), 'haris-disk-'));
  const own = `uid=${process.getuid?.()},gid=${process.getgid?.()},mode=0700`;
  try {
    asRoot('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,${own}`, 'tmpfs', folder);
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      for (let count = 0; statfsSync(folder).bavail > 0; count++) {
        const { bavail, bsize } = statfsSync(folder);
        try {
          writeFileSync(`${filler}.${count}`, Buffer.alloc(bavail * bsize));
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
        }
      }
    },
    free() {
      for (let count = 0; count < 100; count++) rmSync(`${filler}.${count}`, { force: true });
    },
    remove() {
      asRoot('umount', folder);
      rmSync(folder, { recursive: true });
    },
  };
}
