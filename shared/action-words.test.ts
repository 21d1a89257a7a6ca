import { describe, expect, test } from 'vitest'
import { actionName, actionsNamed, KNOWN_ACTIONS } from './action-words.ts'

test('an action is described in words, an unknown one too', () => {
  expect(actionName('user.level')).toBe('Changed level')
  expect(actionName('job.dismiss')).toBe('Dismissed a job')
  expect(actionName('payment.released_by-hand')).toBe('Payment released by hand')
})

describe('actions are found by their words', () => {
  test.each([
    ['CHANGED LEVEL', ['user.level']],
    ['approved rech', ['recharge.approve']],
    ['user.level', []],
  ])('%s', (text, actions) => {
    expect(actionsNamed([text])).toEqual(actions)
  })

  test('by none of them, all', () => {
    expect(actionsNamed([''])).toEqual(KNOWN_ACTIONS)
  })
})
