/** Real families and sample families never mix. */
import { AppError } from './app-error.ts';
import { hasSampleParent } from './db/sample.ts';
import type { Tx } from './db/transaction.ts';

/** Real families cannot be added before staff have removed the sample families. Throws `sample_data_present`. */
export async function refuseBesideSample({ trx }: Tx): Promise<void> {
  if (await hasSampleParent(trx)) throw new AppError('sample_data_present');
}
