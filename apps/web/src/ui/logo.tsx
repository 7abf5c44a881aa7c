/** The mark of Haris: a sheltering arch over a child. */
interface LogoProps {
  /** Height and width in pixels. */
  size?: number;
}

/** Decorative: the name is in the text next to it. */
export function Logo({ size = 32 }: LogoProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 48 48" aria-hidden="true" focusable="false">
      <rect width="48" height="48" rx="12" fill="#1f6f5c" />
      <path
        d="M11 38V22.500C11 14.800 16.600 10.600 24 7c7.400 3.600 13 7.800 13 15.500V38h-5.500V23.200c0-4.700-3-7.500-7.500-10-4.500 2.500-7.500 5.300-7.500 10V38Z"
        fill="#fff"
      />
      <circle cx="24" cy="24.500" r="4" fill="#f3b02f" />
      <path d="M17.800 38c0-4.500 2.700-7.300 6.200-7.300s6.200 2.800 6.200 7.300Z" fill="#f3b02f" />
    </svg>
  );
}
