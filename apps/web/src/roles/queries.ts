/** The query of all roles. */
import { roleRoutes } from '@haris/contract/http/roles';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../calls/http.ts';
import { keys } from '../calls/query-client.ts';

export const rolesQuery = queryOptions({
  queryKey: [keys.admins, 'roles'],
  queryFn: ({ signal }) => call(roleRoutes.listRoles, { signal }),
});
