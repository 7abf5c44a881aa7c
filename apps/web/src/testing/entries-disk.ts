/** Stands in for the database of `desk-entries/store.ts`, which jsdom has not: what is written stays until `reset`. */
import type * as store from '../desk-entries/store.ts';

const empty = () => ({
  rows: [] as store.EntryRow[],
  key: null as CryptoKey | null,
  ticket: null as store.TicketRow | null,
  note: null as store.ClockNote | null,
  /** Nothing can be added. */
  isFull: false,
  /** What is added waits for it. */
  wait: Promise.resolve(),
  /** Something was to be added. */
  hasBegun: false,
});

let lastSeq = 0;

/** What is on the disk, for tests to read and to change. */
export const entriesDisk = {
  ...empty(),
  reset(): void {
    Object.assign(entriesDisk, empty());
  },
};

function deleteRows(seqs: readonly number[]): void {
  entriesDisk.rows = entriesDisk.rows.filter(({ seq }) => !seqs.includes(seq));
}

/** For `vi.mock`. */
export const entriesStore: typeof store = {
  readKey: async () => entriesDisk.key,
  async keepKey(key) {
    entriesDisk.key ??= key;
    return entriesDisk.key;
  },
  readTicket: async () => entriesDisk.ticket,
  async writeTicket(row) {
    if (entriesDisk.isFull) throw new DOMException('full', 'QuotaExceededError');
    entriesDisk.ticket = row;
  },
  async deleteTicket(page) {
    if (page === undefined || entriesDisk.ticket?.page === page) entriesDisk.ticket = null;
  },
  readNote: async () => entriesDisk.note,
  async writeNote(note) {
    entriesDisk.note = note;
  },
  readEntries: async () => [...entriesDisk.rows],
  async addEntry(entry, note, page) {
    entriesDisk.hasBegun = true;
    await entriesDisk.wait;
    if (entriesDisk.isFull) throw new DOMException('full', 'QuotaExceededError');
    if (entriesDisk.ticket?.page !== page) return null;
    entriesDisk.note = note;
    entriesDisk.rows = [...entriesDisk.rows, { ...entry, seq: ++lastSeq, toldAt: null }];
    return lastSeq;
  },
  async tellEntries(seqs, toldAt) {
    entriesDisk.rows = entriesDisk.rows.map((row) => (seqs.includes(row.seq) ? { ...row, toldAt } : row));
  },
  deleteTold: async (seqs) => deleteRows(seqs),
  async deleteUnlessWaiting() {
    if (entriesDisk.rows.every(({ toldAt }) => toldAt !== null)) entriesDisk.reset();
  },
};
