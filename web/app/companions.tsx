import { ConfirmDialogs } from '../ui/confirm-dialogs.tsx'
import { Toaster } from '../ui/toaster.tsx'
import { AccountNotices } from './account-notices.tsx'
import { SessionKeeper } from './session-keeper.tsx'

/** What stands beside every screen once there is something to watch over, to ask or to tell. */
export default function Companions() {
  return (
    <>
      <SessionKeeper />
      <AccountNotices />
      <ConfirmDialogs />
      <Toaster />
    </>
  )
}
