import { expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

test('a second press does nothing until the first has finished, even if that fails', async () => {
  const alone = oneAtATime()
  const done: string[] = []
  let finish = () => {}
  const first = alone(async () => {
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    done.push('first')
  })
  await alone(async () => void done.push('second'))
  finish()
  await first
  await expect(alone(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  await alone(async () => void done.push('third'))
  expect(done).toEqual(['first', 'third'])
})
