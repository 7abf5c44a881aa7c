/** Applies the change of one child to every cached list. */
import type { Child, Parent } from '@haris/contract/objects';
import type { QueryClient } from '@tanstack/react-query';
import { withChildInFamilies, withChildInSheet, withChildInside } from './children-cache.ts';
import { type Families, familiesKey, insideKey, oneChildKey } from './queries.ts';

export function showChild(client: QueryClient, child: Child): void {
  client.setQueryData<readonly Child[]>(insideKey, (inside) => inside && withChildInside(inside, child));
  client.setQueriesData<{ child: Child; parent: Parent }>({ queryKey: oneChildKey }, (sheet) =>
    sheet === undefined ? undefined : withChildInSheet(sheet, child),
  );
  client.setQueriesData<Families>({ queryKey: familiesKey }, (families) =>
    families === undefined
      ? undefined
      : {
          ...families,
          pages: families.pages.map((page) => ({
            ...page,
            parents: withChildInFamilies(page.parents, child),
          })),
        },
  );
  // A request in progress may return older data and overwrite the change.
  if (client.isFetching({ queryKey: familiesKey }) > 0) {
    void client.invalidateQueries({ queryKey: familiesKey });
  }
}
