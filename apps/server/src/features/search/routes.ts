/** Binds the search of staff over children and parents. */
import { searchRoutes } from '@haris/contract/http/search';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { findParentViews } from '../../db/parents.ts';
import { findLastEntries } from '../../db/past-stays.ts';
import { findFamilies } from '../../db/people-search.ts';
import { bind } from '../../http/bind.ts';
import { presentChild, presentParent } from '../../http/present.ts';
import { usualEntryOf } from '../../usual-entry.ts';
import { createSearchLimit } from './limit.ts';

export function searchFeature(app: FastifyInstance, context: Context): void {
  const count = createSearchLimit();
  bind(app, context, searchRoutes.search, {
    admit: async ({ actor }) => count(actor.id),
    async handle({ query, actor }) {
      const found = await findFamilies(context.db, query.q, query.limit);
      const parentIds = new Set([
        ...found.parents.map(({ id }) => id),
        ...found.children.map(({ parentId }) => parentId),
      ]);
      const views = new Map(
        (await findParentViews(context.db, [...parentIds])).map((view) => [view.parent.id, view]),
      );
      const families = [...views.values()];
      const entries = await findLastEntries(
        context.db,
        families.flatMap(({ children }) => children.map(({ id }) => id)),
      );
      const entriesOf = (parentId: string) => {
        const ids = new Set(views.get(parentId)?.children.map(({ id }) => id));
        return entries.filter(({ child_id }) => ids.has(child_id));
      };
      return {
        children: found.children.flatMap(({ id, parentId, isProposed, rank }) => {
          const view = views.get(parentId);
          const child = view?.children.find((one) => one.id === id);
          // Deleted since the names were read.
          if (view === undefined || child === undefined) return [];
          return [
            {
              rank,
              child: presentChild(child, actor),
              by: isProposed ? ('proposed' as const) : ('name' as const),
              parent: presentParent(view, actor),
              usual: usualEntryOf(entriesOf(parentId), id),
            },
          ];
        }),
        parents: found.parents.flatMap(({ id, rank }) => {
          const view = views.get(id);
          return view === undefined
            ? []
            : [{ rank, parent: presentParent(view, actor), usual: usualEntryOf(entriesOf(id)) }];
        }),
      };
    },
  });
}
