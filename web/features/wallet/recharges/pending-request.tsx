import { formatDateTime } from '../../../../shared/dates.ts'
import type { Recharge } from '../../../../shared/recharges.ts'
import { messageOf } from '../../../lib/http.ts'
import { walletTexts } from '../../../texts/wallet.ts'
import { Button } from '../../../ui/button.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { toast } from '../../../ui/toast.ts'
import { ConfirmNumber } from '../../people/numbers/confirm-number.tsx'
import { HelpLink } from '../../shop/shop/help-link.tsx'
import { useSayPaid } from './api.ts'
import { WhatToDial, WhereToSend } from './where-to-send.tsx'

/** A request that waits for its money: how to send it, and a button to say that it was sent. `others` wait as well. */
export function PendingRequest({ recharge, others }: { recharge: Recharge; others: number }) {
  const sayPaid = useSayPaid()
  const { saidPaidAt } = recharge
  return (
    <section aria-labelledby="pending-request">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3">
        <h2 id="pending-request" className="text-large">
          {walletTexts.notice}
        </h2>
        <StatusBadge tone="pending">{walletTexts.pending}</StatusBadge>
      </div>
      <div className="ticket [--dots:var(--pending)] [--rim:var(--pending)]">
        <div className="px-3 pt-2.5">
          <WhatToDial recharge={recharge} />
        </div>
        <div className="perf" aria-hidden="true" />
        <div className="px-3 pt-1 pb-3">
          <WhereToSend recharge={recharge} />
          <div className="mt-3 grid grid-cols-2 gap-2">
            <Button
              size="large"
              disabled={Boolean(saidPaidAt)}
              busy={sayPaid.isPending}
              onClick={() => sayPaid.mutate(recharge, { onError: (error) => toast.danger(messageOf(error)) })}
            >
              {saidPaidAt ? walletTexts.toldUs : walletTexts.paid}
            </Button>
            <HelpLink about="top-up" reference={recharge.rechargeId} className="min-h-13" />
          </div>
          <p role="status" className={saidPaidAt ? 'mt-2 text-small text-muted' : 'sr-only'}>
            {saidPaidAt && walletTexts.saidPaid(formatDateTime(new Date(saidPaidAt)).slice(11, 16))}
          </p>
        </div>
      </div>
      <ConfirmNumber />
      {others > 0 && <p className="mt-2 text-small text-muted">{walletTexts.more(others)}</p>}
    </section>
  )
}
