/** Moves events back in time in the database of the running server, since a test cannot wait an hour. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Moves the start of a child's open stay back by `ms` milliseconds. No event is sent: pages see it when they fetch
 * again.
 */
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

/** Makes all weekly bookings old: a booking that was just entered is asked about only 15 minutes later. */
export function forgetWhenBooked(dataDir: string): void {
  const db = new DatabaseSync(join(dataDir, 'haris.db'));
  try {
    db.exec('PRAGMA busy_timeout = 5000');
    db.exec('UPDATE booking_patterns SET set_at = 0');
  } finally {
    db.close();
  }
}
