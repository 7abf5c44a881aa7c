/** The facility's name as every page may show it, with a session or without. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { nameDocumentTitles } from '../ui/document-title.ts';
import { configAnswerQuery } from './config-answer.ts';

/** Reads the unparsed configuration by hand, because schemas load later. Null until staff have entered a name. */
function facilityNameIn(config: unknown): string | null {
  if (typeof config !== 'object' || config === null || !('facility' in config)) return null;
  const { facility } = config;
  if (typeof facility !== 'object' || facility === null || !('name' in facility)) return null;
  return typeof facility.name === 'string' ? facility.name : null;
}

/**
 * The name of the account's facility, or of the organisation for visitors and families of several. Null until it is
 * known, and while there is none.
 */
export function usePublicName(): string | null {
  return useQuery({ ...configAnswerQuery, select: facilityNameIn }).data ?? null;
}

/** Keeps the facility's name in the titles of all pages. */
export function useNamedTitles(): void {
  const name = usePublicName();
  useEffect(() => nameDocumentTitles(name), [name]);
}
