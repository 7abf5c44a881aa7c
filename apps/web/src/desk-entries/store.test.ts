/** What becomes of entries in a browser that has no database: nothing is found or deleted, nothing is said to be written. */
import { expect, test } from 'vitest';
import {
  addEntry,
  deleteTicket,
  deleteUnlessWaiting,
  readEntries,
  readKey,
  readNote,
  readTicket,
  writeNote,
  writeTicket,
} from './store.ts';

const note = { server: 0, wall: 0, isUnsure: false };
const sealed = new Uint8Array(40);

test('without a database nothing is found and nothing is deleted, and nothing fails', async () => {
  const found = await Promise.all([readKey(), readTicket(), readNote(), readEntries()]);
  expect(found).toEqual([null, null, null, []]);
  await deleteTicket();
  await deleteUnlessWaiting();
  await writeNote(note);
});

test('what must be on disk fails', async () => {
  await expect(addEntry({ id: 'one', sealed }, note, 'page')).rejects.toThrow();
  await expect(writeTicket({ sealed, page: 'page', keptAt: 0, endsAt: 0 })).rejects.toThrow();
});
