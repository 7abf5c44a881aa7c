/** Pictures of allergens; those that the icon library lacks are drawn here in its style. */
import type { Allergen } from '@haris/contract/care-card';
import {
  IconAcorn,
  IconAlertTriangle,
  IconBug,
  IconEgg,
  IconFish,
  IconMilk,
  IconPill,
  IconWheat,
} from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';

interface IconProps {
  'aria-hidden'?: boolean;
  size: number;
  stroke: number;
}

function drawn(shape: ReactNode): ComponentType<IconProps> {
  return function Drawn({ size, stroke }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={stroke}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden
      >
        {shape}
      </svg>
    );
  };
}

/** A peanut in its shell. */
const Peanut = drawn(
  <>
    <path d="M15.5 3.5a5 5 0 0 1 5 5c0 2.2-1.3 3.4-3 4.1-1.4.6-2.1 1.3-2.7 2.7-.9 2.4-2.6 5.2-5.8 5.2a5.5 5.5 0 0 1-5.5-5.5c0-3.2 2.8-4.9 5.2-5.8 1.4-.6 2.1-1.3 2.7-2.7.7-1.7 1.9-3 4.1-3z" />
    <path d="M8 14v.01M10 17v.01M7 17v.01M16 7v.01M17.5 9.5v.01" />
  </>,
);
/** A shrimp. */
const Shellfish = drawn(
  <>
    <path d="M19 8.5c-2-3-5.5-4-8.5-3.2C6.5 6.4 4 10 4.5 13.5 5 17 8 19.5 12 19.5h3.5l-2-3H12c-2.2 0-4-1.4-4-3.5 0-2.3 2-3.8 4.5-3.8H18z" />
    <path d="M18.5 8.5 21 5M8.2 8l2 2.2M5 12.5l3 .5M6.5 16.5l2.3-1.7M15 7v.01" />
  </>,
);
/** A pod with beans. */
const Soy = drawn(
  <>
    <path d="M20.5 3.5c.5 6-1.5 10.5-5 13.5-3.2 2.7-7.5 3.7-12 3.5-.3-4.5.7-8.8 3.5-12 3-3.5 7.5-5.5 13.5-5z" />
    <path d="M15.5 7.2a1.4 1.4 0 1 0 .01 0M11.5 11a1.5 1.5 0 1 0 .01 0M7.7 14.9a1.4 1.4 0 1 0 .01 0" />
  </>,
);
/** Three seeds. */
const Sesame = drawn(
  <>
    <path d="M12 3c1.8 2 2.5 3.4 2.5 4.6a2.5 2.5 0 0 1-5 0C9.5 6.4 10.2 5 12 3z" />
    <path d="M6.5 12c1.8 2 2.5 3.4 2.5 4.6a2.5 2.5 0 0 1-5 0c0-1.2.7-2.6 2.5-4.6z" />
    <path d="M17.5 12c1.8 2 2.5 3.4 2.5 4.6a2.5 2.5 0 0 1-5 0c0-1.2.7-2.6 2.5-4.6z" />
  </>,
);

const ICONS: Readonly<Record<Allergen, ComponentType<IconProps>>> = {
  peanut: Peanut,
  nuts: IconAcorn,
  milk: IconMilk,
  egg: IconEgg,
  fish: IconFish,
  shellfish: Shellfish,
  gluten: IconWheat,
  soy: Soy,
  sesame: Sesame,
  insect_sting: IconBug,
  medicine: IconPill,
  other: IconAlertTriangle,
};

/** The picture of an allergen, for the eye only: words say it beside or instead. */
export function AllergenIcon({ allergen, size = 20 }: { allergen: Allergen; size?: number }) {
  const Icon = ICONS[allergen];
  return <Icon size={size} stroke={2} aria-hidden />;
}
