import type { Recharge } from '../../../../shared/recharges.ts'
import { walletTexts } from '../../../texts/wallet.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { moneyText } from '../../../ui/money.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { WhatToDial, WhereToSend } from './where-to-send.tsx'

/** Where to send the money and under which reference. Closes only by its button, because the payer needs it to pay. */
export function PaymentNotice({ recharge, onClose }: { recharge: Recharge; onClose: () => void }) {
  const { status, declineReason } = recharge
  return (
    <Dialog title={walletTexts.notice} dismissable={false} onClose={onClose} done={walletTexts.noted}>
      {status === 'pending' ? (
        <WhatToDial recharge={recharge} />
      ) : (
        <NoticeBox
          tone={status === 'approved' ? 'done' : 'danger'}
          title={status === 'approved' ? walletTexts.inWallet(moneyText(recharge.credited ?? recharge.amount)) : walletTexts.declined}
        >
          {status === 'approved' ? `${walletTexts.approved}. ${walletTexts.dontSendAgain}` : walletTexts.declinedText}
          {declineReason && <span className="block">{walletTexts.reason(declineReason)}</span>}
        </NoticeBox>
      )}
      {status === 'pending' && <WhereToSend recharge={recharge} withAmount />}
    </Dialog>
  )
}
