/** A program that checks the file of an embedded database and prints `whole` or `damaged`; nothing if it cannot check. */
import { setPriority } from 'node:os';
import { mayBeOpen, sqliteCode } from './damage.ts';
import { connectUntouched } from './sqlite.ts';

/** SQLite's codes for a malformed file, and for a file that is not a database. */
const DAMAGED = new Set<number | undefined>([11, 26]);

function look(file: string): 'whole' | 'damaged' | null {
  const wasOpen = mayBeOpen(file);
  const found = check(file);
  // A server that started meanwhile may have changed pages under this look; the second one reads its log.
  return found === 'damaged' && !wasOpen && mayBeOpen(file) ? check(file) : found;
}

function check(file: string): 'whole' | 'damaged' | null {
  try {
    const database = connectUntouched(file);
    const found = database.prepare('pragma quick_check(1)').all();
    database.close();
    return found.length === 1 && found[0]?.quick_check === 'ok' ? 'whole' : 'damaged';
  } catch (error) {
    return DAMAGED.has(sqliteCode(error)) ? 'damaged' : null;
  }
}

// Low priority, so that the desk stays fast.
setPriority(10);
const file = process.argv[2];
const found = file === undefined ? null : look(file);
if (found) process.stdout.write(`${found}\n`);
