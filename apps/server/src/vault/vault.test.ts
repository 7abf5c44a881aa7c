/** What the vault seals opens with its own key, in its own place, and whole. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { masterKeyFromRecovery } from './master-key.ts';
import { openVault, seal } from './vault.ts';

const newVault = () => openVault(masterKeyFromRecovery(randomBytes(32).toString('hex')));
const vault = newVault();
const other = newVault();
const plain = Buffer.from('a face');

test('a sealed value opens in its own context, and in no other', () => {
  const { key } = vault.createDataKey('child 1');
  for (const one of [vault, key]) {
    const sealed = one.seal('face 1', plain);
    expect(one.open('face 1', sealed)).toEqual(plain);
    for (const context of ['face 2', '', 'face 1 '])
      expect(() => one.open(context, sealed), context).toThrow();
  }
});

test('a data key opens for its owner, under the master key that wrapped it', () => {
  const { key, wrapped } = vault.createDataKey('child 1');
  const sealed = key.seal('face 1', plain);
  expect(vault.openDataKey('child 1', wrapped).open('face 1', sealed)).toEqual(plain);
  expect(() => vault.openDataKey('child 2', wrapped)).toThrow();
  expect(() => other.openDataKey('child 1', wrapped)).toThrow();
  expect(() => vault.createDataKey('child 1').key.open('face 1', sealed)).toThrow();
  expect(() => vault.open('face 1', sealed)).toThrow();
});

test('a value of which one bit is another, or the end is missing, does not open', () => {
  const sealed = vault.seal('mail', plain);
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => vault.open('mail', changed), `byte ${at}`).toThrow();
    expect(() => vault.open('mail', sealed.subarray(0, at)), `${at} bytes`).toThrow();
  }
  expect(() => other.open('mail', sealed)).toThrow();
});

test('a keyed hash differs by text, purpose and master key', () => {
  const hashes = [vault.mac('a', 'x'), vault.mac('a', 'y'), vault.mac('b', 'x'), other.mac('a', 'x')];
  expect(new Set(hashes).size).toBe(4);
  expect(vault.mac('a', 'x')).toBe(hashes[0]);
});

test('a key that is given away is the same after a restart, another for each use, and opens nothing of the vault', () => {
  const bytes = randomBytes(32).toString('hex');
  const [now, later] = [openVault(masterKeyFromRecovery(bytes)), openVault(masterKeyFromRecovery(bytes))];
  const key = now.deriveKey('tablet 1');
  expect(key).toHaveLength(32);
  expect(later.deriveKey('tablet 1')).toEqual(key);
  expect(now.deriveKey('tablet 2')).not.toEqual(key);
  expect(other.deriveKey('tablet 1')).not.toEqual(key);
  // Whoever has one must not have a key of the vault, whatever the use is called.
  for (const use of ['seal values', 'wrap data keys', 'mac audit']) {
    const sealed = seal(now.deriveKey(use), 'face 1', plain);
    expect(() => now.open('face 1', sealed), use).toThrow();
  }
});
