const SWIPE_PX = 40

/** A swipe to the left shows the next one, to the right the previous one. */
export function stepAfterSwipe(movedPx: number): -1 | 0 | 1 {
  if (Math.abs(movedPx) < SWIPE_PX) return 0
  return movedPx < 0 ? 1 : -1
}
