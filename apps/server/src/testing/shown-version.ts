/** What staff have seen of a listed adult, for notes about namesakes (decision 049). */
import type { ListedForBar } from '@haris/contract/http/barred';
import type { TestApp } from './harness.ts';

/** The version of a listed adult of a child with a bar, as staff see it now. */
export async function shownVersion(
  app: TestApp,
  token: string,
  { child, adult }: { readonly child: string; readonly adult: string },
): Promise<string> {
  const { status, body } = await app.ask('GET', `/api/children/${child}/barred`, { token });
  const { adults } = body as unknown as { readonly adults: readonly ListedForBar[] };
  const found = status === 200 ? adults.find(({ _id }) => _id === adult) : undefined;
  if (!found) throw new Error(`${adult} is not listed for ${child}: ${status}`);
  return found.version;
}
