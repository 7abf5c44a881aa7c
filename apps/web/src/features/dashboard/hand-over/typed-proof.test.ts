import { expect, it } from 'vitest';
import { readTypedProof } from './typed-proof.ts';

const ID = 'aZ09-_bcdefghijklmnopqrstuvwxyzABCDEFGHIJKL';

it('knows a slip, a pass, its link, and a code by what is typed', () => {
  const slip = `${ID}.0123456789abcdef0123456789abcdef`;
  expect(readTypedProof(` ${slip} `)).toEqual({ kind: 'slip', value: slip });
  expect(readTypedProof(ID)).toEqual({ kind: 'pass', value: ID });
  expect(readTypedProof(`https://haris.example/pass#${ID}`)).toEqual({ kind: 'pass', value: ID });
  expect(readTypedProof('123 456')).toEqual({ kind: 'code', value: '123456' });
  expect(readTypedProof('١٢٣٤٥٦')).toEqual({ kind: 'code', value: '123456' });
});

it('takes nothing else for a proof', () => {
  for (const text of ['', '12345', '1234567', ID.slice(1), `${ID}.xyz`, 'Samia'])
    expect(readTypedProof(text)).toBeNull();
});
