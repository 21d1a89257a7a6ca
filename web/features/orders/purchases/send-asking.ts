import { IF_ON_THE_WAY_HEADER } from '../../../../shared/limits.ts'
import { RefusedError } from '../../../lib/http.ts'
import type { Subject } from '../../../lib/subject.ts'

type Send = <T>(send: (headers: Record<string, string>) => Promise<T>) => Promise<T>

type Remembered = {
  /** The buyer has said before that it is to be bought again. */
  isAgreed?: boolean
  /** The question opens: until it is answered, nothing is being bought. */
  onQuestion?: () => void
  onAgreed?: () => void
  /** What is bought, which may change while the question is open. */
  about?: Subject | undefined
}

/**
 * Sends a purchase so that the buyer is asked before the same bundle goes to the same number twice. Once they said yes, it is sent without
 * the question, also when it has to be repeated. @throws what `send` does, and RefusedError (ON_THE_WAY) when they said no.
 */
export function sendAsking({ isAgreed = false, onQuestion, onAgreed, about }: Remembered = {}): Send {
  let headers: Record<string, string> = isAgreed ? {} : { [IF_ON_THE_WAY_HEADER]: 'ask' }
  return async (send) => {
    try {
      return await send(headers)
    } catch (error) {
      if (!(error instanceof RefusedError) || error.code !== 'ON_THE_WAY') throw error
      onQuestion?.()
      await (await import('./ask-on-the-way.ts')).askOnTheWay(error, about)
      onAgreed?.()
      headers = {}
      return send(headers)
    }
  }
}
