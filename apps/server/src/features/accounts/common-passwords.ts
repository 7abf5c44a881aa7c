/**
 * Refuses easily guessed passwords: the 49,000 most often leaked ones (list of zxcvbn, case-insensitive), and passwords
 * made of the person's name or address or of the product's name. Runs only on the server, because the list has 380 KB.
 */
import { COMMON_PASSWORD, toAsciiDigits } from '@haris/contract/fields';
import { AppError } from '../../app-error.ts';

/** Loaded when a password is first set, in about 30 ms. */
let list: Promise<ReadonlySet<string>> | undefined;

async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

/** Only the letters: `mona.2026!` becomes `mona`. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{M}]/gu, '');
}

/** Removes differences of case, digits and Unicode form, because an attacker tries all variants anyway. */
function folded(text: string): string {
  return toAsciiDigits(text.normalize('NFKC').toLowerCase());
}

/** Throws 400 at the field `password` if the password is common or made of the account's name or address. */
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
