import { expect, test } from 'vitest'
import { gatherMarks, type Mark } from './mark-strip.tsx'

const marks = (states: readonly Mark['state'][]): Mark[] => states.map((state) => ({ network: 'MTN', state }))

test('up to sixty lines each have a mark of their own', () => {
  const lines = marks(['ready', 'wrong', 'completed'])
  expect(gatherMarks(lines, 60)).toEqual(lines)
})

test('a mark that stands for several lines shows the worst of them', () => {
  const states: Mark['state'][] = Array.from({ length: 5000 }, () => 'completed')
  states[2500] = 'wrong'
  states[4999] = 'doubtful'
  const gathered = gatherMarks(marks(states), 60)
  expect(gathered).toHaveLength(60)
  expect(gathered.map(({ state }) => state).filter((state) => state !== 'completed')).toEqual(['wrong', 'doubtful'])
  expect(gathered.at(-1)?.state).toBe('doubtful')
})
