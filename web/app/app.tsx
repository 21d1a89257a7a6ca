import { Router as Location } from 'wouter'
import { endedSession, session } from '../lib/session.ts'
import { unsentSignOuts } from '../lib/unsent-sign-outs.ts'
import { useLater } from '../lib/use-later.ts'
import { companionsWanted } from '../ui/companions-wanted.ts'
import { Router } from './router.tsx'
import { Shell } from './shell.tsx'

/** `path` is where a page is drawn that has no address of its own, on the server. */
export function App({ path }: { path?: string }) {
  return (
    <Location {...(path === undefined ? {} : { ssrPath: path })}>
      <Shell>
        <Router />
      </Shell>
      <Companions />
    </Location>
  )
}

/** A visitor who only looks around needs none of them. */
function Companions() {
  const user = session.use()
  const wanted = companionsWanted.use()
  const isLeaving = typeof window !== 'undefined' && window.location.hash === '#signout'
  const ended = endedSession.use()
  const unsent = unsentSignOuts.use()
  const Loaded = useLater(user !== null || wanted || isLeaving || ended !== null || unsent.length > 0, () => import('./companions.tsx'))
  return Loaded && <Loaded />
}
