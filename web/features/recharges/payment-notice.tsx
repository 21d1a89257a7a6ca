import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { spacedPhone } from '../../../shared/phones.ts'
import type { Recharge } from '../../../shared/recharges.ts'
import { smsLink } from '../../lib/links.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Money } from '../../ui/money.tsx'
import { LoadError, NoticeBox } from '../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { useNotice } from '../notice/api.ts'
import { useShop } from '../shop/api.ts'

/** Where to send the money and under which reference. Closes only by its button, because the payer needs it to pay. */
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
      {recharge.status === 'pending' ? (
        <p className="text-large">
          Send <Money cedis={recharge.amount} /> by mobile money to this number, with the reference code below. We’ll credit your wallet
          once we see your payment.
        </p>
      ) : (
        <NoticeBox tone={recharge.status === 'approved' ? 'done' : 'danger'} title={DECIDED[recharge.status].title}>
          {DECIDED[recharge.status].text}
        </NoticeBox>
      )}
      {notice ? (
        <div className="mt-4 flex flex-col gap-2">
          <Line name="Mobile money number" copy={notice.momoPhoneNumber}>
            {spacedPhone(notice.momoPhoneNumber)}
          </Line>
          <Line name="Account name">{notice.momoAccountName}</Line>
          <Line name="Reference code" copy={recharge.rechargeId} strong>
            {recharge.rechargeId}
          </Line>
          <Line name="Amount" copy={recharge.amount.toFixed(2)}>
            <Money cedis={recharge.amount} />
          </Line>
          {recharge.status === 'pending' && <HowToDial />}
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
          <a href={smsLink(shop.phone)} className="font-semibold text-brand-text underline underline-offset-4">
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

const DECIDED = {
  approved: { title: 'This payment was approved', text: 'The money is in your wallet. Don’t send it again.' },
  declined: { title: 'This request was rejected', text: 'Don’t send money for it. If you have paid already, send us an SMS.' },
}

/** The menus of the payers' own networks, which is where the money is sent from. */
const MENUS = [
  { name: 'MTN MoMo', code: '*170#' },
  { name: 'Telecel Cash', code: '*110#' },
  { name: 'AT Money', code: '*110#' },
]

function HowToDial() {
  return (
    <div className="rounded-box bg-sunken px-4 py-3 text-body">
      <p className="font-semibold">How to pay</p>
      <ol className="mt-1 flex list-decimal flex-col gap-1 pl-5">
        <li>
          Dial your own network’s code:
          <ul className="flex flex-wrap gap-x-5">
            {MENUS.map(({ name, code }) => (
              <li key={name}>
                {name}{' '}
                <a
                  href={`tel:${code.replace('#', '%23')}`}
                  className="tabular inline-flex min-h-11 items-center font-semibold text-brand-text underline underline-offset-4"
                >
                  {code}
                </a>
              </li>
            ))}
          </ul>
        </li>
        <li>Choose to send money to the number above, and check that the account name is the same.</li>
        <li>Enter the amount, and the reference code as the reference.</li>
      </ol>
    </div>
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
