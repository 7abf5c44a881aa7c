/** Queries of the sheets: one child with its family and its guardians, and one family. */
import { guardianRoutes } from '@haris/contract/http/guardians';
import { sheetRoutes } from '@haris/contract/http/sheets';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { familyQuery, oneChildKey } from '../lists/queries.ts';

/** One child with its family and photos, with current data. */
export function childSheetQuery(id: string) {
  return queryOptions({
    queryKey: [...oneChildKey, id],
    queryFn: ({ signal }) => call(sheetRoutes.getChild, { params: { id }, signal }),
  });
}

/** The child of a sheet, with its family and photos. */
export function useChildSheet(id: string) {
  return useQuery(childSheetQuery(id));
}

/** The guardians of a child, the first one first, and who was asked. */
export function guardiansQuery(childId: string) {
  return queryOptions({
    queryKey: [keys.guardians, childId],
    queryFn: async ({ signal }) =>
      (await call(guardianRoutes.listGuardians, { params: { id: childId }, signal })).guardians,
  });
}

/** The family of a sheet, by the parent's id. */
export function useFamilySheet(id: string) {
  return useQuery(familyQuery(id));
}
