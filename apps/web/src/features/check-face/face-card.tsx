/**
 * One face in a photo beside the registered photo of every child that is named: the match, or the candidates for staff to
 * choose from. None is preselected.
 */
import { Button, Stack, Text } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChildLink } from '../../child/child-link.tsx';
import { localeOf } from '../../i18n/locale.ts';
import { Photo } from '../../photos/photo.tsx';
import { Card } from '../../ui/card.tsx';
import { InitialsAvatar } from '../../ui/initials-avatar.tsx';
import type { SeenFace } from './api.ts';
import classes from './face-card.module.css';

const PICTURE = 128;

type Candidate = NonNullable<SeenFace['match']>;

export interface FaceCardProps {
  face: SeenFace;
  /** State and next step of a child, of another feature. */
  ChildSteps: ComponentType<{ id: string }>;
  /** Opens the search for a child; null for people who may not search. */
  onSearch: (() => void) | null;
}

/** `open`: staff have not answered; `nobody`: they said that it is none of the children who were named. */
type Answer = 'open' | 'nobody' | Candidate;

/** Names in a sentence of the other script keep their place. */
function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}

export function FaceCard({ face, ChildSteps, onSearch }: FaceCardProps) {
  const { match, question = [] } = face;
  const [answer, setAnswer] = useState<Answer>('open');
  const named = answer === 'open' ? match : answer === 'nobody' ? null : answer;
  if (named !== null)
    return (
      <Frame face={face} named={[{ candidate: named }]}>
        <Known
          child={named}
          isConfirmed={answer !== 'open'}
          ChildSteps={ChildSteps}
          onWrong={() => setAnswer(answer === 'open' ? 'nobody' : 'open')}
        />
      </Frame>
    );
  if (answer === 'open' && question.length > 0)
    return <Question face={face} question={question} onAnswer={setAnswer} />;
  return (
    <Frame face={face} named={[]}>
      <Unknown onSearch={onSearch} />
    </Frame>
  );
}

interface Named {
  candidate: Candidate;
  /** Below the name. */
  below?: ReactNode;
}

interface FrameProps {
  face: SeenFace;
  named: readonly Named[];
  /** What staff are asked, above the photos. */
  lead?: string;
  children: ReactNode;
}

/** The face of the photo, the registered photos beside it, and what follows from them. */
function Frame({ face, named, lead, children }: FrameProps) {
  const { t } = useTranslation('check-face');
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id}>
      <Stack gap="md">
        {lead === undefined ? null : (
          <Text ta="center" fw={500} role="status">
            {lead}
          </Text>
        )}
        <div className={classes.photos}>
          <figure className={classes.photo}>
            <InitialsAvatar name={t('thisFace')} src={face.picture} size={PICTURE} shape="rounded" />
            <figcaption id={id}>
              <Text span size="sm" c="dimmed">
                {t('thisFace')}
              </Text>
            </figcaption>
          </figure>
          {named.map(({ candidate, below }) => (
            <figure key={candidate.childId} className={classes.photo}>
              <Photo path={candidate.photo} name={candidate.name} size={PICTURE} shape="rounded" isWhole />
              <figcaption>
                <Text span fw={600} className={classes.name}>
                  <ChildLink id={candidate.childId}>
                    <bdi>{candidate.name}</bdi>
                  </ChildLink>
                </Text>
                {below}
              </figcaption>
            </figure>
          ))}
        </div>
        {children}
      </Stack>
    </Card>
  );
}

interface QuestionProps {
  face: SeenFace;
  question: readonly Candidate[];
  onAnswer: (answer: Answer) => void;
}

function Question({ face, question, onAnswer }: QuestionProps) {
  const { t, i18n } = useTranslation('check-face');
  const percent = new Intl.NumberFormat(localeOf(i18n.language), { style: 'percent' });
  const [first] = question;
  const named = question.map((candidate) => ({
    candidate,
    below: (
      <>
        <Text span size="sm" c="dimmed" className={classes.name}>
          {t('childOfAlike', {
            parentName: isolated(candidate.parentName),
            similarity: percent.format(candidate.similarity),
          })}
        </Text>
        <Button
          variant="default"
          aria-label={t('yesOf', { name: candidate.name })}
          onClick={() => onAnswer(candidate)}
        >
          {t('yes')}
        </Button>
      </>
    ),
  }));
  return (
    <Frame
      face={face}
      named={named}
      lead={
        question.length === 1 && first !== undefined
          ? t('question', { name: isolated(first.name) })
          : t('questionMany')
      }
    >
      <Button variant="default" className={classes.nobody ?? ''} onClick={() => onAnswer('nobody')}>
        {t('nobody')}
      </Button>
    </Frame>
  );
}

interface KnownProps extends Pick<FaceCardProps, 'ChildSteps'> {
  child: Candidate;
  /** True if staff chose the child themselves. */
  isConfirmed: boolean;
  onWrong: () => void;
}

function Known({ child, isConfirmed, ChildSteps, onWrong }: KnownProps) {
  const { t } = useTranslation('check-face');
  return (
    <>
      <Text ta="center" fw={500} role="status">
        {t(isConfirmed ? 'confirmed' : 'known', {
          name: isolated(child.name),
          parentName: isolated(child.parentName),
        })}
      </Text>
      <ChildSteps id={child.childId} />
      <Button variant="subtle" className={classes.nobody ?? ''} onClick={onWrong}>
        {t('notThis', { name: isolated(child.name) })}
      </Button>
    </>
  );
}

function Unknown({ onSearch }: Pick<FaceCardProps, 'onSearch'>) {
  const { t } = useTranslation('check-face');
  return (
    <>
      <Text ta="center" fw={500} role="status">
        {t('unknown')}
      </Text>
      <Text ta="center" size="sm" c="dimmed">
        {t('unknownHint')}
      </Text>
      {onSearch === null ? null : (
        <Button
          className={classes.nobody ?? ''}
          leftSection={<IconSearch size={18} aria-hidden />}
          onClick={onSearch}
        >
          {t('search')}
        </Button>
      )}
    </>
  );
}
