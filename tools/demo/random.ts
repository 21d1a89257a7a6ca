/** Numbers that look like chance but are the same on every run, so that two people who open the demo see the same shop. */
export type Random = {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  /** One of the options, each as often as its weight says. */
  pick<T>(options: readonly (readonly [T, number])[]): T
  /** True as often as the share says. */
  chance(share: number): boolean
}

/** The mulberry32 generator. */
export function openRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (share) => next() < share,
    pick(options) {
      let left = next() * options.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [option, weight] of options) {
        left -= weight
        if (left < 0) return option
      }
      return (options.at(-1) as (typeof options)[number])[0]
    },
  }
}
