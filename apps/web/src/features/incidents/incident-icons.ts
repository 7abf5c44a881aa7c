/** A picture for each kind of incident; a word always stands beside it. */
import type { IncidentKind } from '@haris/contract/incident-kinds';
import {
  type Icon,
  IconAntennaBarsOff,
  IconArchive,
  IconCameraOff,
  IconClockExclamation,
  IconClockHour10,
  IconDatabaseExclamation,
  IconDatabaseX,
  IconDoorExit,
  IconEyeOff,
  IconFlame,
  IconMoodKid,
  IconPlugConnectedX,
  IconUserQuestion,
  IconUsersGroup,
  IconWind,
} from '@tabler/icons-react';

export const INCIDENT_ICONS: Readonly<Record<IncidentKind, Icon>> = {
  temperature: IconFlame,
  air: IconWind,
  sensor_offline: IconPlugConnectedX,
  stay_due: IconClockHour10,
  time_up: IconClockExclamation,
  not_seen: IconEyeOff,
  seen_outside: IconMoodKid,
  unknown_person: IconUserQuestion,
  camera_down: IconCameraOff,
  broker_down: IconAntennaBarsOff,
  capacity: IconUsersGroup,
  disk: IconDatabaseExclamation,
  database: IconDatabaseX,
  backup: IconArchive,
  evacuation: IconDoorExit,
};
