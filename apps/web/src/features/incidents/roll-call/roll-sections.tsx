/** The rows of the roll call in their sections. */
import type { CareCard } from '@haris/contract/care-card';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import type { MissingDanger } from '../danger/shown-danger.ts';
import classes from './roll-call.module.css';
import type { Section } from './roll-list.ts';
import { Row, type RowProps } from './row.tsx';

export interface RollSectionsProps extends Pick<RowProps, 'staffId' | 'onTick' | 'onCard' | 'onAsk'> {
  sections: readonly Section[];
  /** Text without any row. */
  empty: string;
  /** Care cards by the child's id. */
  cardOf: ReadonlyMap<string, CareCard>;
  /** Open alerts for missing children, by the child's id. */
  searchOf: ReadonlyMap<string, MissingDanger>;
}

export function RollSections({ sections, empty, ...row }: RollSectionsProps) {
  if (sections.length === 0) return <Text className={classes.nobody ?? ''}>{empty}</Text>;
  return (
    <div className={classes.list}>
      {sections.map((section) => (
        <SectionOfRows
          key={section.group.kind === 'room' ? `room ${section.group.room}` : section.group.kind}
          section={section}
          {...row}
        />
      ))}
    </div>
  );
}

function SectionOfRows({
  section: { group, entries },
  cardOf,
  searchOf,
  ...row
}: { section: Section } & Omit<RollSectionsProps, 'sections' | 'empty'>) {
  const title = useGroupTitle()(group);
  const format = useClockFormat();
  return (
    <section aria-label={title} className={classes.section} data-group={group.kind}>
      <h3 className={classes.group}>
        <bdi>{title}</bdi> <span>{format.count(entries.length)}</span>
      </h3>
      <ul className={classes.rows}>
        {entries.map((entry) => (
          <Row
            key={entry.id}
            entry={entry}
            card={cardOf.get(entry.id)}
            search={searchOf.get(entry.id)}
            {...row}
          />
        ))}
      </ul>
    </section>
  );
}

/** Title of a section: the room, or what its rows have in common. */
export function useGroupTitle(): (group: Section['group']) => string {
  const { t } = useTranslation('emergency');
  return (group) => (group.kind === 'room' ? group.room : t(`group.${group.kind}`));
}
