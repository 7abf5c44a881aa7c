/** The screen of `npm run doctor`: findings as aligned lines, the worst first. */
import { HEALTH_STATES, type HealthState } from '@haris/contract/http/health';
import type { Told } from './judgement.ts';
import { plain } from './sentence.ts';

/** Columns of a terminal. Only a word that is longer, such as a path, goes beyond. */
const WIDTH = 80;
/** Widths of the two columns before the text, with their gaps. */
const STATE_WIDTH = 9;
const ID_WIDTH = 10;

type Stated = Pick<Told, 'state'>;

function byState<F extends Stated>(findings: readonly F[], state: HealthState): F[] {
  return findings.filter((finding) => finding.state === state);
}

/** The worst first; those of a state stay in the order of the checks. Pure. */
export function worstFirst<F extends Stated>(findings: readonly F[]): F[] {
  return HEALTH_STATES.flatMap((state) => byState(findings, state));
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of plain(text).split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function linesOf({ id, state, detail, todo }: Told): string[] {
  const indent = STATE_WIDTH + ID_WIDTH;
  const arrow = '> ';
  const told = wrap(detail, WIDTH - indent);
  const advice = todo === undefined ? [] : wrap(todo, WIDTH - indent - arrow.length);
  return [
    ...told.map((line, at) =>
      at === 0 ? state.padEnd(STATE_WIDTH) + id.padEnd(ID_WIDTH) + line : ' '.repeat(indent) + line,
    ),
    ...advice.map((line, at) => ' '.repeat(indent) + (at === 0 ? arrow : '  ') + line),
  ];
}

/** All findings and a line of sums, for people. Pure. */
export function reportOf(findings: readonly Told[]): string {
  const lines = worstFirst(findings).flatMap(linesOf);
  const sums = HEALTH_STATES.map((state) => `${byState(findings, state).length} ${state}`).join(', ');
  return `${[...lines, '', sums].join('\n')}\n`;
}
