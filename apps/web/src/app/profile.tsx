/** Joins the profile with the card of a child's time, because features do not import each other. */
import type { Child } from '@haris/contract/objects';
import { AirWord } from '../features/environment/air-word.tsx';
import { AirOfAreas, EnvironmentPanel } from '../features/environment/environment-panel.tsx';
import { DangerNote } from '../features/incidents/danger/danger-note.tsx';
import ProfileScreen from '../features/profile/profile-screen.tsx';
import { TimeInAreaCard } from '../features/stays/time-in-area-card.tsx';

/**
 * Areas in which a child may be: where a camera saw it last, and the room in which staff put it. Staff may forget to
 * record a move, so their room alone excludes nothing.
 */
function areasOf({ lastSeen, room }: Child): readonly string[] {
  if (lastSeen == null) return [];
  return room === null ? [lastSeen.area] : [lastSeen.area, room];
}

export default function Profile() {
  return (
    <ProfileScreen
      environment={<EnvironmentPanel />}
      renderDanger={(child) => <DangerNote areas={areasOf(child)} />}
      renderAir={(room) => <AirWord room={room} />}
      renderDetails={(child) => <TimeInAreaCard child={child} air={<AirOfAreas />} />}
    />
  );
}
