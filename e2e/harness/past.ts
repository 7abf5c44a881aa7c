/** Moves what happened back in time, behind the running server: an hour cannot be waited for. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The open stay of a child began `ms` milliseconds earlier. Nobody is told: pages see it when they read anew. */
export function moveEntryBack(dataDir: string, childId: string, ms: number): void {
  const db = new DatabaseSync(join(dataDir, 'haris.db'));
  try {
    db.exec('PRAGMA busy_timeout = 5000');
    const { changes } = db
      .prepare('UPDATE stays SET entry_time = entry_time - ? WHERE child_id = ? AND exit_time IS NULL')
      .run(ms, childId);
    if (changes !== 1) throw new Error(`the child has ${changes} open stays`);
  } finally {
    db.close();
  }
}
