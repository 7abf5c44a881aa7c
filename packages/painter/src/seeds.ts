/**
 * Seeds of children whose faces are known to be far apart, or near. A search with the product's own networks found
 * them; the tests of `apps/vision` check the distances.
 */

/**
 * Twelve children. Any two are more than 0.62 apart (0.645 when they were chosen), so that no threshold of the
 * product comes near, and each stays within 0.30 of itself in every light and turn. The demo uses the first five.
 */
export const chosenSeeds = [
  4018337221, 1403795967, 3962128600, 3280172752, 657218551, 3687877306, 2616968364, 1285388059, 736921106,
  2730160476, 4292103508, 1934776460,
] as const;

/** Two children who look alike: 0.58 apart, so staff must decide. The first is also one of {@link chosenSeeds}. */
export const lookAlikeSeeds = [2616968364, 1157914921] as const;

/** Two children whom Haris takes for the same one: 0.38 apart. The first is also one of {@link chosenSeeds}. */
export const doubleSeeds = [657218551, 640203503] as const;
