import { lazy, Suspense, useEffect, useState } from 'react'
import { Router as Location } from 'wouter'
import { navigateOverDialogs } from '../lib/dialog-history.ts'
import { loadPersistently } from '../lib/load-persistently.ts'
import { endedSession, session } from '../lib/session.ts'
import { unsentSignOuts } from '../lib/unsent-sign-outs.ts'
import { overlaysWanted } from '../ui/overlays-wanted.ts'
import { type LoadedScreens, Router } from './router.tsx'
import { Shell } from './shell.tsx'

/** `path` is what the server renders, and what the first render in the browser repeats. */
export function App({ path, screens = {} }: { path?: string | undefined; screens?: LoadedScreens }) {
  return (
    <Location aroundNav={navigateOverDialogs} {...(path === undefined ? {} : { ssrPath: path })}>
      <Shell>
        <Router screens={screens} />
      </Shell>
      <WantedOverlays />
    </Location>
  )
}

const Overlays = lazy(() => loadPersistently(() => import('./overlays.tsx')))

/** Loaded once a visitor needs them. They stay mounted afterwards, because they complete a sign-out. */
function WantedOverlays() {
  const user = session.use()
  const wanted = overlaysWanted.use()
  const isLeaving = typeof window !== 'undefined' && window.location.hash === '#signout'
  const ended = endedSession.use()
  const unsent = unsentSignOuts.use()
  const [shown, setShown] = useState(false)
  const isWanted = user !== null || wanted || isLeaving || ended !== null || unsent.length > 0
  useEffect(() => {
    if (isWanted) setShown(true)
  }, [isWanted])
  if (!shown) return null
  return (
    <Suspense fallback={null}>
      <Overlays />
    </Suspense>
  )
}
