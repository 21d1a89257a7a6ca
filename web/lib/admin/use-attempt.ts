import { useState } from 'react'
import { toast } from '../../ui/toast.ts'
import { messageOf } from '../http.ts'
import { refreshSoon } from '../query-client.ts'

/** Does what a button says and tells whether it worked. What the lists of these keys show is then read again, also after a failure. */
export function useAttempt(...lists: (readonly unknown[])[]) {
  const [busy, setBusy] = useState(false)
  const attempt = async (act: () => Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await act()
      toast.success(done)
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
      refreshSoon(...lists)
    }
  }
  return { busy, attempt }
}
