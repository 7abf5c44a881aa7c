/** The facility's name in the configuration, which is unparsed there. */

/** Null until staff have entered a name. */
export function facilityNameIn(config: unknown): string | null {
  if (typeof config !== 'object' || config === null || !('facility' in config)) return null;
  const { facility } = config;
  if (typeof facility !== 'object' || facility === null || !('name' in facility)) return null;
  return typeof facility.name === 'string' ? facility.name : null;
}
