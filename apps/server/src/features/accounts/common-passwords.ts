/**
 * Refuses passwords that are guessed first: those of a list of 49,000 that leaked most often (the one of zxcvbn, without
 * case), and those made of the person's own name or address, or of the product's name. Stays on the server: the list has
 * 380 KB.
 */
import { COMMON_PASSWORD, toAsciiDigits } from '@haris/contract/fields';
import { AppError } from '../../app-error.ts';

/** Read in when a password is first set, in about 30 ms. */
let list: Promise<ReadonlySet<string>> | undefined;

async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

/** Only the letters: `mona.2026!` becomes `mona`. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{M}]/gu, '');
}

/** Removes differences that a guesser tries anyway. */
function folded(text: string): string {
  return toAsciiDigits(text.normalize('NFKC').toLowerCase());
}

/** Refuses a password for an account of this name and address with 400, at the field `password`. */
export async function refuseCommonPassword(
  password: string,
  account: { readonly name: string; readonly email: string },
): Promise<void> {
  const typed = folded(password);
  const email = folded(account.email);
  const name = folded(account.name);
  const own = ['haris', 'حارس', email.replace(/@.*/, ''), name, ...name.split(/\s+/)]
    .map(lettersOf)
    .filter((text) => text.length > 0);
  list ??= readList();
  const isCommon = (await list).has(typed) || typed === email || own.includes(lettersOf(typed));
  if (isCommon)
    throw new AppError('invalid_request', {
      message: COMMON_PASSWORD,
      fields: { password: COMMON_PASSWORD },
    });
}
