/**
 * Runs actions one at a time: while one is under way, from its first question to its outcome, a further press does nothing.
 * Without it the second half of a double press asks the same question again behind the answer to the first.
 */
export function oneAtATime(): (action: () => Promise<void>) => Promise<void> {
  let underWay = false
  return async (action) => {
    if (underWay) return
    underWay = true
    try {
      await action()
    } finally {
      underWay = false
    }
  }
}
