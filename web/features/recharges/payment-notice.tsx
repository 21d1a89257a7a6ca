import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { spacedPhone } from '../../../shared/phones.ts'
import type { Recharge } from '../../../shared/recharges.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Money } from '../../ui/money.tsx'
import { LoadError } from '../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { useNotice } from '../notice/api.ts'
import { useShop } from '../shop/shop.ts'

/** Where to send the money and under which reference; it closes by its button only, since it is all there is to pay by. */
export function PaymentNotice({ recharge, onClose }: { recharge: Recharge; onClose: () => void }) {
  const { data: notice, error, refetch } = useNotice()
  const shop = useShop()
  return (
    <Dialog
      title="PAYMENT NOTICE"
      dismissable={false}
      onClose={onClose}
      footer={
        <Button block onClick={onClose}>
          I have noted it
        </Button>
      }
    >
      <p className="text-large">
        Send <Money cedis={recharge.amount} /> by mobile money to this number, with the reference code below. Your wallet is filled when the
        shop has seen the payment.
      </p>
      {notice ? (
        <div className="mt-4 flex flex-col gap-2">
          <Line name="Mobile money number" copy={notice.momoPhoneNumber}>
            {spacedPhone(notice.momoPhoneNumber)}
          </Line>
          <Line name="Account name">{notice.momoAccountName}</Line>
          <Line name="Reference code" copy={recharge.rechargeId} strong>
            {recharge.rechargeId}
          </Line>
        </div>
      ) : error ? (
        <div className="mt-4">
          <LoadError what="The payment details" error={error} onRetry={() => void refetch()} />
        </div>
      ) : (
        <Loading>
          <Skeleton className="mt-4 h-40" />
        </Loading>
      )}
      <p className="mt-4 text-body text-muted">
        Complaints? Send an SMS to{' '}
        {shop.phone ? (
          <a href={`sms:${shop.phone.replace(/\s/g, '')}`} className="font-semibold text-brand-text underline underline-offset-4">
            {spacedPhone(shop.phone)}
          </a>
        ) : (
          'the shop'
        )}
        .
      </p>
    </Dialog>
  )
}

function Line({ name, copy, strong, children }: { name: string; copy?: string; strong?: boolean; children: ReactNode }) {
  return (
    <div className={`flex items-center justify-between gap-3 rounded-box px-4 py-2 ${strong ? 'bg-brand-soft' : 'bg-sunken'}`}>
      <div className="min-w-0">
        <p className="text-small text-muted">{name}</p>
        <p className={`tabular break-words ${strong ? 'text-display font-bold' : 'text-large font-semibold'}`}>{children}</p>
      </div>
      {copy && (
        <IconButton label={`Copy the ${name.toLowerCase()}`} onClick={() => void copyText(copy)}>
          <Copy className="size-5" aria-hidden="true" />
        </IconButton>
      )}
    </div>
  )
}

async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success('Copied')
  } catch {
    toast.danger('This browser does not let us copy. Please write it down.')
  }
}
