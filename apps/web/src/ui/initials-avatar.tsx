/** A face, or the initials of a name on a colour that stays the same for that name. */
import type { Ref } from 'react';
import styles from './initials-avatar.module.css';

const COLORS = ['pine', 'saffron', 'clay', 'gray'] as const;

/** First letters of the first and the last word, upper case if the script has case. Words in brackets do not count. */
export function initialsOf(name: string): string {
  const all = name.trim().split(/\s+/u).filter(Boolean);
  const named = all.filter((word) => !/^[([{]/u.test(word));
  const words = named.length > 0 ? named : all;
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  // Without this separator, Arabic letters would join and read as a word.
  const apart = '\u200c';
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join(apart)
    .toLocaleUpperCase();
}

/** Colour for a name; the same name always has the same colour. */
function colorOf(name: string): (typeof COLORS)[number] {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return COLORS[sum % COLORS.length] ?? 'pine';
}

export interface InitialsAvatarProps {
  name: string;
  /** Picture to show instead of the initials. */
  src?: string | undefined;
  /** Side in pixels, or a CSS length. */
  size?: number | string;
  shape?: 'circle' | 'rounded';
  /**
   * True where staff compare: a photo cut to a square may hide a second person at its edge, whose face is the larger one.
   */
  isWhole?: boolean;
  ref?: Ref<HTMLDivElement> | undefined;
}

/**
 * `alt` is the name. The style sheet draws the initials: as text they would be part of the visible label of a button
 * around them while a photo loads. Uses plain elements, because a dashboard draws hundreds of avatars.
 */
export function InitialsAvatar({
  name,
  src,
  size = 52,
  shape = 'circle',
  isWhole = false,
  ref,
}: InitialsAvatarProps) {
  const color = colorOf(name);
  return (
    <div
      ref={ref}
      className={styles.avatar}
      data-shape={shape}
      data-whole={isWhole || undefined}
      style={{
        width: size,
        height: size,
        fontSize: typeof size === 'number' ? size * 0.4 : `calc(${size} * 0.4)`,
        background: `var(--mantine-color-${color}-light)`,
        color: `var(--mantine-color-${color}-light-color)`,
      }}
      {...(src === undefined ? { role: 'img', 'aria-label': name } : {})}
    >
      {src === undefined ? (
        <span className={styles.initials} data-initials={initialsOf(name)} />
      ) : (
        <img src={src} alt={name} />
      )}
    </div>
  );
}
