/**
 * The wings of `server/features` and `web/features`, each of which may import from those before it. tools/check-boundaries.ts holds that
 * a feature stands in the same wing on both sides.
 */
export const WINGS: readonly string[] = [
  'shop',
  'messages',
  'people',
  'catalogue',
  'orders',
  'card',
  'wallet',
  'delivery',
  'agents',
  'storefront',
  'channels',
  'office',
]
