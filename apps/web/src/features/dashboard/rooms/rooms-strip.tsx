/** The rooms in one line: picture of the camera, children inside, air in words. It folds to the names and numbers. */
import type { Camera } from '@haris/contract/http/cameras';
import type { Room as KnownRoom } from '@haris/contract/http/rooms';
import { Button, Skeleton } from '@mantine/core';
import {
  IconAlertTriangle,
  IconChevronDown,
  IconHome,
  IconPlus,
  IconUserQuestion,
  IconUsers,
} from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { Allowed } from '../../../session/allowed.tsx';
import { type May, useMay } from '../../../session/may.ts';
import { areRoomsFolded, keepRoomsFolded } from '../frame/rooms-folded.ts';
import screen from '../frame/screen.module.css';
import { useChildrenInside } from '../lists/queries.ts';
import { type Room, roomsOf } from './rooms.ts';
import classes from './rooms-strip.module.css';

export interface RoomsStripProps {
  /** Undefined until known, and after a failure, which the strip says. */
  cameras: readonly Camera[] | undefined;
  /** Names of the rooms with a sensor; undefined until known. */
  measured: readonly string[] | undefined;
  hasFailed: boolean;
  /** The rooms with their children and staff; undefined until known, and if this person may not see them. */
  known: readonly KnownRoom[] | undefined;
  /** Dangers that are not over; `area` null: the whole facility. */
  dangers: readonly { readonly area: string | null; readonly title: string }[];
  /** Small picture of a camera; null until its code has loaded. */
  Thumbnail: ComponentType<{ camera: Camera }> | null;
  /** Air of a room in words; nothing for a room without a sensor. */
  Air: ComponentType<{ area: string }>;
}

const NONE: readonly never[] = [];

/** As high as its place in the frame, whatever is in it, so that nothing below moves. */
export function RoomsStrip({ cameras, measured, hasFailed, known, dangers, ...parts }: RoomsStripProps) {
  const { t } = useTranslation('dashboard');
  const [isFolded, setFolded] = useState(areRoomsFolded);
  const inside = useChildrenInside().data;
  const isKnown = cameras !== undefined && measured !== undefined;
  const { rooms, unseen } = useMemo(
    () => roomsOf(cameras ?? NONE, measured ?? NONE, inside ?? NONE, known),
    [cameras, measured, inside, known],
  );
  const dangerIn = (name: string) =>
    dangers.filter(({ area }) => area === null || area === name).map(({ title }) => title);
  return (
    <section
      className={`${screen.rooms} ${classes.rooms}`}
      aria-label={t('rooms.title')}
      data-folded={isFolded || undefined}
    >
      <button
        type="button"
        className={classes.fold}
        aria-expanded={!isFolded}
        aria-label={isFolded ? t('rooms.open') : t('rooms.fold')}
        title={isFolded ? t('rooms.open') : t('rooms.fold')}
        onClick={() => {
          keepRoomsFolded(!isFolded);
          setFolded(!isFolded);
        }}
      >
        <IconChevronDown size={18} className={classes.chevron} aria-hidden />
      </button>
      {!isKnown ? (
        hasFailed ? (
          <p className={classes.note}>{t('rooms.failed')}</p>
        ) : (
          <Waiting isFolded={isFolded} />
        )
      ) : rooms.length === 0 ? (
        <NoRooms isFolded={isFolded} />
      ) : (
        <ul className={classes.list} aria-label={t('rooms.title')}>
          {rooms.map((room) => (
            <li key={room.name}>
              {isFolded ? (
                <FoldedRoom room={room} dangers={dangerIn(room.name)} />
              ) : (
                <RoomCard room={room} dangers={dangerIn(room.name)} {...parts} />
              )}
            </li>
          ))}
          {unseen > 0 && cameras.length > 0 ? (
            <li className={classes.unseen}>
              <IconUserQuestion size={18} aria-hidden />
              {t('rooms.unseen', { count: unseen })}
            </li>
          ) : null}
        </ul>
      )}
    </section>
  );
}

interface RoomProps {
  room: Room;
  /** Titles of the dangers in it. */
  dangers: readonly string[];
}

/** Describes a breach of a room's limits in words; null if there is none. */
function useBreach(): (room: Room) => string | null {
  const { t } = useTranslation('dashboard');
  return ({ known }) => {
    if (known?.isOverCapacity) return t('rooms.over');
    return known?.isUnderstaffed === true ? t('rooms.understaffed') : null;
  };
}

/** Children of the capacity, staff, and the ratio that counts now. */
function Numbers({ known }: { known: KnownRoom }) {
  const { t } = useTranslation('dashboard');
  const format = useClockFormat();
  const { children, capacity, staff, ratio } = known;
  const parts = [
    capacity === null
      ? t('rooms.count', { count: children })
      : t('rooms.countOf', { count: children, capacity }),
    ...(staff.length > 0 || ratio !== null ? [t('rooms.staff', { count: staff.length })] : []),
    ...(ratio === null ? [] : [`${format.count(1)}:${format.count(ratio.childrenPerStaff)}`]),
  ];
  return <span>{parts.join(' · ')}</span>;
}

interface RoomLinkProps {
  room: Room;
  className: string | undefined;
  isInDanger: boolean;
  isBreached: boolean;
  children: ReactNode;
}

/**
 * The address that a room links to: its picture, the sensors, or the list of rooms; null if this person sees none of
 * them.
 */
function addressOf({ camera, known }: Room, may: May): string | null {
  if (camera !== null) return `/cameras/${camera._id}`;
  if (known !== null && (known.sensors === 0 || !may('sensors.view'))) return '/rooms';
  return may('sensors.view') ? '/sensors' : null;
}

function RoomLink({ room, className, isInDanger, isBreached, children }: RoomLinkProps) {
  const to = addressOf(room, useMay());
  const look = {
    className,
    'data-danger': isInDanger || undefined,
    'data-breach': isBreached || undefined,
  };
  return to === null ? (
    <div {...look}>{children}</div>
  ) : (
    <Link to={to} {...look}>
      {children}
    </Link>
  );
}

/** Children whom a camera saw here. Empty for people who may not see sightings, because every count would be 0. */
function Count({ count }: { count: number }) {
  const { t } = useTranslation('dashboard');
  const format = useClockFormat();
  const isKnown = useMay()('sightings.view');
  if (!isKnown) return null;
  return (
    <span className={classes.count} title={t('rooms.count', { count })}>
      <IconUsers size={15} aria-hidden />
      <span aria-hidden="true">{format.count(count)}</span>
      <span className={classes.spoken}>{t('rooms.count', { count })}</span>
    </span>
  );
}

function FoldedRoom({ room, dangers }: RoomProps) {
  const breach = useBreach()(room);
  return (
    <RoomLink
      room={room}
      className={classes.chip}
      isInDanger={dangers.length > 0}
      isBreached={breach !== null}
    >
      {dangers.length > 0 ? <IconAlertTriangle size={15} aria-hidden /> : null}
      <bdi>{room.name}</bdi>
      {dangers.length > 0 ? <span>{dangers.join(', ')}</span> : null}
      {breach === null ? null : <span className={classes.breach}>{breach}</span>}
      {room.known === null ? <Count count={room.count} /> : <Numbers known={room.known} />}
    </RoomLink>
  );
}

function RoomCard({ room, dangers, Thumbnail, Air }: RoomProps & Pick<RoomsStripProps, 'Thumbnail' | 'Air'>) {
  const { t } = useTranslation('dashboard');
  const { name, camera, more, known } = room;
  const maySeeCameras = useMay()('cameras.view');
  const breach = useBreach()(room);
  return (
    <RoomLink
      room={room}
      className={classes.room}
      isInDanger={dangers.length > 0}
      isBreached={breach !== null}
    >
      {maySeeCameras ? (
        <div className={classes.picture} data-empty={camera === null || undefined}>
          {camera === null || Thumbnail === null ? (
            <IconHome size={24} stroke={1.5} aria-hidden />
          ) : (
            <Thumbnail camera={camera} />
          )}
        </div>
      ) : null}
      <span className={classes.words}>
        <span className={classes.name} dir="auto" title={name}>
          {name}
        </span>
        <span className={classes.facts}>
          {known === null ? <Count count={room.count} /> : <Numbers known={known} />}
          {more > 0 ? <span>{t('rooms.more', { count: more })}</span> : null}
          {camera === null && known === null && maySeeCameras ? <span>{t('rooms.noCamera')}</span> : null}
        </span>
        {dangers.length > 0 ? (
          <span className={classes.danger}>
            <IconAlertTriangle size={16} aria-hidden /> {dangers.join(', ')}
          </span>
        ) : breach !== null ? (
          <span className={classes.breach}>
            <IconAlertTriangle size={16} aria-hidden /> {breach}
          </span>
        ) : (
          <Air area={name} />
        )}
      </span>
    </RoomLink>
  );
}

function NoRooms({ isFolded }: { isFolded: boolean }) {
  const { t } = useTranslation('dashboard');
  return (
    <div className={classes.empty}>
      <p className={classes.note}>{t('rooms.none')}</p>
      {isFolded ? null : (
        <Allowed to="cameras.manage">
          <Button
            component={Link}
            to="/cameras"
            size="xs"
            variant="light"
            leftSection={<IconPlus size={16} aria-hidden />}
          >
            {t('rooms.add')}
          </Button>
        </Allowed>
      )}
    </div>
  );
}

function Waiting({ isFolded }: { isFolded: boolean }) {
  const { t } = useTranslation('common');
  return (
    <div className={classes.list} role="status" aria-label={t('loading')}>
      {[0, 1, 2, 3].map((place) => (
        <Skeleton key={place} className={isFolded ? classes.chip : classes.room} />
      ))}
    </div>
  );
}
