import { beforeEach, describe, expect, it, vi } from 'vitest'
import { IF_ON_THE_WAY_HEADER } from '../../../../shared/limits.ts'
import { RefusedError } from '../../../lib/http.ts'
import { sendAsking } from './send-asking.ts'

const onTheWay = () => new RefusedError(409, { code: 'ON_THE_WAY', message: 'One is on its way.' })
const log: string[] = []
let answer: 'yes' | 'no' = 'yes'
vi.mock('./ask-on-the-way.ts', () => ({
  askOnTheWay: async () => {
    log.push('question')
    if (answer === 'no') throw onTheWay()
  },
}))

/** The shop refuses while it is asked to, and sells otherwise. */
async function shop(headers: Record<string, string>) {
  log.push(IF_ON_THE_WAY_HEADER in headers ? 'asked' : 'bought')
  if (IF_ON_THE_WAY_HEADER in headers) throw onTheWay()
  return 'placed'
}
const noted = { onQuestion: () => void log.push('open'), onAgreed: () => void log.push('agreed') }

describe('a purchase of what is on its way already', () => {
  beforeEach(() => {
    log.length = 0
    answer = 'yes'
  })

  it('is no purchase while the question is open, and goes on once the buyer agrees', async () => {
    expect(await sendAsking(noted)(shop)).toBe('placed')
    expect(log).toEqual(['asked', 'open', 'question', 'agreed', 'bought'])
  })

  it('is over with a no', async () => {
    answer = 'no'
    await expect(sendAsking(noted)(shop)).rejects.toThrow(RefusedError)
    expect(log).toEqual(['asked', 'open', 'question'])
  })

  it('is not asked about twice, even when it has to be sent again after the page was loaded anew', async () => {
    expect(await sendAsking({ ...noted, isAgreed: true })(shop)).toBe('placed')
    expect(log).toEqual(['bought'])
  })
})
