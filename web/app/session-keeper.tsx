import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation } from 'wouter'
import { loadPersistently } from '../lib/load-persistently.ts'
import { session } from '../lib/session.ts'
import { forgetUserData, onSessionEnd } from '../lib/session-change.ts'
import { sendUnsentSignOuts } from '../lib/sign-outs.ts'
import { unsentSignOuts } from '../lib/unsent-sign-outs.ts'

/** The browser does not notice every lost connection. */
const SIGN_OUT_AGAIN_MS = 15_000

/** Watches the session: its end, the sign-out address, other tabs, and what runs only for signed-in users. */
export function SessionKeeper() {
  const user = session.use()
  const [, navigate] = useLocation()

  const goToLogin = useEffectEvent(() => navigate('/login', { replace: true }))

  useEffect(() => {
    // The account notices say why it ended.
    onSessionEnd(() => goToLogin())
  }, [])

  const leaving = useRef(false)
  useEffect(() => {
    const leaveOnHash = () => {
      if (window.location.hash !== '#signout') return
      leaving.current = true
      // The address keeps its hash until the login screen replaces it, so that no screen sends its user elsewhere meanwhile.
      void loadPersistently(() => import('../features/people/auth/api.ts')).then(({ signOut }) => {
        leaving.current = false
        void signOut()
      })
    }
    leaveOnHash()
    window.addEventListener('hashchange', leaveOnHash)
    return () => window.removeEventListener('hashchange', leaveOnHash)
  }, [])

  // Another tab signed out, or signed in as somebody else: what this tab remembers belongs to the one who left.
  const userId = user?._id ?? null
  const lastUserId = useRef(userId)
  useEffect(() => {
    const left = lastUserId.current
    lastUserId.current = userId
    if (left === null || left === userId) return
    forgetUserData()
    if (userId === null) goToLogin()
  }, [userId])

  const token = user?.token ?? null
  useEffect(() => {
    // The sign-out address ends the session, so nothing is started for it.
    if (!token || leaving.current) return
    let isOver = false
    let stop: (() => void) | undefined
    void loadPersistently(() => import('./signed-in.ts')).then(({ startSignedIn }) => {
      if (!isOver) stop = startSignedIn()
    })
    return () => {
      isOver = true
      stop?.()
    }
  }, [token])

  const hasUnsent = unsentSignOuts.use().length > 0
  useEffect(() => {
    if (!hasUnsent) return
    const send = () => void sendUnsentSignOuts()
    send()
    const timer = setInterval(send, SIGN_OUT_AGAIN_MS)
    window.addEventListener('online', send)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', send)
    }
  }, [hasUnsent])

  return null
}
