/** Emergency numbers by region (ISO 3166). A region without an entry has none: a wrong number costs more than no number. */

export interface EmergencyNumber {
  readonly service: 'police' | 'fire' | 'ambulance' | 'all';
  readonly number: string;
}

const separate = (police: string, fire: string, ambulance: string): readonly EmergencyNumber[] => [
  { service: 'police', number: police },
  { service: 'fire', number: fire },
  { service: 'ambulance', number: ambulance },
];
const one = (number: string): readonly EmergencyNumber[] => [{ service: 'all', number }];

/** The European Union and its neighbours with the common number. */
const EUROPE = [
  ...['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU', 'IE', 'IS', 'IT'],
  ...['LT', 'LU', 'LV', 'MT', 'NL', 'NO', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'],
];

const NUMBERS: Readonly<Record<string, readonly EmergencyNumber[]>> = {
  EG: separate('122', '180', '123'),
  SA: separate('999', '998', '997'),
  AE: separate('999', '997', '998'),
  KW: one('112'),
  QA: one('999'),
  BH: one('999'),
  JO: one('911'),
  GB: one('999'),
  US: one('911'),
  CA: one('911'),
  ...Object.fromEntries(EUROPE.map((region) => [region, one('112')])),
};

export function emergencyNumbersOf(region: string): readonly EmergencyNumber[] {
  return NUMBERS[region] ?? [];
}
