import { ConfirmDialogs } from '../ui/confirm-dialogs.tsx'
import { Toaster } from '../ui/toaster.tsx'
import { AccountNotices } from './account-notices.tsx'
import { SessionKeeper } from './session-keeper.tsx'

/** Beside every screen, once there is a session to watch, a question to ask or a message to show. */
export default function Overlays() {
  return (
    <>
      <SessionKeeper />
      <AccountNotices />
      <ConfirmDialogs />
      <Toaster />
    </>
  )
}
