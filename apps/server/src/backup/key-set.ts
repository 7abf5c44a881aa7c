/** A large set of keys that tells whether one was added twice, with eight bytes for each. */
import { hash } from 'node:crypto';

const FIRST_SIZE = 1024;

export class KeySet {
  #hashes = new BigUint64Array(FIRST_SIZE);
  #size = 0;

  /** Number of keys that were added. */
  get size(): number {
    return this.#size;
  }

  /** Adds a key of JSON values. Two of 100 million keys have the same 64 bits by chance about once in 4,000 sets. */
  add(key: readonly unknown[]): void {
    if (this.#size === this.#hashes.length) {
      const larger = new BigUint64Array(2 * this.#size);
      larger.set(this.#hashes);
      this.#hashes = larger;
    }
    this.#hashes[this.#size++] = hash('sha1', JSON.stringify(key), 'buffer').readBigUInt64LE();
  }

  hasRepeated(): boolean {
    const sorted = this.#hashes.subarray(0, this.#size).sort();
    return sorted.some((one, index) => index > 0 && one === sorted[index - 1]);
  }
}
