import { ConfirmDialogs } from '../ui/confirm-dialogs.tsx'
import { Toaster } from '../ui/toast.tsx'
import { Router } from './router.tsx'
import { SessionKeeper } from './session-keeper.tsx'
import { Shell } from './shell.tsx'

export function App() {
  return (
    <>
      <SessionKeeper />
      <Shell>
        <Router />
      </Shell>
      <ConfirmDialogs />
      <Toaster />
    </>
  )
}
